import { randomUUID } from 'node:crypto'
import { verifyEvent } from 'nostr-tools/pure'
import { type z } from 'zod'
import {
  type OwnReply,
  type PreparedReply,
  type ReplyWays,
  type sendReply,
} from '#contracts/replies.ts'
import { npubOf } from '#domain/publishing/nostr.ts'
import {
  readReply,
  REPLY_WITHIN_DAYS,
  replyDraft,
  replyEventFault,
  replySubjectPath,
  signingSentence,
  WITHDRAWAL_TEXT,
  type ReplyDraft,
  type ReplySubject,
} from '#domain/reply.ts'
import { writeAudit } from '#server/kit/admin.ts'
import { acquireLock } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { DAY_MS, type Caller, type RateLimit } from '#server/kit/limiter.ts'
import { iso, isoOrNull, isoNow } from '#server/kit/time.ts'
import { influencerById, npubsOf } from '#server/people/people.rows.ts'
import { recordChanged } from '#server/record/record-state.ts'
import {
  type RepliesKit,
  CHALLENGE_MS,
  findSubject,
  type FoundSubject,
  readPostProof,
} from './replies-kit.ts'
import * as store from './replies.rows.ts'

/** Tolerance for the signer's clock. */
const CLOCK_MS = 10 * 60_000
const HERE = 'Too many replies have come from here today. Please try again tomorrow.'
const PROVEN: RateLimit = {
  name: 'replies',
  shares: [
    { of: 'network', most: 5, withinMs: DAY_MS, message: HERE },
    { of: 'prefix', most: 10, withinMs: DAY_MS, message: HERE },
  ],
}
/** Replies without a proof share one limit across all pages, so that strangers cannot block an author. */
const UNPROVEN: RateLimit = {
  name: PROVEN.name,
  shares: [
    ...PROVEN.shares,
    {
      of: 'all',
      most: 60,
      withinMs: DAY_MS,
      message:
        'Many replies without a proof have arrived today. Please try again tomorrow, or write to the operator.',
    },
  ],
}
/** Maximum number of waiting proven replies per page. */
const MOST_WAITING = 10

type Signed = Extract<
  z.output<NonNullable<typeof sendReply.body>>['proof'],
  { way: 'nostr' }
>['event']
type ReplyText = { readonly text: string; readonly link: string | null }

export async function waysOf(kit: RepliesKit, subject: ReplySubject): Promise<ReplyWays> {
  const found = await findSubject(kit, subject)
  const [npubs, handles, waiting] = await Promise.all([
    npubsOf(kit.db, found.influencerId),
    store.handlesOnRecord(kit.db, found.influencerId),
    store.waitingAt(kit.db, found),
  ])
  return {
    name: found.name,
    npubs,
    handles,
    email: kit.config.contacts.email,
    within_days: REPLY_WITHIN_DAYS,
    waiting,
  }
}

/** @throws AppError `invalid` with a sentence per field */
export async function prepare(
  kit: RepliesKit,
  input: { readonly subject: ReplySubject; readonly text: string; readonly link: string },
): Promise<PreparedReply> {
  const { path } = await findSubject(kit, input.subject)
  const reply = checked(input)
  const url = kit.config.origin + path
  const ticket = kit.seals.ticket(codeOf(url, reply))
  const code = kit.seals.code(ticket, codeOf(url, reply))
  const challenge = kit.seals.challenge(url)
  return {
    ...reply,
    unsigned: plain(replyDraft({ url, challenge, ...reply }, nowSeconds(kit))),
    code,
    sentence: signingSentence(url, code),
    ticket,
  }
}

function codeOf(url: string, { text, link }: ReplyText): string {
  return JSON.stringify([url, text, link])
}

/**
 * Accepts a reply whose author has proved, or offers to prove, who they are; administrators review it before it is shown.
 * @param from the visitor's address
 * @throws AppError with a sentence
 */
