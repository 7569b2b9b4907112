import { Fragment } from 'react'
import {
  type Board,
  type BoardRow,
  type PersonReport,
  sortedBy,
  type Sort,
} from '#contracts/board.ts'
import { showCount, sentenceCase } from '#domain/price-text.ts'
import { BANDS, LEAST_CALLS } from '#domain/scoring/call-filter.ts'
import {
  asWellText,
  bandText,
  cameTrueText,
  ofText,
  showOdds,
  showShare,
} from '#domain/scoring/score-text.ts'
import { expertPath } from '#web/address/addresses.ts'
import { Row, Text } from '#web/ui/primitives.tsx'
import { SortButton } from '#web/ui/sort-button.tsx'
import { SkillBar, Strip } from './strip.tsx'
import css from './experts.module.css'

const COLUMNS: readonly { readonly key: Sort; readonly text: string; readonly isMore?: true }[] = [
  { key: 'band', text: 'Person' },
  { key: 'boldness', text: 'Calls by luck' },
  { key: 'came-true', text: 'Came true' },
  { key: 'luck', text: 'By chance' },
  { key: 'sats', text: 'Sats', isMore: true },
  { key: 'skill', text: 'Better than chance?' },
]

const BLANK = '\u00a0'

export function BoardTable({
  board: { ranked, yardsticks, counts, has_recorded_before: isAhead },
  hasMore,
  sort,
  onSort,
}: {
  readonly board: Pick<Board, 'ranked' | 'yardsticks' | 'counts' | 'has_recorded_before'>
  readonly hasMore: boolean
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}) {
  if (ranked.length === 0) {
    return (
      <Text tone="quiet">{`Nobody has ${String(LEAST_CALLS)} comparable calls of this kind.`}</Text>
    )
  }
  const all = hasMore ? [...ranked, ...yardsticks] : ranked
  const limits = all.flatMap(({ skill }) => (skill ? [-skill.low, skill.high] : []))
  const options = { isAhead, hasMore, reach: Math.max(...limits, 0.5) }
  const isCut = ranked.length < counts.ranked
  const columns = COLUMNS.filter(({ isMore }) => hasMore || !isMore)
  const width = columns.length + (isAhead ? 2 : 1)
  return (
    <table className={`${css.board} plain-links`} data-more={hasMore}>
      <caption className={isCut ? 'muted small at-start' : 'aside-voice'}>
        {`People with five or more comparable calls, compared with luck${isCut ? `: the first ${String(ranked.length)} of ${showCount(counts.ranked)}` : ''}`}
      </caption>
      <thead>
        <tr>
          {columns.map(({ key, text }) => {
            const isSorted = sort === key && key !== 'band'
            return (
              <Fragment key={key}>
                {key === 'came-true' && isAhead && <th scope="col">Recorded before its outcome</th>}
                <th
                  scope="col"
                  className={css[key]}
                  colSpan={key === 'skill' ? 2 : undefined}
                  aria-sort={isSorted ? 'descending' : undefined}
                >
                  <SortButton dir={isSorted ? 'desc' : null} onClick={() => onSort(key)}>
                    {text}
                  </SortButton>
                  {key === 'boldness' && (
                    <Row as="span" gap={4} justify="between" whole className="regular">
                      <span>bold (luck 0%)</span>
                      <span>easy (100%)</span>
                    </Row>
                  )}
                </th>
              </Fragment>
            )
          })}
        </tr>
      </thead>
      {grouped(ranked, sort).map(({ name, rows }) => (
        <tbody key={name}>
          {name !== '' && (
            <tr className={`${css.group} muted small`}>
              <th colSpan={width - 2} scope="rowgroup">{`${name}: ${String(rows.length)}`}</th>
              <td className={css.line}>{BLANK}</td>
              <td>{BLANK}</td>
            </tr>
          )}
          {rows.map((row) => (
            <tr key={row.slug}>
              <th scope="row">
                <a href={expertPath(row)} dir="auto">
                  {row.name}
                </a>
              </th>
              <td className={css.strip}>
                <Strip row={row} />
              </td>
              <Figures row={row} {...options} />
            </tr>
          ))}
        </tbody>
      ))}
      {hasMore && yardsticks.length > 0 && (
        <tbody className="muted">
          {yardsticks.map((row) => (
            <tr key={row.slug}>
              <th scope="row" colSpan={2}>
                {row.name}
                <small>Benchmark: random calls on the same days</small>
              </th>
              <Figures row={row} {...options} />
            </tr>
          ))}
        </tbody>
      )}
      <tfoot aria-hidden="true">
        <tr>
          <td colSpan={width - 2}>{BLANK}</td>
          <td className="small at-center">luck</td>
          <td>{BLANK}</td>
        </tr>
      </tfoot>
    </table>
  )
}

/** Grouped by band in board order; one group if sorted otherwise or not tested. */
function grouped(ranked: readonly BoardRow[], sort: Sort) {
  const rows = sortedBy(ranked, sort)
  if (sort !== 'band') return [{ name: '', rows }]
  return BANDS.map((band) => ({
    name: sentenceCase(bandText(band)),
    rows: rows.filter((row) => row.band === band),
  })).filter((group) => group.rows.length > 0)
}

function Figures({
  row: { decided, time_is_up: up, recorded, replayed, sats, skill },
  isAhead,
  hasMore,
  reach,
}: {
  readonly row: PersonReport['figures']
  readonly isAhead: boolean
  readonly hasMore: boolean
  readonly reach: number
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
      <td data-name="Came true" className={css['came-true']}>
        <b>{ofText({ hits: decided.hits, n: decided.calls })}</b>
        {hasMore && up.low !== null && up.high !== null && (
          <small>{`${ofText(up)} decided: ${showShare(up.low)} to ${showShare(up.high)}`}</small>
        )}
      </td>
      <td data-name="By chance" className={`${css['luck']} muted`}>
        {decided.expected.toFixed(1)}
        {hasMore && replayed !== null && <small>{`as well in ${asWellText(replayed)}`}</small>}
      </td>
      {hasMore && (
        <td data-name="Sats" className={css['sats']}>
          {sats === null ? '–' : Math.round(sats)}
        </td>
      )}
      <td className={css.line}>{skill && <SkillBar skill={skill} reach={reach} />}</td>
      <td className={`${css.odds} nowrap`}>
        {skill && `×${showOdds(skill.mean)}`}
        {skill && hasMore && <small>{`${showOdds(skill.low)} to ${showOdds(skill.high)}`}</small>}
      </td>
    </>
  )
}
