import { useState } from 'react'
import {
  ownReply,
  prepareReply,
  prepareWithdrawal,
  replyWays,
  sendReply,
  withdrawReply,
  withdrawSigned,
  type OwnReply as Own,
  type PreparedReply,
  type ReplyProof,
  type ReplyWays,
  type PublicReply,
} from '#contracts/replies.ts'
import { plural } from '#domain/day.ts'
import { showCount } from '#domain/price-text.ts'
import {
  LONGEST_REPLY,
  REPLY_WAYS,
  replyLength,
  replySubjectPath,
  tidyReply,
  type ReplySubject,
  type ReplyWay,
} from '#domain/reply.ts'
import { call } from '#web/api/call.ts'
import { useSite } from '#web/head/site.ts'
import { ChangeButton } from '#web/ui/button.tsx'
import { Segments } from '#web/ui/chip.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Loaded, useLoaded } from '#web/ui/loaded.tsx'
import { Panel, Row, Stack, Text, Failure, Note } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
import { useChange, useFields, type Change } from '#web/ui/use-change.ts'
import { SignEvent } from './sign-event.tsx'

const NAMES: Readonly<Record<ReplyWay, string>> = {
  nostr: 'Nostr key',
  post: 'Post with a code',
  email: 'Email',
}

type About = { readonly subject: ReplySubject; readonly replies: readonly PublicReply[] }

