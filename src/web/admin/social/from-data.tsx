import { Combobox } from '@base-ui/react/combobox'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import {
  LINK_POST_USD,
  MOST_PICTURES,
  POST_USD,
  postWeight,
} from '#domain/publishing/post-length.ts'
import { anyText, eachNetwork } from '#domain/publishing/social-post.ts'
import { type PostNews } from '#domain/publishing/post-compose.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { headline } from '#domain/claim/prediction-text.ts'
import { outcomeWord } from '#domain/judging/verdict-text.ts'
import { CallError, sentenceOf } from '#web/api/call.ts'
import { fetchPredictions } from '#web/api/lists.ts'
import { Button } from '#web/ui/button.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { classNames } from '#web/ui/class-names.ts'
import field from '#web/ui/field.module.css'
import dropdown from '#web/ui/dropdown.module.css'
import { Icon } from '#web/ui/icon.tsx'
import { Tick } from '#web/ui/tick.tsx'
import { composeQuery, predictionsKey } from './calls.ts'
import { costText } from './composition.ts'
import css from './from-data.module.css'
import { Panel, Row, Stack, Tiles } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import { Segment, Segments } from '#web/ui/segments.tsx'
import { type Composer } from './use-composer.ts'

/** More are found by typing. */
const MOST_SHOWN = 60

/** Texts about a prediction or its verdict, made from the record; they can be changed afterwards. */
export function FromData({
  asset: first,
  composer,
}: {
  /** Whose predictions are offered first. */
  readonly asset: AssetKey
  readonly composer: Composer
}) {
  const { composition, pictures } = composer
  const [asset, setAsset] = useState(first)
  const [link, setLink] = useState(false)
  const [withChart, setWithChart] = useState(true)
  const [askedFor, setAskedFor] = useState<string | null>(null)
  const section = useRef<HTMLElement>(null)
  const change = useChange()
  const titleId = useId()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: predictionsKey(asset),
    queryFn: ({ signal }) => fetchPredictions(asset, signal),
    staleTime: 60_000,
  })
  const prediction = data?.find(({ id }) => id === composition.predictionId) ?? null
  const isOpen = prediction?.verdicts.touch.outcome === 'pending'

  async function compose(news: PostNews): Promise<void> {
    if (!prediction) return
    await change.run(async () => {
      const texts = await client.fetchQuery(composeQuery({ id: prediction.id, news, link }))
      const composed = eachNetwork((one) => texts[`${one}_text`] ?? '')
      if (anyText(composed) === '') {
        throw new CallError('There is nothing to post about it yet.', 0)
      }
      composer.fill({ ...composed, kind: news, predictionId: prediction.id })
      const isThere = pictures.slots.some(({ chartOf }) => chartOf === prediction.id)
      if (!withChart || isThere) return
      // Other pictures may belong to another post, or to this one: only a person knows.
      if (pictures.slots.length === 0) void pictures.addChart(prediction.id)
      else setAskedFor(prediction.id)
    }, news)
  }

  return (
    <Stack as="section" ref={section} tabIndex={-1} aria-labelledby={titleId}>
      <Row as="header" gap={4}>
        <Text as="h2" size="lead" id={titleId}>
          Text from data
        </Text>
        <Segments label="Asset">
          {Object.values(ASSETS).map(({ key, symbol }) => (
            <Segment
              key={key}
              pressed={key === asset}
              onPress={() => {
                if (key === asset) return
                composer.change({ predictionId: null, eventId: null })
                setAsset(key)
              }}
            >
              {symbol}
            </Segment>
          ))}
        </Segments>
      </Row>
      {error && !data ? (
        <Text tone="bad" role="alert">
          The predictions could not be loaded. {sentenceOf(error)}{' '}
          <Button onClick={() => void refetch()}>Try again</Button>
        </Text>
      ) : (
        <Row fill>
          <PredictionPicker
            // The input keeps its words while it lives.
            key={`${asset} ${data ? 'here' : 'coming'}`}
            predictions={data ?? null}
            chosen={prediction}
            onChoose={(next) => composer.change({ predictionId: next?.id ?? null, eventId: null })}
          />
          <Button
            disabled={!prediction || change.isBusy}
            onClick={() => void compose('prediction')}
          >
            {change.doing.has('prediction') ? 'Writing…' : 'New prediction'}
          </Button>
          <Button
            disabled={!prediction || isOpen || change.isBusy}
            onClick={() => void compose('verdict')}
          >
            {change.doing.has('verdict') ? 'Writing…' : 'Verdict'}
          </Button>
        </Row>
      )}
      <Row gap={6}>
        <Tick label="Add its chart as a picture" checked={withChart} onChange={setWithChart} />
        <Tick
          label={`Link to its page on X (${costText(LINK_POST_USD)} instead of ${costText(POST_USD)})`}
          checked={link}
          onChange={setLink}
        />
        {prediction && (
          <Text as="span" tone="quiet">
            {isOpen
              ? 'There is no verdict yet'
              : `Verdict: ${outcomeWord(prediction.verdicts.touch.outcome)}`}
          </Text>
        )}
      </Row>
      {prediction && askedFor === prediction.id && (
        <ChartQuestion
          composer={composer}
          onAnswer={(how) => {
            setAskedFor(null)
            section.current?.focus({ preventScroll: true })
            if (how !== 'keep') void pictures.addChart(prediction.id, how === 'replace')
          }}
        />
      )}
      {change.said !== null && (
        <Text tone="bad" role="alert">
          {change.said}
        </Text>
      )}
    </Stack>
  )
}