export async function send(
  kit: RepliesKit,
  sent: z.output<NonNullable<typeof sendReply.body>>,
  from: string,
  signal: AbortSignal,
): Promise<z.input<typeof sendReply.reply>> {
  const subject = await findSubject(kit, sent.subject)
  const reply = checked(sent)
  const caller = { address: from }
  // Before fetching anything.
  await kit.limiter.refuse(kit.db, PROVEN, caller)
  const proven =
    sent.proof.way === 'nostr'
      ? await provenByKey(kit, subject, reply, sent.proof.event)
      : await provenByPost(kit, subject, reply, sent.proof, { caller, signal })
  const id = randomUUID()
  const token = kit.tokens.reply(id)
  await kit.db.transaction(async (tx) => {
    await acquireLock(tx, 'proof-of-price replies')
    await kit.limiter.enter(tx, isProven(proven) ? PROVEN : UNPROVEN, caller)
    if (isProven(proven) && (await store.waitingAt(tx, subject, true)) >= MOST_WAITING) {
      throw failure(
        'too_many',
        'Several replies to this page are already waiting to be read. Please try again in a few days, or write to the operator.',
      )
    }
    const isNew = await store.addReply(tx, {
      id,
      influencerId: subject.influencerId,
      predictionId: subject.predictionId,
      ...reply,
      ...proven,
      tokenHash: kit.tokens.hash(token),
      receivedAt: isoNow(kit),
    })
    if (!isNew) {
      throw failure('conflict', 'This has been used for a reply already. Please start again.')
    }
  })
  return {
    token,
    message: `Thank you. Your reply is read and answered within ${String(REPLY_WITHIN_DAYS)} days.`,
  }
}

function checked(input: { readonly text: string; readonly link: string }): ReplyText {
  const read = readReply(input)
  if (read.ok) return { text: read.text, link: read.link }
  const [fault = ''] = Object.values(read.faults)
  throw failure('invalid', fault, read.faults)
}

/** Whether the proof was verified automatically. */
function isProven({ evidence }: Proven): boolean {
  return evidence?.way === 'nostr' || (evidence?.way === 'post' && evidence.isMatch)
}

type Proven = Pick<store.NewReply, 'way' | 'evidence' | 'proof'>

async function provenByKey(
  kit: RepliesKit,
  subject: FoundSubject,
  reply: ReplyText,
  event: Signed,
): Promise<Proven> {
  const keys = await npubsOf(kit.db, subject.influencerId)
  const npub = npubOf(event.pubkey)
  if (!keys.includes(npub)) {
    throw refusedEvent(
      keys.length === 0
        ? 'No Nostr key of this person is on record. Please prove who you are in another way.'
        : 'This was signed with another key than the one on record.',
    )
  }
  const challenge = checkSigned(kit, event, { what: kit.config.origin + subject.path, ...reply })
  return {
    way: 'nostr',
    evidence: { way: 'nostr', npub, event },
    proof: challenge,
  }
}

/** @returns its challenge, valid once @throws AppError if it does not match what was to be signed */
function checkSigned(
  kit: RepliesKit,
  event: Signed,
  { what, ...reply }: ReplyText & { readonly what: string },
): string {
  // Verifies a copy, as nostr-tools trusts a cached result that a caller could set.
  if (!verifyEvent({ ...event })) throw refusedEvent('The signature is wrong.')
  const challenge = event.tags.find(([name]) => name === 'challenge')?.[1] ?? ''
  const seal = kit.seals.readChallenge(challenge, what)
  const isOurs = seal !== null
  const until = seal?.untilMs ?? 0
  const fault = replyEventFault(
    event,
    { url: what, challenge: isOurs ? challenge : '', ...reply },
    {
      from: Math.floor((until - CHALLENGE_MS - CLOCK_MS) / 1_000),
      to: Math.ceil((until + CLOCK_MS) / 1_000),
    },
  )
  if (fault !== null) throw refusedEvent(fault)
  if (seal?.isOver) {
    throw refusedEvent('The 30 minutes for signing this are over. Please start again.')
  }
  return challenge
}

async function provenByPost(
  kit: RepliesKit,
  subject: FoundSubject,
  reply: ReplyText,
  { url, ticket }: { readonly url: string; readonly ticket: string },
  by: { readonly caller: Caller; readonly signal: AbortSignal },
): Promise<Proven> {
  const what = codeOf(kit.config.origin + subject.path, reply)
  const seal = kit.seals.readTicket(ticket, what)
  if (!seal) {
    throw failure(
      'conflict',
      'The reply was changed after its code was made. Please get a new code for it, and post that one.',
    )
  }
  if (seal.isOver) {
    throw failure('conflict', 'This code is older than 7 days. Please get a new one.')
  }
  const code = kit.seals.code(ticket, what)
  const handles = await store.handlesOnRecord(kit.db, subject.influencerId)
  const evidence = await readPostProof(kit, { url, code, handles }, by)
  return { way: 'post', evidence, proof: code }
}

