import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { sentenceOf } from '#web/api/call.ts'
import { useSubmission } from './calls.ts'
import { type DetailLinks } from './detail-links.ts'
import { DetailView } from './detail-view.tsx'
import { titleOf } from './row-texts.ts'
import css from './detail-view.module.css'
import { useLookingAt } from './use-here.ts'
import { Callout } from '#web/ui/text.tsx'
import { type Mode } from './submission-list.tsx'

/** One submission over its list: all that is known of it, and the ways to change and decide it. */
export function DetailDialog({
  id,
  start,
  addressOf,
  links,
  onStep,
  onShowKeys,
  onClose,
}: {
  readonly id: string
  readonly start: Mode
  /** Where a submission is opened. */
  readonly addressOf: (id: string) => string
  readonly links: DetailLinks
  /** Goes to the next or previous submission of the list. */
  readonly onStep: (by: 1 | -1) => void
  readonly onShowKeys: () => void
  readonly onClose: () => void
}) {
  const { data, error, refetch } = useSubmission(id)
  const others = useLookingAt(id)
  return (
    <Dialog title={data ? titleOf(data.submission) : 'Submission'} size="wide" onClose={onClose}>
      {/* It is there before anything is said, as screen readers want it. */}
      <Callout tone="wait" className={css.others} role="status">
        {others.length > 0 &&
          `${others.join(' and ')} ${others.length === 1 ? 'is' : 'are'} looking at this, too.`}
      </Callout>
      {data && (
        <DetailView
          key={id}
          detail={data}
          start={start}
          addressOf={addressOf}
          links={links}
          onReload={async () => {
            await refetch()
          }}
          onStep={onStep}
          onShowKeys={onShowKeys}
          onClose={onClose}
        />
      )}
      {!data && error && (
        <Notice alert title="Failed to load this submission." text={sentenceOf(error)}>
          <Button onClick={() => void refetch()}>Retry</Button>
        </Notice>
      )}
      {!data && !error && <Notice title="Loading the submission..." />}
    </Dialog>
  )
}
