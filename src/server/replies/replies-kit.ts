import { randomBytes } from 'node:crypto'
import { headline } from '#domain/claim/prediction.ts'
import { foldHandle } from '#domain/people/name.ts'
import { readPostUrl } from '#domain/posts/post-url.ts'
import { replySubjectPath, type ReplySubject, isSigned } from '#domain/reply.ts'
import { readSourceAddress } from '#domain/web-address.ts'
import { type ReplyEvidence } from '#server/database/schema/replies.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { failure } from '#server/kit/failure.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { DAY_MS, type Caller, type RateLimit } from '#server/kit/limiter.ts'
import { decoded } from '#server/kit/text.ts'
import { type Tokens } from '#server/kit/tokens.ts'
import { influencerBySlug } from '#server/people/people.rows.ts'
import { type PostReader } from '#server/posts/read-post.service.ts'
import { type PublicRecord } from '#server/record/record.service.ts'

/** Posts read per day for visitors: X charges for each. */
const READS: RateLimit = {
  name: 'posts read for visitors',
  shares: [
    { of: 'prefix', most: 8, withinMs: DAY_MS, message: null },
    { of: 'all', most: 100, withinMs: DAY_MS, message: null },
  ],
}

/** @returns whether this caller may have another post read today; counts it */
export function mayRead({ db, limiter }: Pick<SiteKit, 'db' | 'limiter'>, caller: Caller) {
  return db.transaction((tx) => limiter.enter(tx, READS, caller))
}

const MINUTE_MS = 60_000
/** Validity of challenges and codes. */
export const CHALLENGE_MS = 30 * MINUTE_MS
const TICKET_MS = 7 * 24 * 60 * MINUTE_MS

const FORM = /^(\d{10})-([0-9a-f]{32})-([\w-]{32})$/
/** Without letters and digits that look alike. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

type ReplySeals = ReturnType<typeof replySeals>

/**
 * Texts to sign or post for a reply. Nothing is stored before the reply arrives: a seal proves that this site
 * issued the text, its purpose and its expiry. The table of replies ensures that each is used once.
 */
export function replySeals(tokens: Tokens, now: () => number) {
  function make(what: string, forMs: number): string {
    const until = String(Math.floor((now() + forMs) / 1_000))
    const nonce = randomBytes(16).toString('hex')
    return `${until}-${nonce}-${tokens.replySeal(`${until} ${nonce} ${what}`)}`
  }

  /** @returns the expiry; null if it was not issued here for this purpose */
  function read(text: string, what: string): { untilMs: number; isOver: boolean } | null {
    const [, until = '', nonce = '', seal] = FORM.exec(text) ?? []
    if (seal === undefined || seal !== tokens.replySeal(`${until} ${nonce} ${what}`)) return null
    const untilMs = Number(until) * 1_000
    return { untilMs, isOver: untilMs <= now() }
  }

  /** `what` is a reply to a page, or a withdrawal. */
  return {
    challenge: (what: string): string => make(`challenge ${what}`, CHALLENGE_MS),
    readChallenge: (token: string, what: string) => read(token, `challenge ${what}`),
    ticket: (what: string): string => make(`ticket ${what}`, TICKET_MS),
    readTicket: (token: string, what: string) => read(token, `ticket ${what}`),
    /** The code for a ticket; it is bound to the text. */
    code(ticket: string, what: string): string {
      const seal = tokens.replySeal(`code ${ticket} ${what}`)
      const letters = [...Buffer.from(tokens.hash(seal), 'hex').subarray(0, 8)]
        .map((byte) => LETTERS[byte % LETTERS.length] ?? '')
        .join('')
      return `proofofprice-${letters.slice(0, 4)}-${letters.slice(4)}`
    },
  }
}

export type RepliesKit = SiteKit & {
  readonly record: PublicRecord
  readonly reader: PostReader
  readonly tokens: Tokens
  readonly seals: ReplySeals
}

export type FoundSubject = {
  readonly influencerId: number
  /** Null for a person's page. */
  readonly predictionId: string | null
  readonly name: string
  readonly path: string
}

