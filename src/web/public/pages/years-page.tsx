import { yearPath, type YearsReply } from '#contracts/year.ts'
import { type AssetKey, ASSETS } from '#domain/asset.ts'
import { readDay, showDay } from '#domain/day.ts'
import { showCount } from '#domain/price-text.ts'
import { showChance } from '#domain/scoring/odds-text.ts'
import { type PageProps } from '#web/head/site.ts'
import { HitsBar } from '#web/public/experts/calibration.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Stack, Text, TableHead, Section, Note, Quiet } from '#web/ui/primitives.tsx'
import { useFresh } from './use-fresh.ts'
import bars from '#web/public/experts/experts.module.css'
import css from './pages.module.css'

export function YearsPage({ content: initial }: PageProps<'years'>) {
  const content = useFresh(initial)
  const day = content.years && readDay(content.years.as_of)
  return (
    <Stack as="article" gap={8}>
      <Stack as="header" gap={3}>
        <h1>Calls year by year</h1>
        <Text tone="quiet" className="measure">
          By the year calls were <strong>due</strong>; <a href="/history">by the year made</a>. The
          bar says how many of the decided calls came true, the tick how many luck expects.{' '}
          <a href="/methodology#luck">How luck is computed</a>
        </Text>
      </Stack>
      {content.years ? (
        <>
          {content.years.assets.length === 0 && (
            <Text tone="quiet">No predictions are on record yet.</Text>
          )}
          {content.years.assets.map(({ asset, years: rows }) => (
            <Section key={asset} gap={4} title={ASSETS[asset].name}>
              <Decided asset={asset} rows={rows.filter(({ n }) => n > 0)} />
              <Ahead asset={asset} rows={rows.filter(({ open }) => open > 0).toReversed()} />
            </Section>
          ))}
          {day !== null && <Note>{`As of ${showDay(day)}, by intraday prices.`}</Note>}
        </>
      ) : (
        <Notice
          title="Scores are being computed"
          text="All calls are being compared with luck. This takes a few seconds; the page shows them when it is done."
        />
      )}
    </Stack>
  )
}

type Rows = YearsReply['assets'][number]['years']

function Decided({ asset, rows }: { readonly asset: AssetKey; readonly rows: Rows }) {
  if (rows.length === 0) return <Text tone="quiet">No call has been decided yet.</Text>
  return (
    <table className={`${bars.bars} flush`}>
      <caption className="aside-voice">
        {`${ASSETS[asset].name} calls by the year they were due`}
      </caption>
      <TableHead
        names={['Year', 'Came true, and what luck expects', 'Hits', 'Luck', 'Replays as good']}
      />
      <tbody>
        {rows.map(({ year, n, hits, expected, replayed }) => (
          <tr key={year}>
            <th scope="row">
              <a href={yearPath(asset, year)}>{year}</a>
            </th>
            <td>
              <HitsBar happened={hits / n} expected={expected / n} />
            </td>
            <td>{`${showCount(hits)} of ${showCount(n)}`}</td>
            <td>{expected.toFixed(1)}</td>
            <td>{replayed === null ? '–' : showChance(replayed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Ahead({ asset, rows }: { readonly asset: AssetKey; readonly rows: Rows }) {
  if (rows.length === 0) return null
  return (
    <Text className={`${css.ahead} taps`}>
      <Quiet>Open calls due in</Quiet>
      {rows.map(({ year, open }) => (
        <a key={year} href={yearPath(asset, year)}>
          {`${String(year)} (${showCount(open)})`}
        </a>
      ))}
    </Text>
  )
}
