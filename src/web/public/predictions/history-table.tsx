import { type Prediction } from '#domain/claim/prediction.ts'
import { showCount } from '#domain/price-text.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { type MouseEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import dense from '#web/ui/dense-table.module.css'
import field from '#web/ui/field.module.css'
import { Notice } from '#web/ui/notice.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { SortButton } from '#web/ui/sort-button.tsx'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { ClaimSign } from '#web/ui/claim-sign.tsx'
import { targetDate } from './date-texts.ts'
import css from './history-table.module.css'
import {
  HISTORY_COLUMNS,
  historyRows,
  PAGE_ROWS,
  sortBy,
  type HistoryColumn,
  type HistoryView,
} from './history-view.ts'
import { expertName } from '#domain/claim/prediction-text.ts'
import { claimText } from '#domain/claim/text.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const HEADS: Readonly<Record<HistoryColumn, string>> = {
  expert: 'Expert',
  prediction: 'Prediction',
  target: 'Target Time',
  status: 'Status',
}

const STATUSES: readonly { readonly value: Outcome; readonly label: string }[] = [
  { value: 'hit', label: 'Successful' },
  { value: 'miss', label: 'Miss' },
  { value: 'pending', label: 'Pending' },
  { value: 'void', label: 'Void' },
]

/** Every prediction of the asset as a table; a row opens its evidence. */
export function HistoryTable({
  predictions,
  empty,
  mode,
  view,
  onView,
  onOpen,
}: {
  readonly predictions: readonly Prediction[]
  /** The text in the one row of a table without predictions. */
  readonly empty: string
  readonly mode: JudgeMode
  readonly view: HistoryView
  readonly onView: (view: HistoryView) => void
  readonly onOpen: (id: string) => void
}) {
  const rows = historyRows(view, predictions, mode)
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS))
  const page = Math.min(view.page, pages - 1)
  return (
    <Stack as="section" gap={4} aria-labelledby="history-title">
      <Row as="header" gap={6} justify="between">
        <Text as="h2" size="title" id="history-title">
          History
        </Text>
        {predictions.length > 0 && (
          <Row gap={3}>
            <SearchField
              label="Find an expert"
              value={view.search}
              onChange={(search) => onView({ ...view, search, page: 0 })}
            />
            <select
              className={classNames(field.control, css.select)}
              aria-label="Status"
              value={view.status ?? ''}
              onChange={(event) => {
                const chosen = STATUSES.find(({ value }) => value === event.target.value)
                onView({ ...view, status: chosen?.value ?? null, page: 0 })
              }}
            >
              <option value="">Every status</option>
              {STATUSES.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </Row>
        )}
      </Row>
      <div className={dense.frame}>
        <table className={classNames(dense.table, css.table)}>
          <thead>
            <tr>
              {HISTORY_COLUMNS.map((column) => (
                <th key={column} scope="col" {...sortedAs(view, column)}>
                  <SortButton
                    dir={view.sort === column ? (view.descending ? 'desc' : 'asc') : null}
                    onClick={() => onView(sortBy(view, column))}
                  >
                    {HEADS[column]}
                  </SortButton>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map((prediction) => (
              <HistoryRow key={prediction.id} prediction={prediction} mode={mode} onOpen={onOpen} />
            ))}
            {predictions.length === 0 && (
              <tr>
                <td colSpan={HISTORY_COLUMNS.length}>{empty}</td>
              </tr>
            )}
          </tbody>
        </table>
        {rows.length === 0 && predictions.length > 0 && <Notice title="No prediction matches" />}
      </div>
      {pages > 1 && (
        <Row as="nav" gap={4} justify="center" whole aria-label="Pages of the history">
          <Button disabled={page === 0} onClick={() => onView({ ...view, page: page - 1 })}>
            Previous
          </Button>
          <span className={css.number} role="status">
            {showCount(page * PAGE_ROWS + 1)} to{' '}
            {showCount(Math.min(rows.length, (page + 1) * PAGE_ROWS))} of {showCount(rows.length)}
          </span>
          <Button disabled={page === pages - 1} onClick={() => onView({ ...view, page: page + 1 })}>
            Next
          </Button>
        </Row>
      )}
    </Stack>
  )
}

function sortedAs(
  view: HistoryView,
  column: HistoryColumn,
): { 'aria-sort'?: 'ascending' | 'descending' } {
  if (view.sort !== column) return {}
  return { 'aria-sort': view.descending ? 'descending' : 'ascending' }
}

function HistoryRow({
  prediction,
  mode,
  onOpen,
}: {
  readonly prediction: Prediction
  readonly mode: JudgeMode
  readonly onOpen: (id: string) => void
}) {
  return (
    <tr>
      <th scope="row">
        <a className={css.expert} href={expertPath(prediction.expert)} dir="auto">
          {expertName(prediction)}
        </a>
      </th>
      <td>
        <a
          className={css.claim}
          href={predictionPath(prediction)}
          onClick={(event) => {
            if (isPlainClick(event)) {
              event.preventDefault()
              onOpen(prediction.id)
            }
          }}
        >
          <ClaimSign type={prediction.said.type} />
          {claimText(prediction.said)}
        </a>
      </td>
      <td className={css.number}>{targetDate(prediction)}</td>
      <td>
        <VerdictBadge outcome={prediction.verdicts[mode].outcome} />
      </td>
    </tr>
  )
}

/** Without a key or another button that asks the browser for a new tab or window. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}
