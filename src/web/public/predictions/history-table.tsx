import { type MouseEvent } from 'react'
import { expertName } from '#domain/claim/prediction.ts'
import { claimText, typeLabel } from '#domain/claim/text.ts'
import { showDay } from '#domain/day.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import {
  PAGE_ROWS,
  type HistoryRow,
  CLAIM_KINDS,
  HISTORY_COLUMNS,
  OPENING_HISTORY,
  sortBy,
  type HistoryColumn,
  type HistoryView,
} from '#domain/listing/history-view.ts'
import { type Listed, type HistoryPart } from '#domain/listing/part.ts'
import { showCount, showUsd } from '#domain/price-text.ts'
import { showChance } from '#domain/scoring/odds-text.ts'
import { errorText } from '#domain/scoring/year-card.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import { Button, More } from '#web/ui/button.tsx'
import { Segments } from '#web/ui/chip.tsx'
import { SearchField, Select } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { classNames, Row, Stack, Text, TableHead } from '#web/ui/primitives.tsx'
import { ARIA_SORT, SortButton } from '#web/ui/sort-button.tsx'
import { ClaimSign, VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { targetDate } from './prediction-card.tsx'
import dense from '#web/ui/dense-table.module.css'
import field from '#web/ui/field.module.css'
import css from './history-table.module.css'

const HEADS: Readonly<Record<HistoryColumn, string>> = {
  expert: 'Expert',
  prediction: 'Prediction',
  made: 'Made',
  price: 'Price then',
  target: 'Target Time',
  error: 'Off by',
  luck: 'Luck',
  status: 'Status',
}

const FOLDED: readonly HistoryColumn[] = ['price', 'luck']

const STATUSES: readonly (readonly [Outcome, string])[] = [
  ['hit', 'Successful'],
  ['miss', 'Miss'],
  ['pending', 'Pending'],
  ['void', 'Void'],
]

export type HistoryTableProps = {
  readonly part: HistoryPart<Listed>
  readonly isEmpty: boolean
  readonly empty: string
  readonly mode: JudgeMode
  readonly view: HistoryView
  readonly onView: (view: HistoryView) => void
  readonly onOpen: (id: string) => void
  readonly onWholePage: () => void
}

export function HistoryTable(props: HistoryTableProps) {
  const { isEmpty, view, onView } = props
  return (
    <Stack as="section" gap={4} aria-labelledby="history-title">
      <Row as="header" gap={4} justify="between">
        <Text as="h2" size="title" id="history-title">
          History
        </Text>
        {!isEmpty && (
          <Segments
            label="Rows of the history"
            options={[
              [false, 'By call'],
              [true, 'By year'],
            ]}
            value={view.byYear}
            onChoose={(byYear) => onView({ ...view, byYear, page: 0 })}
          />
        )}
      </Row>
      {!isEmpty && <Filters {...props} />}
      {view.byYear && !isEmpty ? <YearTable {...props} /> : <CallTable {...props} />}
    </Stack>
  )
}

function Filters({ part: { made, due }, view, onView }: HistoryTableProps) {
  const change = (part: Partial<HistoryView>) => onView({ ...view, ...part, page: 0 })
  const inYear = (name: string, years: readonly number[]) =>
    years.map((year) => [year, `${name} ${String(year)}`] as const)
  const filters = [
    ['status', 'Status', 'All statuses', STATUSES],
    ['kind', 'Kind', 'All kinds', CLAIM_KINDS.map((kind) => [kind, typeLabel(kind)] as const)],
    ['made', 'Made in', 'Made in any year', inYear('Made in', made)],
    ['due', 'Due in', 'Due in any year', inYear('Due in', due)],
  ] as const
  return (
    <Row gap={3}>
      <div className={css.find}>
        <SearchField
          label="Find an expert"
          value={view.search}
          onChange={(search) => change({ search })}
        />
      </div>
      {filters.map(([name, label, all, options]) => (
        <Select<string | number | null>
          key={name}
          className={classNames(field.control, 'fit')}
          aria-label={label}
          value={view[name]}
          options={[[null, all], ...options]}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
    </Row>
  )
}

function CallTable({
  part: { page, total, rows, hasLuck },
  isEmpty,
  mode,
  empty,
  view,
  onView,
  onOpen,
  onWholePage,
}: HistoryTableProps) {
  const pages = Math.max(1, Math.ceil(total / PAGE_ROWS))
  const rest = Math.min(total - page * PAGE_ROWS, PAGE_ROWS) - rows.length
  const columns = HISTORY_COLUMNS.filter((column) => hasLuck || column !== 'luck')
  return (
    <>
      <div className="card scrolls">
        <table className={classNames(dense.table, css.table)}>
          <thead>
            <tr>
              {columns.map((column) => {
                const dir = view.descending ? 'desc' : 'asc'
                const isSorted = view.sort === column
                return (
                  <th
                    key={column}
                    scope="col"
                    className={FOLDED.includes(column) ? css.wide : undefined}
                    aria-sort={isSorted ? ARIA_SORT[dir] : undefined}
                  >
                    <SortButton
                      dir={isSorted ? dir : null}
                      onClick={() => onView(sortBy(view, column))}
                    >
                      {HEADS[column]}
                    </SortButton>
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <CallRow key={row.prediction.id} {...{ row, mode, hasLuck, onOpen }} />
            ))}
            {isEmpty && (
              <tr>
                <td colSpan={columns.length}>{empty}</td>
              </tr>
            )}
          </tbody>
        </table>
        {rows.length === 0 && !isEmpty && (
          <Notice title="No prediction matches">
            <Button onClick={() => onView(OPENING_HISTORY)}>Show all</Button>
          </Notice>
        )}
      </div>
      {rest > 0 && <More rest={rest} onMore={onWholePage} />}
      {pages > 1 && (
        <Row as="nav" gap={4} justify="center" whole aria-label="Pages of the history">
          <Button disabled={page === 0} onClick={() => onView({ ...view, page: page - 1 })}>
            Previous
          </Button>
          <span className="nowrap" role="status">
            {showCount(page * PAGE_ROWS + 1)} to{' '}
            {showCount(Math.min(total, (page + 1) * PAGE_ROWS))} of {showCount(total)}
          </span>
          <Button disabled={page === pages - 1} onClick={() => onView({ ...view, page: page + 1 })}>
            Next
          </Button>
        </Row>
      )}
    </>
  )
}

function CallRow({
  row: { prediction, priceThen, error, isSoFar, luck },
  mode,
  hasLuck,
  onOpen,
}: {
  readonly row: HistoryRow<Listed>
  readonly mode: JudgeMode
  readonly hasLuck: boolean
  readonly onOpen: (id: string) => void
}) {
  const price = priceThen === null ? '–' : showUsd(priceThen)
  const chance = luck === null ? '–' : showChance(luck)
  return (
    <tr>
      <th scope="row">
        <a
          className={`${css.expert} block semibold plain`}
          href={expertPath(prediction.expert)}
          dir="auto"
        >
          {expertName(prediction)}
        </a>
      </th>
      <td>
        <Row
          as="a"
          whole
          className="plain"
          href={predictionPath(prediction)}
          onClick={(event) => {
            if (isPlainClick(event)) {
              event.preventDefault()
              onOpen(prediction.id)
            }
          }}
        >
          <ClaimSign type={prediction.statedClaim.type} />
          {claimText(prediction.statedClaim)}
        </Row>
      </td>
      <td className="nowrap">
        {showDay(prediction.made, prediction.madePrecision)}
        {priceThen !== null && <small className={css.folded}>at {price}</small>}
      </td>
      <td className={classNames('nowrap', css.wide)}>{price}</td>
      <td className="nowrap">{targetDate(prediction)}</td>
      <td className="nowrap">
        {offBy(error, isSoFar)}
        {luck !== null && <small className={css.folded}>luck {chance}</small>}
      </td>
      {hasLuck && <td className={classNames('nowrap', css.wide)}>{chance}</td>}
      <td>
        <VerdictBadge outcome={prediction.verdicts[mode].outcome} />
      </td>
    </tr>
  )
}

/** `72% too high`, with `so far` before its deadline. */
function offBy(error: number | null, isSoFar: boolean): string {
  if (error === null) return '–'
  const text = error === 0 ? 'nothing' : errorText(error)
  return isSoFar ? `${text} so far` : text
}

function YearTable({ part: { years }, view, onView }: HistoryTableProps) {
  return (
    <div className="card scrolls">
      <table className={classNames(dense.table, css.table)}>
        <TableHead names={['Made in', 'Predictions', 'Decided', 'Hits', 'Median error']} />
        <tbody>
          {years.map(({ year, calls, decided, hits, error }) => (
            <tr key={year}>
              <th scope="row">
                <Button
                  look="quiet"
                  className={css.year}
                  aria-label={`Predictions made in ${String(year)}`}
                  onClick={() => onView({ ...view, byYear: false, made: year, page: 0 })}
                >
                  {year}
                </Button>
              </th>
              <td className="nowrap">{showCount(calls)}</td>
              <td className="nowrap">{showCount(decided)}</td>
              <td className="nowrap">{showCount(hits)}</td>
              <td className="nowrap">{error === 0 ? '0%' : offBy(error, false)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {years.length === 0 && (
        <Notice title="No prediction matches">
          <Button onClick={() => onView({ ...OPENING_HISTORY, byYear: true })}>Show all</Button>
        </Notice>
      )}
    </div>
  )
}

/** Without modifier keys or other buttons that open a new tab or window. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}
