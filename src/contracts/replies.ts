import { onlyText } from '#domain/clean-text.ts'
import { HIDDEN_CHARACTERS, REPLY_STATES, REPLY_WAYS } from '#domain/reply.ts'
import { z } from 'zod'
import { textIn, uuidIn } from './address.ts'
import { Done, PageNumber } from './corrections.ts'
import { defineRoute } from './route.ts'
import { SignedReply } from './shown-reply.ts'

const moment = z.iso.datetime()
const NO_SUBJECT = 'There is no such prediction or person.'
const NO_REPLY = 'There is no such reply.'
const NO_OWN = 'This link belongs to no reply. It may have been cut short.'

/** What is replied to. */
const Subject = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('prediction'), id: textIn(NO_SUBJECT) }),
    z.strictObject({ kind: z.literal('person'), slug: textIn(NO_SUBJECT) }),
  ])
  .meta({ id: 'ReplySubject' })

// The domain checks the text with sentences of its own; this refuses what no form would send, and what would be taken out.
const Text = z
  .string()
  .max(20_000)
  .refine((text) => onlyText(text) === text, HIDDEN_CHARACTERS)
const Link = z.string().max(2_000).default('')

const UnsignedEvent = SignedReply.omit({ id: true, pubkey: true, sig: true })
export type UnsignedReply = z.infer<typeof UnsignedEvent>
const Way = z.enum(REPLY_WAYS)

export const replyWays = defineRoute({
  method: 'POST',
  path: '/api/v1/replies/ways',
  access: 'public',
  summary: 'How a person can prove who they are, to reply to the record about them.',
  body: z.strictObject({ subject: Subject }),
  reply: z.object({
    name: z.string(),
    /** The keys that an administrator has confirmed to be theirs, as npubs. */
    npubs: z.array(z.string()),
    /** Their accounts on X. */
    handles: z.array(z.string()),
    /** The operator's address; null where none is set up. */
    email: z.string().nullable(),
    /** Within how many days a reply is answered. */
    within_days: z.int(),
    waiting: z.int(),
  }),
})
export type ReplyWays = z.infer<typeof replyWays.reply>

export const prepareReply = defineRoute({
  method: 'POST',
  path: '/api/v1/replies/prepare',
  access: 'public',
  summary: 'Checks a reply without storing it, and gives what has to be signed or posted for it.',
  body: z.strictObject({ subject: Subject, text: Text, link: Link }),
  reply: z.object({
    /** The reply as it will be shown. */
    text: z.string(),
    link: z.string().nullable(),
    /** To be signed with a key on record, within 30 minutes. */
    unsigned: UnsignedEvent,
    /** To be posted with an account on record, within 7 days; it belongs to this text alone. */
    code: z.string(),
    /** The whole sentence to post: the code, and what it signs. */
    sentence: z.string(),
    ticket: z.string(),
  }),
})
export type PreparedReply = z.infer<typeof prepareReply.reply>

const Proof = z.discriminatedUnion('way', [
  z.strictObject({ way: z.literal('nostr'), event: SignedReply }),
  z.strictObject({
    way: z.literal('post'),
    /** Where the code was posted. */
    url: z.string().max(2_000),
    ticket: z.string().max(200),
  }),
])
export type ReplyProof = z.input<typeof Proof>

/** What its author keeps: the only way to withdraw a reply that is not signed. */
const Own = z.object({ token: z.string() })

export const sendReply = defineRoute({
  method: 'POST',
  path: '/api/v1/replies',
  access: 'public',
  summary: 'Hands in a reply with its proof. It is shown once an administrator has read it.',
  body: z.strictObject({ subject: Subject, text: Text, link: Link, proof: Proof }),
  reply: Own.extend({ message: z.string() }),
})

const Token = z.object({ token: z.string(NO_OWN).regex(/^[\w-]{32}$/, NO_OWN) })

export const ownReply = defineRoute({
  method: 'GET',
  path: '/api/v1/replies/own/:token',
  access: 'public',
  summary: 'What became of a reply, for its author.',
  params: Token,
  reply: z.object({
    state: z.enum(REPLY_STATES),
    text: z.string(),
    link: z.string().nullable(),
    /** The page that it is for. */
    path: z.string(),
    received_at: moment,
    published_at: moment.nullable(),
    ended_at: moment.nullable(),
    /** Until when it is answered, while it waits. */
    answer_by: moment.nullable(),
    reason: z.string().nullable(),
  }),
})
export type OwnReply = z.infer<typeof ownReply.reply>

export const withdrawReply = defineRoute({
  method: 'POST',
  path: '/api/v1/replies/own/:token/withdraw',
  access: 'public',
  summary: 'Withdraws a reply, by the link that its author has; its text is deleted.',
  params: Token,
  body: z.strictObject({}),
  reply: Done,
})

export const prepareWithdrawal = defineRoute({
  method: 'GET',
  path: '/api/v1/replies/:id/withdrawal',
  access: 'public',
  summary: 'What has to be signed to withdraw a signed reply without its link.',
  params: uuidIn(NO_REPLY),
  reply: z.object({ unsigned: UnsignedEvent }),
})

export const withdrawSigned = defineRoute({
  method: 'POST',
  path: '/api/v1/replies/:id/withdraw',
  access: 'public',
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
    /** What is replied to, in words. */
    about: z.string(),
    text: z.string(),
    link: z.string().nullable(),
    way: Way,
    /** What is known of its author, each a sentence. */
    evidence: z.array(z.string()),
    /** Whether the program has found the proof to be what it should be. */
    is_proven: z.boolean(),
    /** The post, or the screen that has the key. */
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

export const listReplies = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/replies',
  access: 'read-all',
  summary:
    'Replies of a state with what proves their authors, 50 a page; those that wait oldest first.',
  query: z.object({ state: z.enum(REPLY_STATES).default('waiting'), page: PageNumber }),
  reply: z.object({
    total: z.int(),
    page: z.int(),
    pages: z.int(),
    counts: Counts,
    rows: z.array(QueuedReply),
  }),
})

const LONGEST_NOTE = 1_000
const Note = z.string().trim().max(LONGEST_NOTE).default('')

export const publishReply = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/replies/:id/publish',
  access: 'publish',
  summary: 'Shows a reply on its page, as it is.',
  params: uuidIn(NO_REPLY),
  /** How its author was made sure of; required where the program could not read the post. */
  body: z.strictObject({ note: Note }),
  reply: Done,
})

export const declineReply = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/replies/:id/decline',
  access: 'publish',
  summary: 'Declines a reply, or takes down a published one; its author reads the reason.',
  params: uuidIn(NO_REPLY),
  body: z.strictObject({
    reason: z.string().trim().min(1, 'Please say why: its author reads it.').max(LONGEST_NOTE),
  }),
  reply: Done,
})

export const enterReply = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/replies',
  access: 'publish',
  summary: 'Enters a reply that came by e-mail, word for word; it waits like every other.',
  body: z.strictObject({
    /** The address of the prediction or person on this site, or its path. */
    page: z.string().max(2_000),
    text: Text,
    link: Link,
    /** How its author proved who they are. */
    note: z
      .string()
      .trim()
      .min(1, 'Please say how its author proved who they are.')
      .max(LONGEST_NOTE),
  }),
  reply: Done.extend({
    /** For its author, to withdraw it: shown only here. */
    own: z.string(),
  }),
})
