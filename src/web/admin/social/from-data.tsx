import { Combobox } from '@base-ui/react/combobox'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { composePosts } from '#contracts/publishing.ts'
import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Prediction, headline } from '#domain/claim/prediction.ts'
import { outcomeWord } from '#domain/judging/verdict.ts'
import { LINK_POST_USD, POST_USD } from '#domain/publishing/post-length.ts'
import { fieldOf, textFields } from '#domain/publishing/social-post.ts'
import { Section } from '#web/admin/kit/screen.tsx'
import { Act } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { fetchPredictions } from '#web/api/lists.ts'
import { Segments } from '#web/ui/chip.tsx'
import { Tick } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { classNames, Row, Quiet } from '#web/ui/primitives.tsx'
import { costText } from './composition.ts'
import { useDesk, type Composer } from './desk.ts'
import dropdown from '#web/ui/dropdown.module.css'
import field from '#web/ui/field.module.css'
import css from './social.module.css'

/** Number of suggestions; typing narrows them. */
const MOST_LISTED = 60

/** Generates texts about a prediction and its verdict; they can be edited afterwards. */
export function FromData({ asset: first }: { readonly asset: AssetKey }) {
  const { composer } = useDesk()
  const [asset, setAsset] = useState(first)
  const [link, setLink] = useState(false)
  const [withChart, setWithChart] = useState(true)
  const { data } = useQuery({
    queryKey: ['social-predictions', asset],
    queryFn: ({ signal }) => fetchPredictions(asset, signal),
    staleTime: 60_000,
  })
  const prediction = data?.find(({ id }) => id === composer.composition.prediction_id) ?? null
  return (
    <Section
      title="Text from data"
      aside={
        <Segments
          label="Asset"
          options={ASSET_KEYS.map((key) => [key, ASSETS[key].symbol])}
          value={asset}
          onChoose={(key) => {
            if (key === asset) return
            composer.change({ prediction_id: null, event_id: null })
            setAsset(key)
          }}
        />
      }
    >
      <Row fill>
        <Combobox.Root
          // It keeps its text while mounted.
          key={`${asset} ${data ? 'here' : 'coming'}`}
          items={data ?? []}
          limit={MOST_LISTED}
          disabled={!data}
          locale="en"
          value={prediction}
          onValueChange={(next) =>
            composer.change({ prediction_id: next?.id ?? null, event_id: null })
          }
          itemToStringLabel={(one: Prediction) => headline(one)}
          isItemEqualToValue={(a, b) => a.id === b.id}
        >
          <div className={classNames(field.signed, css.picker)}>
            <Combobox.Input
              className={field.control}
              aria-label="Prediction"
              placeholder={data ? 'Search a prediction' : 'Loading predictions…'}
            />
            <Combobox.Trigger className={field.sign} aria-label="Show predictions">
              <Icon name="caret" />
            </Combobox.Trigger>
          </div>
          <Combobox.Portal>
            <Combobox.Positioner className={dropdown.positioner} sideOffset={4} align="start">
              <Combobox.Popup className={`${dropdown.popup} raised`} aria-label="Predictions">
                <Combobox.Empty className={dropdown.empty}>
                  {data?.length === 0 ? 'Nothing is published yet.' : 'No matching prediction.'}
                </Combobox.Empty>
                <Combobox.List className={dropdown.list}>
                  {(one: Prediction) => (
                    <Combobox.Item
                      key={one.id}
                      value={one}
                      className={classNames(dropdown.option, 'small')}
                    >
                      <span>{headline(one)}</span>
                      <Quiet>{outcomeWord(one.verdicts.touch.outcome)}</Quiet>
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
        <Act
          {...(!prediction && { disabled: true })}
          sending="Writing…"
          send={() => writeAbout(composer, prediction?.id ?? '', { link, withChart })}
        >
          Write its text
        </Act>
      </Row>
      <Row gap={6}>
        <Tick label="Add its chart as a picture" checked={withChart} onChange={setWithChart} />
        <Tick
          label={`Link to its page on X (${costText(LINK_POST_USD)} instead of ${costText(POST_USD)})`}
          checked={link}
          onChange={setLink}
        />
        {prediction && (
          <Quiet>
            {prediction.verdicts.touch.outcome === 'pending'
              ? 'There is no verdict yet'
              : `Verdict: ${outcomeWord(prediction.verdicts.touch.outcome)}`}
          </Quiet>
        )}
      </Row>
    </Section>
  )
}

/** Fills the composer with texts about a prediction, and adds its chart. */
export async function writeAbout(
  composer: Composer,
  predictionId: string,
  { link = false, withChart = true } = {},
): Promise<void> {
  const query = { prediction_id: predictionId, link: link ? 'true' : 'false' } as const
  const { kind, ...composed } = await adminCall(composePosts, { query })
  const texts = textFields((one) => composed[fieldOf(one)])
  composer.fill({ ...texts, kind, prediction_id: predictionId })
  if (withChart) void composer.pictures.addChart(predictionId)
}
