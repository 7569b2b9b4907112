import { useEffect, useMemo, useRef, useState } from 'react'
import { makeSeries } from '#chart/series.ts'
import { HEDGEHOG_ADDRESS, unpackCalls } from '#contracts/hedgehog.ts'
import { hedgehogPath } from '#contracts/paths.ts'
import { yearPath } from '#contracts/year.ts'
import { ASSETS } from '#domain/asset.ts'
import { showDay } from '#domain/day.ts'
import { outcomeWord } from '#domain/judging/verdict.ts'
import { showLevel, showUsd } from '#domain/price-text.ts'
import {
  tallyFinding,
  callYears,
  tallyOf,
  yearOf,
  type StatedCall,
} from '#domain/scoring/stated-calls.ts'
import { errorText } from '#domain/scoring/year-card.ts'
import { queryOf, useAddressState } from '#web/address/address-state.ts'
import { expertPath, hedgehogPicturePath, predictionPath } from '#web/address/addresses.ts'
import { unpackPrices } from '#web/api/prices.ts'
import { useSite, type PageProps } from '#web/head/site.ts'
import { HedgehogPicture } from '#web/public/hedgehog/hedgehog-picture.tsx'
import { ShareButtons } from '#web/public/predictions/share-buttons.tsx'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { useIsPhone } from '#web/ui/layout.tsx'
import { Row, Stack, Text, TableHead, Note } from '#web/ui/primitives.tsx'
import dense from '#web/ui/dense-table.module.css'
import css from './pages.module.css'