function refusedEvent(sentence: string) {
  return failure('invalid', sentence, { event: sentence })
}

export async function ownReplyOf(kit: RepliesKit, token: string): Promise<OwnReply> {
  const found = await byToken(kit, token)
  return {
    state: found.state,
    text: found.text,
    link: found.link,
    path: await pathOf(kit, found),
    received_at: iso(found.receivedAt),
    published_at: isoOrNull(found.publishedAt),
    ended_at: isoOrNull(found.endedAt),
    answer_by: found.state === 'waiting' ? answerBy(found.receivedAt) : null,
    reason: found.state === 'declined' ? found.reason : null,
  }
}

export function answerBy(receivedAt: string): string {
  return new Date(Date.parse(receivedAt) + REPLY_WITHIN_DAYS * DAY_MS).toISOString()
}

async function byToken(kit: RepliesKit, token: string): Promise<store.StoredReply> {
  const found = await store.replyBy(kit.db, 'tokenHash', kit.tokens.hash(token))
  if (!found) {
    throw failure('not_found', 'This link belongs to no reply. It may have been cut short.')
  }
  return found
}

async function pathOf(kit: RepliesKit, reply: store.StoredReply): Promise<string> {
  const { predictionId, influencerId } = reply
  if (predictionId !== null) return replySubjectPath({ kind: 'prediction', id: predictionId })
  const person = await influencerById(kit.db, influencerId)
  return replySubjectPath({ kind: 'person', slug: person?.slug ?? '' })
}

export async function withdrawOwn(kit: RepliesKit, token: string): Promise<string> {
  return withdraw(kit, await byToken(kit, token), 'by its link')
}

/** @throws AppError `not_found` without a signed reply */
export async function draftOfWithdrawal(kit: RepliesKit, id: string) {
  await signedReply(kit, id)
  const url = withdrawalUrl(kit, id)
  const challenge = kit.seals.challenge(url)
  const draft = replyDraft({ url, challenge, text: WITHDRAWAL_TEXT, link: null }, nowSeconds(kit))
  return { unsigned: plain(draft) }
}

export async function withdrawBySignature(kit: RepliesKit, id: string, event: Signed) {
  const found = await signedReply(kit, id)
  // Already withdrawn, and its key deleted.
  if (found.state === 'withdrawn') return WITHDRAWN
  if (found.evidence?.way !== 'nostr' || npubOf(event.pubkey) !== found.evidence.npub) {
    throw refusedEvent('This was signed with another key than the reply.')
  }
  checkSigned(kit, event, { what: withdrawalUrl(kit, id), text: WITHDRAWAL_TEXT, link: null })
  return withdraw(kit, found, 'by signature')
}

const WITHDRAWN = 'Your reply is withdrawn, and its text is deleted.'

function withdrawalUrl({ config }: RepliesKit, id: string): string {
  return `${config.origin}/api/v1/replies/${id}`
}

async function signedReply(kit: RepliesKit, id: string): Promise<store.StoredReply> {
  const found = await store.replyBy(kit.db, 'id', id)
  if (found?.way !== 'nostr') throw failure('not_found', 'There is no such signed reply.')
  return found
}

async function withdraw(kit: RepliesKit, reply: store.StoredReply, how: string): Promise<string> {
  if (reply.state === 'withdrawn') return WITHDRAWN
  const at = isoNow(kit)
  await kit.db.transaction(async (tx) => {
    const from = ['waiting', 'published', 'declined'] as const
    const set = { ...store.ERASED, state: 'withdrawn', endedAt: at } as const
    // A concurrent withdrawal was faster.
    if (!(await store.changeReply(tx, reply.id, from, set))) return
    await writeAudit(tx, {
      at,
      admin: null,
      username: 'visitor',
      action: 'reply withdrawn',
      subject: { kind: 'reply', id: reply.id },
      before: { state: reply.state },
      after: { state: 'withdrawn', how },
    })
    await recordChanged(tx)
  })
  await kit.record.refresh().catch(() => {})
  return WITHDRAWN
}

function nowSeconds({ clock }: RepliesKit): number {
  return Math.floor(clock.now() / 1_000)
}

/** In the API's format. */
function plain({ kind, created_at, content, tags }: ReplyDraft): PreparedReply['unsigned'] {
  return { kind, created_at, content, tags: tags.map((tag) => [...tag]) }
}