/** The right of reply: explanation and form; or, with an author's link, the state of the reply. */
export function ReplyDialog({
  subject,
  replies,
  own,
  onClose,
}: About & {
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

function ReplyForm({ subject, replies }: About) {
  const query = useLoaded(replyWays, { body: { subject } })
  return (
    <Loaded query={query} loading="Loading…" failed="This could not be loaded.">
      {(ways) => <Reply {...{ subject, replies, ways }} />}
    </Loaded>
  )
}

function Reply({ subject, replies, ways }: About & { readonly ways: ReplyWays }) {
  const { values, field } = useFields({ text: '', link: '' })
  const { text, link } = values
  const [chosen, setWay] = useState<ReplyWay | null>(null)
  const [sent, setSent] = useState<{ message: string; token: string } | null>(null)
  const change = useChange()
  const { origin } = useSite()
  if (sent) {
    const own = `${origin}${replySubjectPath(subject)}#reply=${sent.token}`
    return (
      <Stack gap={4}>
        <p role="status">{sent.message}</p>
        <p>
          Keep this link. It shows our answer, and with it you can withdraw your reply at any time.
          We cannot give it to you again.
        </p>
        <p>
          <a href={own}>{own}</a>
        </p>
        <Row>
          <CopyButton text={own} label="Copy link" done="Link copied" />
        </Row>
      </Stack>
    )
  }
  const way = chosen ?? firstWay(ways)
  const reply = { subject, text, link }
  const prepare = () => call(prepareReply, { body: reply })
  const sendWith = async (proof: ReplyProof): Promise<void> => {
    setSent(await call(sendReply, { body: { ...reply, proof }, patienceMs: 30_000 }))
  }
  const hasField = ['text', 'link', 'event', 'url'].some((name) => name in change.faults)
  return (
    <Stack gap={4}>
      <Stack gap={2}>
        <p>
          If you are <bdi>{ways.name}</bdi>, you can reply to what is on record here. Like
          everyone’s, your reply appears beside the record, dated and word for word. We never edit
          it. You can withdraw it at any time.
        </p>
        <p>
          We read every reply before it appears, only to make sure it is lawful.{' '}
          <strong>We will answer within {plural(ways.within_days, 'day')}.</strong>
          {ways.waiting > 0 && ` Waiting here now: ${showCount(ways.waiting)}.`}
        </p>
      </Stack>
      <TextField
        label="Your reply"
        {...field('text', change.faults)}
        rows={6}
        hint={`${showCount(replyLength(text))} of ${showCount(LONGEST_REPLY)} characters, plain text`}
      />
      <TextField label="A link" {...field('link', change.faults)} type="url" optional />
      <Stack gap={2}>
        <Text strong>How do you prove that you are {ways.name}?</Text>
        <Row>
          <Segments
            label="How you prove it"
            options={REPLY_WAYS.map((one) => [one, NAMES[one]])}
            value={way}
            onChoose={setWay}
          />
        </Row>
      </Stack>
      {way === 'nostr' && (
        <ByKey
          ways={ways}
          change={change}
          prepare={async () => (await prepare()).unsigned}
          send={(event) => sendWith({ way: 'nostr', event })}
        />
      )}
      {way === 'post' && (
        <ByPost
          ways={ways}
          change={change}
          of={JSON.stringify([text, link])}
          prepare={prepare}
          send={(url, ticket) => sendWith({ way: 'post', url, ticket })}
        />
      )}
      {way === 'email' && <ByMail ways={ways} subject={subject} text={text} link={link} />}
      {!hasField && <Failure message={change.message} />}
      <Failure message={change.faults['event']} />
      <Withdrawals replies={replies} />
    </Stack>
  )
}

function firstWay({ npubs, handles }: ReplyWays): ReplyWay {
  if (npubs.length > 0) return 'nostr'
  return handles.length > 0 ? 'post' : 'email'
}

function ByKey({
  ways,
  ...signing
}: { readonly ways: ReplyWays } & Omit<Parameters<typeof SignEvent>[0], 'label'>) {
  if (ways.npubs.length === 0) {
    return (
      <Text>
        No Nostr key of <bdi>{ways.name}</bdi> is on record. Please choose another way.
      </Text>
    )
  }
  return (
    <Panel size="small">
      <p>
        Sign the reply with the key on record. The signature covers the text, the link and this
        page, and is shown for everyone to check.
      </p>
      <ul>
        {ways.npubs.map((npub) => (
          <li key={npub}>
            <code>{npub}</code>
          </li>
        ))}
      </ul>
      <SignEvent label="Sign and send" {...signing} />
    </Panel>
  )
}

function ByPost({
  ways,
  change,
  of,
  prepare,
  send,
}: {
  readonly ways: ReplyWays
  readonly change: Change
  /** Content of the reply; a code is valid for one content only. */
  readonly of: string
  readonly prepare: () => Promise<PreparedReply>
  readonly send: (url: string, ticket: string) => Promise<void>
}) {
  const [made, setMade] = useState<{ of: string; sentence: string; ticket: string } | null>(null)
  const [url, setUrl] = useState('')
  const current = made?.of === of ? made : null
  const account =
    ways.handles.length > 0
      ? `with ${ways.handles.join(' or ')}`
      : 'with an account that is known to be yours'
  return (
    <Panel size="small">
      <p>
        Post a sentence with a code {account}, and give us the link of that post. You can delete it
        once your reply is shown.
      </p>
      {made && !current && (
        <Text tone="wait" role="status">
          The reply was changed: it needs a new code.
        </Text>
      )}
      {!current && (
        <Row>
          <ChangeButton
            look="primary"
            change={change}
            send={async () => setMade({ ...(await prepare()), of })}
          >
            Get the code
          </ChangeButton>
        </Row>
      )}
      {current && (
        <>
          <Row gap={3}>
            <code>{current.sentence}</code>
            <CopyButton text={current.sentence} label="Copy sentence" done="Sentence copied" />
          </Row>
          <TextField
            label="The link to your post"
            name="url"
            type="url"
            value={url}
            fault={change.faults['url']}
            onChange={setUrl}
          />
          <Row>
            <ChangeButton look="primary" change={change} send={() => send(url, current.ticket)}>
              Send the reply
            </ChangeButton>
          </Row>
        </>
      )}
    </Panel>
  )
}

function ByMail({
  ways,
  subject,
  text,
  link,
}: {
  readonly ways: ReplyWays
  readonly subject: ReplySubject
  readonly text: string
  readonly link: string
}) {
  const { origin } = useSite()
  if (ways.email === null) {
    return (
      <Text>
        The operator of this site has given no email address, so this way is not set up. Please
        choose another one.
      </Text>
    )
  }
  const url = origin + replySubjectPath(subject)
  const body = [tidyReply(text), link.trim(), `For ${url}`].filter((one) => one !== '').join('\n\n')
  const query = `subject=${encodeURIComponent(`Reply of ${ways.name}`)}&body=${encodeURIComponent(body)}`
  return (
    <Panel size="small">
      <p>
        Write to us from an address that is publicly known to be yours. An administrator makes sure
        of it, enters your reply word for word, and sends you the link to withdraw it.
      </p>
      <p>
        <a href={`mailto:${ways.email}?${query}`}>Write to {ways.email}</a>
      </p>
    </Panel>
  )
}

function Withdrawals({ replies }: { readonly replies: readonly PublicReply[] }) {
  const signed = replies.filter(({ state, way }) => state === 'published' && way === 'nostr')
  if (signed.length === 0) return null
  return (
    <Stack as="section" gap={3} ruled aria-label="Withdraw a signed reply">
      <Text as="h3" size="base">
        Withdraw a signed reply
      </Text>
      {signed.map((reply) => (
        <Withdrawal key={reply.id} reply={reply} />
      ))}
    </Stack>
  )
}

function Withdrawal({ reply: { id, published_at } }: { readonly reply: PublicReply }) {
  const change = useChange()
  const [isDone, setDone] = useState<string | null>(null)
  const params = { id }
  if (isDone !== null) return <p role="status">{isDone}</p>
  return (
    <Stack gap={2}>
      <Text size="small">Of {showDate(published_at)}, with the key that signed it:</Text>
      <SignEvent
        label="Withdraw"
        change={change}
        prepare={async () => (await call(prepareWithdrawal, { params })).unsigned}
        send={async (event) => {
          setDone((await call(withdrawSigned, { params, body: { event } })).message)
        }}
      />
      <Failure message={change.message} />
    </Stack>
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