export function HedgehogPage({ content }: PageProps<'hedgehog'>) {
  const { asset, assets, prices, againstLuck } = content
  const calls = useMemo(() => unpackCalls(content.calls), [content.calls])
  const { today, origin } = useSite()
  const [view, change] = useAddressState(HEDGEHOG_ADDRESS)
  const show = (part: Partial<typeof view>): void => change((now) => ({ ...now, ...part }))
  const { year, person } = view
  const [pointed, setPointed] = useState<string | null>(null)
  const [isListed, setListed] = useState(false)
  const chips = useRef<HTMLDivElement>(null)
  // On phones the selected year may be scrolled out of view.
  useEffect(() => {
    const row = chips.current
    const chosen = row?.querySelector<HTMLElement>('[aria-pressed="true"]')
    // Not by `scrollIntoView`, which would scroll the page as well.
    if (row && chosen) {
      row.scrollLeft =
        chosen.offsetLeft - row.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2
    }
  }, [year])
  // On phones the complete picture is too dense.
  const isPhone = useIsPhone()
  const isOpening = useRef(true)
  useEffect(() => {
    if (!isPhone || !isOpening.current) return
    isOpening.current = false
    const latest = callYears(calls).findLast((one) => tallyOf(calls, one).decided > 0)
    change((now) => (now.year === null && latest !== undefined ? { ...now, year: latest } : now))
  }, [isPhone, calls, change])
  const series = useMemo(() => makeSeries(unpackPrices(prices), today).series, [prices, today])
  const years = useMemo(() => callYears(calls), [calls])
  const visible = calls.filter(
    (call) => (year === null || yearOf(call) === year) && (person === null || call.slug === person),
  )
  const name = calls.find(({ slug }) => slug === person)?.name ?? null
  const { name: assetName } = ASSETS[asset]
  const finding = tallyFinding(asset, tallyOf(calls, null), againstLuck)
  const query = queryOf(HEDGEHOG_ADDRESS, view)
  const at = year === null ? -1 : years.indexOf(year)
  const [before, after] = [years[at - 1], at < 0 ? undefined : years[at + 1]]
  return (
    <Stack as="article" className={css.page}>
      <Text as="h1" size="title">
        {finding}
      </Text>
      <Row gap={4} className="shrinks">
        {assets.length > 1 && (
          <Row as="nav" gap={4} whole aria-label="Assets" className="taps">
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
        <Row gap={1} role="group" aria-label="Calls made in" className={css.chips} ref={chips}>
          <Chip pressed={year === null} onPress={() => show({ year: null })}>
            All years
          </Chip>
          {years.map((one) => (
            <Chip
              key={one}
              pressed={year === one}
              onPress={() => show({ year: year === one ? null : one })}
            >
              {one}
            </Chip>
          ))}
        </Row>
      </Row>
      <div role="status" className={css.said}>
        {year !== null && (
          <Row gap={2}>
            <Text strong>{tallyFinding(asset, tallyOf(calls, year), null)}</Text>
            <a href={yearPath(asset, year)}>Calls due in {year}</a>
            {before !== undefined && (
              <Button size="small" onClick={() => show({ year: before })}>
                ← {before}
              </Button>
            )}
            {after !== undefined && (
              <Button size="small" onClick={() => show({ year: after })}>
                {after} →
              </Button>
            )}
          </Row>
        )}
        {name !== null && person !== null && (
          <Row gap={3}>
            <span>
              <bdi>{name}</bdi>
              {`: ${String(visible.length)} of these calls. `}
              <a href={expertPath({ slug: person })}>Full record</a>
            </span>
            <Button onClick={() => show({ person: null })}>Show all people</Button>
          </Row>
        )}
      </div>
      <HedgehogPicture
        {...{ asset, calls, series, today, view, pointed }}
        label={`Every ${assetName} call over its price on a log axis, ${String(visible.length)} of them shown. The table below holds the same calls.`}
        onPoint={setPointed}
        onPick={({ slug }) => show({ person: person === slug ? null : slug })}
      />
      <Note>
        Each line is one call by a named person or firm: it starts at the price of the day it was
        made and ends at its level at its deadline; calls are listed by the year they were made.
        With a year chosen, the thick line is its middle call. Repeats are drawn and not counted,
        and an early hit counts from its deadline on; the <a href={ASSETS[asset].route}>chart</a>{' '}
        counts every verdict at once. <a href="/years">By the year they were due</a>
      </Note>
      <Row gap={3} className="taps by-screen">
        <ShareButtons
          url={`${origin}${hedgehogPath(asset)}${query === '' ? '' : `?${query}`}`}
          text={year === null ? finding : tallyFinding(asset, tallyOf(calls, year), null)}
        />
        <a href={hedgehogPicturePath(asset, year)} download>
          Picture as PNG
        </a>
        <a href={hedgehogPicturePath(asset, year, 'svg')} download>
          as SVG
        </a>
      </Row>
      <Fold title={`The ${String(visible.length)} calls as a table`} onOpen={() => setListed(true)}>
        {isListed ? (
          <CallTable calls={visible} onPoint={setPointed} />
        ) : (
          <a href={`${hedgehogPath(asset)}.csv`} download>
            All {assetName} calls as CSV
          </a>
        )}
      </Fold>
    </Stack>
  )
}

function CallTable({
  calls,
  onPoint,
}: {
  readonly calls: readonly StatedCall[]
  readonly onPoint: (id: string | null) => void
}) {
  const pointing = ({ id }: StatedCall) => ({
    onFocus: () => onPoint(id),
    onBlur: () => onPoint(null),
  })
  return (
    <div className={`${dense.tall} card scrolls`}>
      <table className={dense.table}>
        <TableHead
          names={[
            'Said by',
            'Made',
            'Price then',
            'Level',
            'Deadline',
            'Outcome',
            'At the deadline',
          ]}
        />
        <tbody>
          {calls.map((call) => (
            <tr key={call.id}>
              <th scope="row">
                <a href={expertPath(call)} dir="auto" {...pointing(call)}>
                  {call.name}
                </a>
              </th>
              <td>{showDay(call.made)}</td>
              <td>{showUsd(call.from)}</td>
              <td>
                <a href={predictionPath(call)} {...pointing(call)}>
                  {showLevel(call.level)}
                </a>
              </td>
              <td>{showDay(call.due)}</td>
              <td>{outcomeWord(call.outcome)}</td>
              <td>{atDeadline(call)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function atDeadline({ error }: StatedCall): string {
  if (error === null) return '–'
  return error === 0 ? 'right side of the price' : errorText(error)
}
