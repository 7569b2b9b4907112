import { z } from 'zod'
import { onlyText } from '#domain/clean-text.ts'
import { REPLY_WAYS, HIDDEN_CHARACTERS, REPLY_STATES } from '#domain/reply.ts'
import { textIn, uuidIn, Done, PageNumber, paging } from './fields.ts'
import { get, post } from './route.ts'

const moment = z.iso.datetime()
const Tag = z.array(z.string().max(2_000)).max(10)
export const SignedReply = z
  .object({
    id: z.string().regex(/^[0-9a-f]{64}$/),
    pubkey: z.string().regex(/^[0-9a-f]{64}$/),
    created_at: z.int().min(0),
    kind: z.int().min(0),
    tags: z.array(Tag).max(20),
    content: z.string().max(20_000),
    sig: z.string().regex(/^[0-9a-f]{128}$/),
  })
  .meta({ id: 'SignedReply' })

/** A published reply, or its trace once withdrawn or taken down. */
export const PublicReply = z
  .object({
    id: z.uuid(),
    /** `taken-down`: by the operator, after it had been published; the reason says why. */
    state: z.enum(['published', 'withdrawn', 'taken-down']),
    name: z.string(),
    /** As its author wrote it; null once it is no longer shown. */
    text: z.string().nullable(),
    link: z.string().nullable(),
    way: z.enum(REPLY_WAYS),
    received_at: moment,
    published_at: moment,
    ended_at: moment.nullable(),
    reason: z.string().nullable(),
    event: SignedReply.nullable(),
    post: z.string().nullable(),
  })
  .meta({ id: 'ShownReply' })
export type PublicReply = z.infer<typeof PublicReply>

const NO_SUBJECT = 'There is no such prediction or person.'
const NO_REPLY = 'There is no such reply.'
const NO_OWN = 'This link belongs to no reply. It may have been cut short.'

const Subject = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('prediction'), id: textIn(NO_SUBJECT) }),
    z.strictObject({ kind: z.literal('person'), slug: textIn(NO_SUBJECT) }),
  ])
  .meta({ id: 'ReplySubject' })

// The domain checks the text with sentences of its own; this refuses input that no form sends, and characters that would be removed.
const Text = z
  .string()
  .max(20_000)
  .refine((text) => onlyText(text) === text, HIDDEN_CHARACTERS)
const Link = z.string().max(2_000).default('')

const UnsignedEvent = SignedReply.omit({ id: true, pubkey: true, sig: true })
export type UnsignedReply = z.infer<typeof UnsignedEvent>
const Way = z.enum(REPLY_WAYS)

export const replyWays = post('/api/v1/replies/ways', 'public', {
  summary: 'The ways in which a person can prove who they are, to reply to the record about them.',
  body: z.strictObject({ subject: Subject }),
  reply: z.object({
    name: z.string(),
    /** The person's Nostr keys, confirmed by an administrator, as npubs. */
    npubs: z.array(z.string()),
    handles: z.array(z.string()),
    /** The operator's address; null if none is set up. */
    email: z.string().nullable(),
    /** Replies are answered within this many days. */
    within_days: z.int(),
    waiting: z.int(),
  }),
})
export type ReplyWays = z.infer<typeof replyWays.reply>

export const prepareReply = post('/api/v1/replies/prepare', 'public', {
  summary:
    'Checks a reply without storing it, and returns the event or text to be signed or posted as its proof.',
  body: z.strictObject({ subject: Subject, text: Text, link: Link }),
  reply: z.object({
    text: z.string(),
    link: z.string().nullable(),
    /** To be signed with a key on record, within 30 minutes. */
    unsigned: UnsignedEvent,
    /** To be posted from an account on record within 7 days; valid for this text only. */
    code: z.string(),
    sentence: z.string(),
    ticket: z.string(),
  }),
})
export type PreparedReply = z.infer<typeof prepareReply.reply>

const Proof = z.discriminatedUnion('way', [
  z.strictObject({ way: z.literal('nostr'), event: SignedReply }),
  z.strictObject({
    way: z.literal('post'),
    url: z.string().max(2_000),
    ticket: z.string().max(200),
  }),
])
export type ReplyProof = z.input<typeof Proof>

const Own = z.object({ token: z.string() })