/** @throws AppError `not_found` */
export async function findSubject(
  { db, record }: Pick<RepliesKit, 'db' | 'record'>,
  subject: ReplySubject,
): Promise<FoundSubject> {
  if (subject.kind === 'person') {
    const person = await influencerBySlug(db, subject.slug)
    if (!person) throw failure('not_found', 'There is no such person.')
    const path = replySubjectPath({ kind: 'person', slug: person.slug })
    return { influencerId: person.id, predictionId: null, name: person.name, path }
  }
  const found = await record.find(subject.id)
  if (!found) throw failure('not_found', 'There is no such prediction.')
  const { id, name } = found.expert
  return { influencerId: id, predictionId: found.id, name, path: replySubjectPath(subject) }
}

export function subjectWords(
  named: readonly JudgedPrediction[],
  { predictionId, name }: { readonly predictionId: string | null; readonly name: string },
): string {
  if (predictionId === null) return `The page of ${name}`
  const found = named.find(({ id }) => id === predictionId)
  return found ? headline(found) : `Prediction ${predictionId}`
}

/** The page named by an administrator. @param address an address of this site, or its path */
export function subjectOfAddress(address: string): ReplySubject | null {
  const path = URL.parse(address, 'https://here.invalid')?.pathname ?? ''
  const [, place, name, ...rest] = path.split('/')
  if (name === undefined || name === '' || rest.length > 0) return null
  const key = decoded(name)
  if (key === null) return null
  if (place === 'predictions') return { kind: 'prediction', id: key }
  return place === 'experts' ? { kind: 'person', slug: key } : null
}

const LONGEST_TEXT = 2_000

type Evidence = Extract<ReplyEvidence, { way: 'post' }>

/**
 * Reads the post that should contain a code. Refuses a reply whose post is by someone else or lacks the code; leaves
 * unreadable posts, or ones with only the code, to an administrator.
 * @throws AppError `invalid` with a sentence for the field
 */
export async function readPostProof(
  kit: RepliesKit,
  input: { readonly url: string; readonly code: string; readonly handles: readonly string[] },
  { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
): Promise<Evidence> {
  const { code, handles } = input
  const trimmed = input.url.trim()
  const address = readPostUrl(trimmed)
  const url = address?.url ?? (/^https:\/\//i.test(trimmed) ? readSourceAddress(trimmed) : null)
  if (url === null) throw wrong('Please give the link to your post: it starts with https://.')
  const evidence = { way: 'post', url, code, handles: [...handles] } as const
  const unreadAs = (unread: string) => ({ ...evidence, read: null, unread, isMatch: false })
  if (!address) return unreadAs('It is not on X, so the program cannot read it.')
  if (!(await mayRead(kit, caller))) {
    return unreadAs('Many posts were read today, so the program did not read this one.')
  }
  const answer = await kit.reader
    .read(address, { refetch: false, signal })
    .catch((error: unknown) => {
      if (signal.aborted) return null
      throw error
    })
  if (answer === null) return unreadAs('Reading it took too long.')
  if (!answer.ok) {
    if (answer.failure.why === 'gone') throw wrong(answer.failure.message)
    return unreadAs(answer.failure.message)
  }
  const { post, source, fetchedAt } = answer.read
  const { handle } = post.author
  if (post.repost) throw wrong('This is a repost. Please post the code yourself.')
  const hasCode = post.text.toUpperCase().includes(code.toUpperCase())
  if (!hasCode && !post.isCut) throw wrong(`This post does not have the code ${code}.`)
  const isTheirs = handle !== null && handles.some((one) => foldHandle(one) === foldHandle(handle))
  if (handle !== null && handles.length > 0 && !isTheirs) {
    throw wrong(`This post is by ${handle}. On record is ${handles.join(', ')}.`)
  }
  const read = { handle, text: post.text.slice(0, LONGEST_TEXT), source, fetchedAt }
  return { ...evidence, read, unread: null, isMatch: isSigned(post.text, code) && isTheirs }
}

function wrong(sentence: string) {
  return failure('invalid', sentence, { url: sentence })
}
