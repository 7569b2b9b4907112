import { type ReviewFlag, type SubmissionRow } from '#contracts/review.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Row } from '#web/ui/stack.tsx'
import { type SubmissionPage } from './calls.ts'
import { SHOWN_FLAGS, type ListView, type ShownFlags } from './list-view.ts'

type FlagsById = Readonly<Record<string, readonly ReviewFlag[]>>

/** The rows of a page that are shown, and how many of them need a closer look. */
export function flaggedOf(data: SubmissionPage | undefined, { tab, show }: ListView) {
  const flags: FlagsById = data?.flags ?? NO_FLAGS
  const listed = data?.rows ?? NO_ROWS
  const isFlagged = (row: SubmissionRow): boolean => (flags[row.id]?.length ?? 0) > 0
  const clean = listed.filter((row) => !isFlagged(row))
  const flagged = listed.filter(isFlagged)
  const by = { all: listed, flagged, clean }
  const shown: ShownFlags = tab === 'pending' ? show : 'all'
  return { flags, by, shown, listed, rows: by[shown] }
}

/** Chooses between the rows of a page with flags and those without. */
export function FlagFilter({
  by,
  shown,
  onShow,
  onApprove,
}: Pick<ReturnType<typeof flaggedOf>, 'by' | 'shown'> & {
  readonly onShow: (show: ShownFlags) => void
  /** Shows all without flags, to be approved together. */
  readonly onApprove: () => void
}) {
  return (
    <>
      <Row role="group" aria-label="By flags, of this page">
        {SHOWN_FLAGS.map((one) => (
          <Chip
            key={one}
            pressed={shown === one}
            count={by[one].length}
            onPress={() => onShow(one)}
          >
            {NAMES[one]}
          </Chip>
        ))}
        {by.clean.length > 0 && (
          <Button tone="good" onClick={onApprove}>
            {by.clean.length === 1
              ? 'Approve the one without flags'
              : `Approve the ${String(by.clean.length)} without flags`}{' '}
            <kbd className="by-keyboard" aria-hidden="true">
              A
            </kbd>
          </Button>
        )}
      </Row>
      {by[shown].length === 0 && (
        <Notice
          title={
            shown === 'clean' ? 'All on this page have flags.' : 'None on this page has flags.'
          }
        >
          <Button onClick={() => onShow('all')}>Show all again</Button>
        </Notice>
      )}
    </>
  )
}

const NAMES = { all: 'This page', flagged: 'Flagged', clean: 'Without flags' } as const
const NO_FLAGS: FlagsById = {}
const NO_ROWS: readonly SubmissionRow[] = []