export const sendReply = post('/api/v1/replies', 'public', {
  callsAMinute: 10,
  summary: 'Submits a reply with its proof. It is published once an administrator has read it.',
  body: z.strictObject({ subject: Subject, text: Text, link: Link, proof: Proof }),
  reply: Own.extend({ message: z.string() }),
})

const Token = z.object({ token: z.string(NO_OWN).regex(/^[\w-]{32}$/, NO_OWN) })

export const ownReply = get('/api/v1/replies/own/:token', 'public', {
  callsAMinute: 60,
  summary: 'The state of a reply, for its author.',
  params: Token,
  reply: z.object({
    state: z.enum(REPLY_STATES),
    text: z.string(),
    link: z.string().nullable(),
    path: z.string(),
    received_at: moment,
    published_at: moment.nullable(),
    ended_at: moment.nullable(),
    answer_by: moment.nullable(),
    reason: z.string().nullable(),
  }),
})
export type OwnReply = z.infer<typeof ownReply.reply>

export const withdrawReply = post('/api/v1/replies/own/:token/withdraw', 'public', {
  summary: 'Withdraws a reply by its author’s link; its text is deleted.',
  params: Token,
  body: z.strictObject({}),
  reply: Done,
})

export const prepareWithdrawal = get('/api/v1/replies/:id/withdrawal', 'public', {
  callsAMinute: 60,
  summary: 'The event to sign to withdraw a signed reply without its link.',
  params: uuidIn(NO_REPLY),
  reply: z.object({ unsigned: UnsignedEvent }),
})

export const withdrawSigned = post('/api/v1/replies/:id/withdraw', 'public', {
  callsAMinute: 10,
  summary: 'Withdraws a signed reply, by another event signed with the same key.',
  params: uuidIn(NO_REPLY),
  body: z.strictObject({ event: SignedReply }),
  reply: Done,
})

/** A reply as administrators see it. */
const QueuedReply = z
  .object({
    id: z.uuid(),
    state: z.enum(REPLY_STATES),
    name: z.string(),
    path: z.string(),
    about: z.string(),
    text: z.string(),
    link: z.string().nullable(),
    way: Way,
    evidence: z.array(z.string()),
    is_proven: z.boolean(),
    evidence_url: z.string().nullable(),
    received_at: moment,
    answer_by: moment,
    is_overdue: z.boolean(),
    published_at: moment.nullable(),
    ended_at: moment.nullable(),
    decided_by: z.string().nullable(),
    reason: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'QueuedReply' })
export type QueuedReply = z.infer<typeof QueuedReply>

const Counts = z.object({
  waiting: z.int(),
  overdue: z.int(),
  published: z.int(),
  declined: z.int(),
  withdrawn: z.int(),
})

export const listReplies = get('/api/v1/admin/replies', 'read-all', {
  summary:
    'Replies in a state with the proofs of their authors, 50 a page; waiting ones oldest first.',
  query: z.object({ state: z.enum(REPLY_STATES).default('waiting'), page: PageNumber }),
  reply: z.object({ ...paging, counts: Counts, rows: z.array(QueuedReply) }),
})

const LONGEST_NOTE = 1_000
const Note = z.string().trim().max(LONGEST_NOTE).default('')

export const publishReply = post('/api/v1/admin/replies/:id/publish', 'publish', {
  summary: 'Publishes a reply unchanged on its page.',
  params: uuidIn(NO_REPLY),
  /** How the author was verified; required if the post could not be fetched. */
  body: z.strictObject({ note: Note }),
  reply: Done,
})

export const declineReply = post('/api/v1/admin/replies/:id/decline', 'publish', {
  summary: 'Declines a reply, or takes down a published one; its author reads the reason.',
  params: uuidIn(NO_REPLY),
  body: z.strictObject({
    reason: z.string().trim().min(1, 'Please say why: its author reads it.').max(LONGEST_NOTE),
  }),
  reply: Done,
})

export const enterReply = post('/api/v1/admin/replies', 'publish', {
  summary: 'Enters a reply received by email, word for word; it waits like any other.',
  body: z.strictObject({
    page: z.string().max(2_000),
    text: Text,
    link: Link,
    note: z
      .string()
      .trim()
      .min(1, 'Please say how its author proved who they are.')
      .max(LONGEST_NOTE),
  }),
  reply: Done.extend({ own: z.string() }),
})
