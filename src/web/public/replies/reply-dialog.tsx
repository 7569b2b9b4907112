import { type ReplySubject } from '#domain/reply.ts'
import { type ShownReply } from '#contracts/shown-reply.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { OwnReply } from './own-reply.tsx'
import { ReplyForm } from './reply-form.tsx'

/** The right of reply: how it works, and the form for it; or what became of a reply, for who has its link. */
export function ReplyDialog({
  subject,
  replies,
  own,
  onClose,
}: {
  readonly subject: ReplySubject
  readonly replies: readonly ShownReply[]
  /** The secret of the author's link; null for everyone else. */
  readonly own: string | null
  readonly onClose: () => void
}) {
  return (
    <Dialog title={own === null ? 'Is this you?' : 'Your reply'} size="form" onClose={onClose}>
      {own === null ? <ReplyForm subject={subject} replies={replies} /> : <OwnReply token={own} />}
    </Dialog>
  )
}
