import {
  ownReply,
  withdrawReply,
  type PublicReply,
  type OwnReply as Own,
} from '#contracts/replies.ts'
import { type ReplySubject } from '#domain/reply.ts'
import { call } from '#web/api/call.ts'
import { ChangeButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Loaded, useLoaded } from '#web/ui/loaded.tsx'
import { Stack, Failure, Note } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
import { useChange } from '#web/ui/use-change.ts'
import { ReplyForm } from './reply-form.tsx'

/** The right of reply: explanation and form; or, with an author's link, the state of the reply. */
export function ReplyDialog({
  subject,
  replies,
  own,
  onClose,
}: {
  readonly subject: ReplySubject
  readonly replies: readonly PublicReply[]
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

function OwnReply({ token }: { readonly token: string }) {
  const params = { token }
  const query = useLoaded(ownReply, { params })
  const change = useChange()
  return (
    <Loaded query={query} loading="Loading your reply…" failed="Your reply could not be loaded.">
      {(data) => (
        <Stack gap={4}>
          <p role="status">{stateText(data)}</p>
          {data.text !== '' && (
            <p className="as-written" dir="auto">
              {data.text}
            </p>
          )}
          {data.link !== null && <p>{data.link}</p>}
          {data.state !== 'withdrawn' && (
            <Stack gap={2} align="start">
              <Note>
                Withdrawing deletes the text. Where the reply was shown, the page says that it was
                withdrawn, and when.
              </Note>
              <ChangeButton
                tone="bad"
                change={change}
                send={async () => {
                  await call(withdrawReply, { params, body: {} })
                  await query.refetch()
                }}
              >
                Withdraw this reply
              </ChangeButton>
              <Failure message={change.message} />
            </Stack>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

function stateText({ state, received_at, published_at, ended_at, answer_by, reason }: Own): string {
  switch (state) {
    case 'waiting':
      return `Your reply came on ${showDate(received_at)}. It is answered by ${showDate(answer_by)}.`
    case 'published':
      return `Your reply has been shown since ${showDate(published_at)}.`
    case 'declined':
      return `Your reply was declined on ${showDate(ended_at)}. ${reason ?? ''}`
    case 'withdrawn':
      return `You withdrew your reply on ${showDate(ended_at)}. Its text is deleted.`
  }
}