/** What becomes of the pictures that are there already. */
function ChartQuestion({
  composer: {
    pictures: { slots },
  },
  onAnswer,
}: {
  readonly composer: Composer
  readonly onAnswer: (how: 'replace' | 'add' | 'keep') => void
}) {
  const n = slots.length
  if (n === 0) return null
  const them = n === 1 ? 'it' : 'them'
  return (
    <Callout as="div" tone="wait" gap={2}>
      <p role="alert">
        {n === 1 ? 'There is a picture already.' : `There are ${String(n)} pictures already.`} Is
        the chart to replace {them}?
      </p>
      <Row>
        <Button onClick={() => onAnswer('replace')}>Replace {them} by the chart</Button>
        {n < MOST_PICTURES && (
          <Button onClick={() => onAnswer('add')}>Keep {them}, add the chart</Button>
        )}
        <Button look="quiet" onClick={() => onAnswer('keep')}>
          No chart
        </Button>
      </Row>
    </Callout>
  )
}

function PredictionPicker({
  predictions,
  chosen,
  onChoose,
}: {
  /** Null while they are loading. */
  readonly predictions: readonly Prediction[] | null
  readonly chosen: Prediction | null
  readonly onChoose: (prediction: Prediction | null) => void
}) {
  return (
    <Combobox.Root
      items={predictions ?? []}
      limit={MOST_SHOWN}
      disabled={predictions === null}
      locale="en"
      value={chosen}
      onValueChange={onChoose}
      itemToStringLabel={(prediction: Prediction) => headline(prediction)}
      isItemEqualToValue={(a, b) => a.id === b.id}
    >
      <div className={css.picker}>
        <Combobox.Input
          className={classNames(field.control, css.input)}
          aria-label="Prediction"
          placeholder={predictions === null ? 'Loading predictions…' : 'Search a prediction'}
        />
        <Combobox.Trigger className={css.caret} aria-label="Show predictions">
          <Icon name="caret" />
        </Combobox.Trigger>
      </div>
      <Combobox.Portal>
        <Combobox.Positioner className={dropdown.positioner} sideOffset={4} align="start">
          <Combobox.Popup className={dropdown.popup} aria-label="Predictions">
            <Combobox.Empty className={dropdown.empty}>
              {predictions?.length === 0 ? 'Nothing is published yet.' : 'No matching prediction.'}
            </Combobox.Empty>
            <Combobox.List className={dropdown.list}>
              {(prediction: Prediction) => (
                <Combobox.Item
                  key={prediction.id}
                  value={prediction}
                  className={classNames(dropdown.option, css.option)}
                >
                  <span>{headline(prediction)}</span>
                  <Text as="span" tone="quiet">
                    {outcomeWord(prediction.verdicts.touch.outcome)}
                  </Text>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}

/** Texts that were proposed for a submission. */
export function Proposals({
  proposals,
  onUse,
}: {
  readonly proposals: readonly { readonly style: string; readonly text: string }[]
  readonly onUse: (text: string) => void
}) {
  if (proposals.length === 0) return null
  return (
    <Tiles as="ul" least="20rem" aria-label="Proposed texts">
      {proposals.map(({ style, text }) => (
        <Panel as="li" gap={2} align="start" key={style + text} className={css.proposal}>
          <Text tone="quiet">
            {style} · {postWeight(text)} / 280
          </Text>
          <p className={css.words}>{text}</p>
          <Button onClick={() => onUse(text)}>Use this text</Button>
        </Panel>
      ))}
    </Tiles>
  )
}
