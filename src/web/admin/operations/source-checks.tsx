import { type z } from 'zod'
import { type listSourceChecks } from '#contracts/operations.ts'
import { showCount } from '#domain/price-text.ts'
import { AdminTable, type Column, column } from '#web/admin/kit/admin-table.tsx'
import { NewTab } from '#web/admin/kit/screen.tsx'
import { momentOr } from '#web/ui/show.ts'
import { Text } from '#web/ui/primitives.tsx'
import { Away } from '#web/ui/source-link.tsx'

type Checks = z.infer<typeof listSourceChecks.reply>
type Dead = Checks['dead']['newest'][number]

const CHECK_MODES: Readonly<Record<Checks['mode'], string>> = {
  weekly: 'Each source link is checked once a week (SOURCE_CHECKS=weekly).',
  off: 'Source links are not checked (SOURCE_CHECKS=off).',
}

const DEAD: readonly Column<Dead>[] = [
  column.title('Address', ({ url }) => <Away to={url}>{url}</Away>),
  column.moment('No answer since', ({ dead_since: at }) => at),
  column.moment('Checked', ({ asked_at: at }) => at),
  column.text('Answer', ({ note }) => note),
  column.text('Archived copy', ({ archived_url: url }) =>
    url === null ? 'None' : <Away to={url}>Archived copy</Away>,
  ),
  column.text('Predictions', ({ predictions }) =>
    predictions.map((id, i) => (
      <span key={id}>
        {i > 0 && ', '}
        <NewTab to={`/predictions/${encodeURIComponent(id)}`}>{id}</NewTab>
      </span>
    )),
  ),
]

export function SourceChecks({ checks }: { readonly checks: Checks }) {
  const { total, newest } = checks.dead
  return (
    <>
      <Text size="small">
        {CHECK_MODES[checks.mode]} {countsText(checks)}
      </Text>
      <AdminTable
        label="Addresses that no longer answer"
        rows={newest}
        idOf={({ url }) => url}
        columns={DEAD}
      />
      {newest.length < total && (
        <Text size="small">The newest {showCount(newest.length)} are listed.</Text>
      )}
    </>
  )
}

/** `301 of 304 links checked, 12 due. 3 no longer answer, 2 failed but may come back, 40 could not be checked. …` */
function countsText(checks: Checks): string {
  const { addresses, asked: checked, waiting, failing, closed, dead, last_asked, next_ask } = checks
  const n = showCount
  const parts = [
    `${n(checked)} of ${n(addresses)} links checked${checks.mode === 'off' ? '' : `, ${n(waiting)} due`}.`,
    `${n(dead.total)} no longer answer, ${n(failing)} failed but may come back, ${n(closed)} could not be checked.`,
    `Last checked: ${momentOr('never', last_asked)}.`,
  ]
  if (checks.mode !== 'off') parts.push(`Next: ${momentOr('now', waiting > 0 ? null : next_ask)}.`)
  return parts.join(' ')
}
