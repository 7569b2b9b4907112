import { Link } from 'wouter'
import { type SubmissionRow } from '#contracts/review.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Segment, Segments } from '#web/ui/segments.tsx'
import { Row } from '#web/ui/stack.tsx'
import { type DetailLinks } from './detail-links.ts'
import { safeLink } from './row-texts.ts'
import { type Mode } from './submission-list.tsx'

/** The modes of a submission, and the ways from it to elsewhere. */
export function DetailBar({
  row,
  mode,
  canDecide,
  links,
  onMode,
  onUndo,
}: {
  readonly row: SubmissionRow
  readonly mode: Mode
  readonly canDecide: boolean
  readonly links: DetailLinks
  readonly onMode: (mode: Mode) => void
  /** Null where there is nothing to undo any more. */
  readonly onUndo: (() => void) | null
}) {
  const modes: readonly (readonly [mode: Mode, name: string])[] = [
    ['view', 'View'],
    ...(canDecide
      ? ([
          ['approve', 'Approve'],
          ['reject', 'Reject'],
        ] as const)
      : []),
    ['edit', 'Edit'],
  ]
  return (
    <Row gap={3} justify="between">
      <Segments label="Mode">
        {modes.map(([one, name]) => (
          <Segment
            key={one}
            pressed={mode === one}
            onPress={() => onMode(one === 'edit' && mode === 'edit' ? 'view' : one)}
          >
            {name}{' '}
            <kbd className="by-keyboard" aria-hidden="true">
              {one.slice(0, 1)}
            </kbd>
          </Segment>
        ))}
      </Segments>
      <Row>
        <Links row={row} links={links} />
        {onUndo && <Button onClick={onUndo}>Undo the decision</Button>}
      </Row>
    </Row>
  )
}

function Links({ row, links }: { readonly row: SubmissionRow; readonly links: DetailLinks }) {
  const source = safeLink(row.source_url)
  return (
    <>
      {source && (
        <a
          className={buttonClass('plain')}
          href={source.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          Open source<span className="aside-voice"> in a new tab</span>
        </a>
      )}
      {row.prediction_id !== null && (
        <a
          className={buttonClass('plain')}
          href={predictionPath({ id: row.prediction_id })}
          target="_blank"
          rel="noreferrer"
        >
          Its prediction<span className="aside-voice"> in a new tab</span>
        </a>
      )}
      {row.prediction_id !== null && links.correction && (
        <Link className={buttonClass('plain')} to={links.correction(row.prediction_id)}>
          Correct it
        </Link>
      )}
      {row.status !== 'rejected' && links.post && (
        <Link className={buttonClass('plain')} to={links.post(row)}>
          Post about it
        </Link>
      )}
    </>
  )
}
