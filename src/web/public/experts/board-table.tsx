import { Fragment } from 'react'
import { type Board, type BoardRow } from '#contracts/board.ts'
import { showCount } from '#domain/price-text.ts'
import { LEAST_CALLS } from '#domain/scoring/least-calls.ts'
import { expertPath } from '#web/address/addresses.ts'
import { SortButton } from '#web/ui/sort-button.tsx'
import { Text } from '#web/ui/text.tsx'
import css from './board-table.module.css'
import { sortedBy, type Sort } from '#contracts/board-sort.ts'
import { SkillBar } from './skill-bar.tsx'
import { Strip } from './strip.tsx'
import { asWellText, bandText, cameTrueText, showShare } from '#domain/scoring/figure-text.ts'

type Column = { readonly key: Sort; readonly text: string }

const PLAIN: readonly Column[] = [
  { key: 'band', text: 'Person' },
  { key: 'boldness', text: 'Calls by luck' },
  { key: 'came-true', text: 'Came true' },
  { key: 'luck', text: 'Luck expects' },
]
const STATISTICS: readonly Column[] = [
  { key: 'sats', text: 'Sats' },
  { key: 'skill', text: 'Odds × luck' },
]

/** People with enough decided calls; with statistics also what those who know nothing would have on the same days. */
export function BoardTable({
  board: { ranked, yardsticks, counts, has_recorded_before: isAhead },
  hasStatistics,
  sort,
  onSort,
}: {
  readonly board: Pick<Board, 'ranked' | 'yardsticks' | 'counts' | 'has_recorded_before'>
  readonly hasStatistics: boolean
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}) {
  if (ranked.length === 0) {
    return (
      <Text tone="quiet">{`Nobody has ${String(LEAST_CALLS)} decided calls of this kind.`}</Text>
    )
  }
  const shown = { isAhead, reach: hasStatistics ? reachOf([...ranked, ...yardsticks]) : null }
  const isCut = ranked.length < counts.ranked
  const columns = hasStatistics ? [...PLAIN, ...STATISTICS] : PLAIN
  return (
    <table className={css.table}>
      <caption className={isCut ? css.cut : 'aside-voice'}>
        {`People with five or more decided calls, compared with luck${isCut ? `: the first ${String(ranked.length)} of ${showCount(counts.ranked)}` : ''}`}
      </caption>
      <thead>
        <tr>
          {columns.map(({ key, text }) => (
            <Fragment key={key}>
              {key === 'came-true' && isAhead && <th scope="col">Recorded before its outcome</th>}
              <th scope="col" aria-sort={sort === key ? 'descending' : undefined}>
                <SortButton dir={sort === key ? 'desc' : null} onClick={() => onSort(key)}>
                  {text}
                </SortButton>
                {key === 'boldness' && (
                  <span className={css.ends}>
                    <span>bold (luck 0 %)</span>
                    <span>easy (100 %)</span>
                  </span>
                )}
              </th>
            </Fragment>
          ))}
        </tr>
      </thead>
      <tbody>
        {sortedBy(ranked, sort).map((row) => (
          <tr key={row.slug}>
            <th scope="row">
              <a href={expertPath(row)}>
                <bdi>{row.name}</bdi>
              </a>
              <small>{bandText(row.band)}</small>
            </th>
            <td className={css.strip}>
              <Strip name={row.name} calls={row.calls} />
            </td>
            <Figures row={row} {...shown} />
          </tr>
        ))}
        {hasStatistics &&
          yardsticks.map((row) => (
            <tr key={row.slug} className={css.yardstick}>
              <th scope="row">
                {row.name}
                <small>knows nothing, on the same days</small>
              </th>
              <td className={css.strip}>–</td>
              <Figures row={row} {...shown} />
            </tr>
          ))}
      </tbody>
    </table>
  )
}

/** How far the intervals of skill reach from luck: the scale of them all. */
function reachOf(rows: readonly Pick<BoardRow, 'skill'>[]): number {
  return Math.max(...rows.flatMap(({ skill }) => (skill ? [-skill.low, skill.high] : [])), 0.5)
}

function Figures({
  row: { decided, time_is_up: up, recorded, replayed, sats, skill },
  isAhead,
  reach,
}: {
  readonly row: Omit<BoardRow, 'calls'>
  /** Calls recorded before their outcome are shown first. */
  readonly isAhead: boolean
  /** null without statistics. */
  readonly reach: number | null
}) {
  const { before } = recorded
  return (
    <>
      {isAhead && (
        <td data-name="Recorded before its outcome">
          <b>{cameTrueText(before.time_is_up)}</b>
          {before.calls > 0 && (
            <small>{`${String(before.observed)} of ${String(before.calls)} so far, luck expects ${before.expected.toFixed(1)}`}</small>
          )}
        </td>
      )}
      <td data-name="Came true">
        <b>{cameTrueText({ hits: decided.hits, n: decided.calls })}</b>
        {reach !== null && up.low !== null && up.high !== null && (
          <small>{`${showShare(up.low)} to ${showShare(up.high)} of all ${String(up.n)} decided`}</small>
        )}
      </td>
      <td data-name="Luck expects">
        <b>{decided.expected.toFixed(1)}</b>
        {reach !== null && replayed !== null && (
          <small>{`does as well in ${asWellText(replayed)}`}</small>
        )}
      </td>
      {reach !== null && (
        <>
          <td data-name="Sats" className={css.number}>
            {sats === null ? '–' : Math.round(sats)}
          </td>
          <td data-name="Odds × luck" className={css.skill}>
            {skill && <SkillBar skill={skill} reach={reach} />}
          </td>
        </>
      )}
    </>
  )
}
