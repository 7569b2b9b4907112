import { type SubmissionRow } from '#contracts/review.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { DASHBOARDS } from './dashboards.ts'
import { RejectForm } from './reject-form.tsx'
import css from './reject-dialog.module.css'
import { titleOf } from './row-texts.ts'
import { type Decisions } from './use-decisions.ts'
import { Panel, Stack } from '#web/ui/stack.tsx'

/** Rejects one or several submissions of a list for one reason. */
export function RejectDialog({
  rows,
  decisions,
  onDone,
  onClose,
}: {
  readonly rows: readonly SubmissionRow[]
  readonly decisions: Decisions
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const [first] = rows
  const isOne = rows.length === 1
  if (!first) return null

  async function reject(row: SubmissionRow, reason: string): Promise<void> {
    await (isOne ? decisions.reject(row, reason) : decisions.rejectAll(rows, reason))
    onDone()
  }

  return (
    <Dialog
      title={isOne ? 'Reject this submission' : `Reject ${String(rows.length)} submissions`}
      onClose={onClose}
    >
      <Stack gap={4}>
        {isOne ? (
          <p>
            <bdi>{titleOf(first)}</bdi>
          </p>
        ) : (
          <Panel as="ul" gap={0} size="small" className={css.list}>
            {rows.map((row) => (
              <li key={row.id}>
                <bdi>{titleOf(row)}</bdi>
              </li>
            ))}
          </Panel>
        )}
        <RejectForm
          count={rows.length}
          onReject={(reason) => reject(first, reason)}
          failureText={DASHBOARDS[first.asset_type].rejectFailed}
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  )
}
