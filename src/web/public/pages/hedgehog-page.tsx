import { useEffect, useMemo, useRef, useState } from 'react'
import { hedgehogPath } from '#contracts/hedgehog.ts'
import { makeSeries } from '#chart/series.ts'
import { ASSETS } from '#domain/asset.ts'
import { saidFinding, saidYears, tallyOf, yearOf } from '#domain/scoring/said-calls.ts'
import { unpackPrices } from '#web/api/prices.ts'
import { queryOf, useAddressState } from '#web/address/address-state.ts'
import { expertPath, hedgehogPicturePath } from '#web/address/addresses.ts'
import { useSite, type PageProps } from '#web/head/site.ts'
import { CallTable } from '#web/public/hedgehog/call-table.tsx'
import { HEDGEHOG_ADDRESS } from '#web/public/hedgehog/hedgehog-address.ts'
import { HedgehogPicture } from '#web/public/hedgehog/hedgehog-picture.tsx'
import { ShareButtons } from '#web/public/predictions/share-buttons.tsx'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import css from './hedgehog-page.module.css'

/** Every call of an asset over its whole price: one thread each, from what the price was to what it was said to become. */
export function HedgehogPage({ content }: PageProps<'hedgehog'>) {
  const { asset, assets, calls, prices, againstLuck } = content
  const { today, origin } = useSite()
  const [view, change] = useAddressState(HEDGEHOG_ADDRESS)
  const { year, person } = view
  const [pointed, setPointed] = useState<string | null>(null)
  const chips = useRef<HTMLDivElement>(null)
  // On a phone a year from the address may be beyond the edge of the row.
  useEffect(() => {
    const chosen = chips.current?.querySelector('[aria-pressed="true"]')
    chosen?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [])
  const series = useMemo(() => makeSeries(unpackPrices(prices), today).series, [prices, today])
  const years = useMemo(() => saidYears(calls), [calls])
  const shown = calls.filter(
    (call) => (year === null || yearOf(call) === year) && (person === null || call.slug === person),
  )
  const name = calls.find(({ slug }) => slug === person)?.name ?? null
  const { name: assetName } = ASSETS[asset]
  const finding = saidFinding(asset, tallyOf(calls, null), againstLuck)
  const query = queryOf(HEDGEHOG_ADDRESS, view)
  return (
    <Stack as="article" gap={4} className={css.page}>
      <Stack as="header" gap={3}>
        {assets.length > 1 && (
          <Row as="nav" gap={4} aria-label="Assets" className={css.assets}>
            {assets.map((key) => (
              <a
                key={key}
                href={hedgehogPath(key)}
                aria-current={key === asset ? 'page' : undefined}
              >
                {ASSETS[key].name}
              </a>
            ))}
          </Row>
        )}
        <h1 className={css.finding}>{finding}</h1>
        <Text tone="quiet">
          Each line is one call by a named person or firm: it starts at the price of the day it was
          made and ends at its level at its deadline. A thick line is the middle call of a year.
        </Text>
      </Stack>
      <Row gap={1} role="group" aria-label="Calls made in" className={css.years} ref={chips}>
        <Chip pressed={year === null} onPress={() => change((now) => ({ ...now, year: null }))}>
          All years
        </Chip>
        {years.map((one) => (
          <Chip
            key={one}
            pressed={year === one}
            onPress={() => change((now) => ({ ...now, year: now.year === one ? null : one }))}
          >
            {one}
          </Chip>
        ))}
      </Row>
      <div role="status">
        <Text as="p" strong>
          {year !== null && saidFinding(asset, tallyOf(calls, year), null)}
        </Text>
        {name !== null && person !== null && (
          <Row gap={3}>
            <span>
              <bdi>{name}</bdi>
              {`: ${String(shown.length)} of these calls. `}
              <a href={expertPath({ slug: person })}>Full record</a>
            </span>
            <Button onClick={() => change((now) => ({ ...now, person: null }))}>
              Show all people
            </Button>
          </Row>
        )}
      </div>
      <HedgehogPicture
        {...{ asset, calls, series, today, view, pointed }}
        label={`Every ${assetName} call over its price on a log axis, ${String(shown.length)} of them shown. The table below holds the same calls.`}
        onPoint={setPointed}
        onPick={(slug) => change((now) => ({ ...now, person: now.person === slug ? null : slug }))}
      />
      <Row gap={3} className={css.share}>
        <ShareButtons
          url={`${origin}${hedgehogPath(asset)}${query === '' ? '' : `?${query}`}`}
          text={year === null ? finding : saidFinding(asset, tallyOf(calls, year), null)}
        />
        <a href={hedgehogPicturePath(asset, year)} download>
          Picture as PNG
        </a>
        <a href={hedgehogPicturePath(asset, year, 'svg')} download>
          as SVG
        </a>
      </Row>
      <Fold title={`The ${String(shown.length)} calls as a table`}>
        <CallTable calls={shown} onPoint={setPointed} />
      </Fold>
    </Stack>
  )
}
