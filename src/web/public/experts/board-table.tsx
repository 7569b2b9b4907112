import { type Board, type BoardRow } from '#contracts/board.ts'
import { showCount } from '#domain/price-text.ts'
import { LEAST_VOTES } from '#domain/scoring/least-votes.ts'
import { expertPath } from '#web/address/addresses.ts'
import { classNames } from '#web/ui/class-names.ts'
import { SortButton } from '#web/ui/sort-button.tsx'
import { Text } from '#web/ui/text.tsx'
import css from './board-table.module.css'
import { sortedBy, type Sort } from '#contracts/board-sort.ts'
import { SkillBar } from './skill-bar.tsx'
import { Strip } from './strip.tsx'
import { showShare, showVotes } from '#domain/scoring/figure-text.ts'
import { callsText } from './calls-text.ts'

const COLUMNS = [
  { key: 'calls', text: 'Person' },
  { key: 'boldness', text: 'Calls by luck' },
  { key: 'time-is-up', text: 'Time is up' },
  { key: 'luck', text: 'Against luck' },
  { key: 'sats', text: 'Sats' },
  { key: 'skill', text: 'Odds × luck' },
] as const satisfies readonly { key: Sort; text: string }[]

/** Ranked people, best first, and what those who know nothing would have on the same days. */
export function BoardTable({
  board: { ranked, yardsticks, counts },
  sort,
  onSort,
}: {
  readonly board: Pick<Board, 'ranked' | 'yardsticks' | 'counts'>
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}) {
  if (ranked.length === 0) {
    return (
      <Text tone="quiet">{`Nobody has ${String(LEAST_VOTES)} decided calls of this kind.`}</Text>
    )
  }
  const reach = reachOf([...ranked, ...yardsticks])
  const isCut = ranked.length < counts.ranked
  return (
    <table className={css.table}>
      <caption className={isCut ? css.cut : 'aside-voice'}>
        {`People with five or more decided calls, compared with luck${isCut ? `: the first ${String(ranked.length)} of ${showCount(counts.ranked)}` : ''}`}
      </caption>
      <thead>
        <tr>
          {COLUMNS.map(({ key, text }) => (
            <th key={key} scope="col" aria-sort={sort === key ? 'descending' : undefined}>
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
          ))}
        </tr>
      </thead>
      <tbody>
        {sortedBy(ranked, sort).map((row) => (
          <Person key={row.slug} row={row} reach={reach} />
        ))}
        {yardsticks.map((row) => (
          <Yardstick key={row.slug} row={row} reach={reach} />
        ))}
      </tbody>
    </table>
  )
}

/** How far the intervals of skill reach from luck: the scale of them all. */
function reachOf(rows: readonly Pick<BoardRow, 'skill'>[]): number {
  return Math.max(...rows.flatMap(({ skill }) => (skill ? [-skill.low, skill.high] : [])), 0.5)
}

function Person({ row, reach }: { readonly row: BoardRow; readonly reach: number }) {
  return (
    <tr>
      <th scope="row">
        <a href={expertPath(row)}>
          <bdi>{row.name}</bdi>
        </a>
        <small>{callsText(row)}</small>
      </th>
      <td className={css.strip}>
        <Strip name={row.name} calls={row.calls} />
      </td>
      <Figures row={row} reach={reach} />
    </tr>
  )
}

/** Known by their figures alone. */
function Yardstick({
  row,
  reach,
}: {
  readonly row: Omit<BoardRow, 'calls'>
  readonly reach: number
}) {
  return (
    <tr className={classNames(css.yardstick)}>
      <th scope="row">
        {row.name}
        <small>knows nothing, on the same days</small>
      </th>
      <td className={css.strip}>–</td>
      <Figures row={row} reach={reach} />
    </tr>
  )
}

function Figures({
  row,
  reach,
}: {
  readonly row: Omit<BoardRow, 'calls'>
  readonly reach: number
}) {
  const { time_is_up: up, against_luck: luck, skill, sats } = row
  return (
    <>
      <td data-name="Time is up">
        <b>{`${showVotes(up.hits)} of ${showVotes(up.n)}`}</b>
        {up.low !== null && up.high !== null && (
          <small>{`${showShare(up.low)} to ${showShare(up.high)}`}</small>
        )}
      </td>
      <td data-name="Against luck">
        <b>{showVotes(luck.observed)}</b>
        <small>{`luck expects ${luck.expected.toFixed(1)}${luck.p === null ? '' : `, p ${showP(luck.p)}`}`}</small>
      </td>
      <td data-name="Sats" className={css.number}>
        {sats === null ? '–' : Math.round(sats)}
      </td>
      <td data-name="Odds × luck" className={css.skill}>
        {skill && <SkillBar skill={skill} reach={reach} />}
      </td>
    </>
  )
}

function showP(p: number): string {
  return p < 0.01 ? '<0.01' : p.toFixed(2)
}
