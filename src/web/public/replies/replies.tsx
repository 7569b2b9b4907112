import { useState } from 'react'
import { type PublicReply } from '#contracts/replies.ts'
import { REPLY_WAY_WORDS, type ReplySubject } from '#domain/reply.ts'
import { useDialogPlace } from '#web/address/dialog-place.ts'
import { Button } from '#web/ui/button.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Row, Stack, Text, Note } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
import { later } from '#web/ui/still.tsx'

const ReplyDialog = later(async () => (await import('./reply-dialog.tsx')).ReplyDialog)

export function Replies({
  subject,
  name,
  replies,
}: {
  readonly subject: ReplySubject
  readonly name: string
  readonly replies: readonly PublicReply[]
}) {
  const [isOpen, setOpen] = useState(false)
  const [closed, setClosed] = useState<string | null>(null)
  const token = useOwnToken()
  const own = token === closed ? null : token
  return (
    <Stack as="section" gap={4} className="measure" aria-label="Replies" id="replies">
      {replies.length > 0 && (
        <Text as="h2" size="title">
          {replies.length === 1 ? 'Reply' : 'Replies'}
        </Text>
      )}
      {replies.map((reply) => (
        <Reply key={reply.id} reply={reply} />
      ))}
      <Row gap={3}>
        <Button onClick={() => setOpen(true)}>Is this you?</Button>
        <Note as="span">
          <bdi>{name}</bdi> can reply, and the reply is shown here.
        </Note>
      </Row>
      {(isOpen || own !== null) && (
        <ReplyDialog
          subject={subject}
          replies={replies}
          own={own}
          onClose={() => {
            setOpen(false)
            setClosed(token)
          }}
        />
      )}
    </Stack>
  )
}

function Reply({ reply }: { readonly reply: PublicReply }) {
  const { name, text, link, way, published_at, ended_at, event, post } = reply
  if (reply.state !== 'published') {
    return (
      <Text tone="quiet">
        {reply.state === 'withdrawn'
          ? `A reply by ${name} was withdrawn by its author on ${showDate(ended_at)}.`
          : `A reply by ${name} was taken down by this site on ${showDate(ended_at)}. ${reply.reason ?? ''}`}
      </Text>
    )
  }
  return (
    <Stack as="article" gap={2} className="quoted" aria-label={`Reply by ${name}`}>
      <Text as="p" strong>
        <bdi>{name}</bdi>
        <Note as="span" className="regular">
          {' '}
          <time dateTime={published_at}>{showDate(published_at)}</time>, {REPLY_WAY_WORDS[way]}
        </Note>
      </Text>
      <p className="as-written" dir="auto">
        {text}
      </p>
      {link !== null && (
        <p>
          <a href={link} rel="nofollow noopener ugc">
            {link}
          </a>
        </p>
      )}
      {post !== null && (
        <Text size="small">
          <a href={post} rel="nofollow noopener ugc">
            The post that confirms it
          </a>
        </Text>
      )}
      {event && (
        <Fold title="The signed event">
          <pre className="small as-written" aria-label="The signed event">
            {JSON.stringify(event, null, 1)}
          </pre>
        </Fold>
      )}
    </Stack>
  )
}

/** The secret of an author's link, from the fragment, which is not sent to servers. */
function useOwnToken(): string | null {
  return /^reply=([\w-]{32})$/.exec(useDialogPlace())?.[1] ?? null
}
