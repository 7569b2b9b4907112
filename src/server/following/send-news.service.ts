import { endFollowing, followingPath, refuseFollowing } from '#contracts/following.ts'
import { momentText } from '#server/kit/iso.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { SourceError } from '#server/kit/ports.ts'
import { eventsOf } from '#server/judging/verdicts.rows.ts'
import { mailText, type MailPart } from '#server/submissions/mail-text.ts'
import { AddressRefused } from '#server/submissions/ports.ts'
import {
  dropFollower,
  dropQuestion,
  followerById,
  setTokenHash,
  takeQuestion,
  updateQuestion,
  type Follower,
  type Question,
} from './followers.store.ts'
import { type FollowKit } from './follow-kit.ts'
import { shownSubjects, snapshotOf } from './followed-subject.ts'
import { newsOf, takeMessage, updateMessage, type Message, type News } from './news.store.ts'
import { itemOfDeadline, itemOfEvent, NEWS_KINDS, type NewsItem } from './news-text.ts'

/** A process that dies while sending leaves the message to the others after this. */
const TAKEN_FOR_MS = 120_000
const SEND_WITHIN_MS = 30_000
const MINUTE_MS = 60_000
/** Pauses between attempts; after the last one it is given up. */
const PAUSES_MS = [1, 5, 30, 120, 480, 1_440].map((minutes) => minutes * MINUTE_MS)
/** While no mail leaves at all, through no fault of the message. */
const NOT_NOW_MS = 15 * MINUTE_MS
/** In one message: the rest are on the site. */
const MOST_ITEMS = 50
const MOST_PICTURES = 10
const LONGEST_SUBJECT = 160

/** After this a process that has not read the newest record yet has done so. */
const READ_AGAIN_MS = 5_000

/** This process does not know yet what another one has written down. */
class NotRead extends Error {}

type Tried = {
  readonly attempts: number
  readonly set: (given: {
    status: 'waiting' | 'sent' | 'failed'
    attempts?: number
    nextTryAt?: string
    lastError: string | null
    sentAt?: string
  }) => Promise<void>
  /** The address takes no mail: it ends. */
  readonly end: () => Promise<void>
}

/**
 * Sends what is written: questions first, then messages, each once. One may come twice when the server dies between sending and
 * writing it down; its Message-ID stays the same.
 */
export function sendNews(kit: FollowKit) {
  const { db, log } = kit

  async function attempt(tried: Tried, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      return fault(tried, error)
    }
    await tried.set({ status: 'sent', lastError: null, sentAt: isoNow(kit) })
  }

  async function fault({ attempts, set, end }: Tried, error: unknown): Promise<void> {
    if (error instanceof AddressRefused) return end()
    const lastError = error instanceof Error ? error.message : String(error)
    const reason = error instanceof SourceError ? error.fault : 'down'
    if (reason === 'down') {
      const waitMs = error instanceof NotRead ? READ_AGAIN_MS : NOT_NOW_MS
      const again = { attempts: attempts - 1, nextTryAt: isoIn(kit, waitMs) }
      return set({ status: 'waiting', lastError, ...again })
    }
    const pauseMs = PAUSES_MS[attempts - 1]
    if (reason === 'refused' || pauseMs === undefined) {
      log.warn({}, `News was not delivered. ${lastError}`)
      return set({ status: 'failed', lastError })
    }
    const asked = error instanceof SourceError ? (error.waitMs ?? 0) : 0
    const nextTryAt = isoIn(kit, Math.max(pauseMs, asked))
    return set({ status: 'waiting', attempts, nextTryAt, lastError })
  }

  async function question(taken: Question): Promise<void> {
    const { id, attempts, address } = taken
    if (address === null || (await kit.addresses.isRefused(address))) return dropQuestion(db, id)
    await attempt(
      {
        attempts,
        set: (given) => updateQuestion(db, id, given),
        end: () => dropQuestion(db, id),
      },
      () => mailQuestion(kit, taken, address),
    )
  }

  async function message(taken: Message): Promise<void> {
    const { id, attempts, followerId } = taken
    const to = await followerById(db, followerId)
    if (!to) return
    const end = () => dropFollower(db, followerId)
    if (to.channel === 'email' && (await kit.addresses.isRefused(to.address))) return end()
    const isPush = to.channel === 'push'
    const set: Tried['set'] = (given) =>
      // A browser that takes nothing for days is gone.
      isPush && given.status === 'failed' ? end() : updateMessage(db, id, given)
    await attempt({ attempts, set, end }, async () => {
      const items = await itemsOf(kit, await newsOf(db, id))
      // What was new has been taken back since.
      if (items.length === 0) return
      await (isPush ? pushNews : mailNews)(kit, taken, to, items)
    })
  }

  return {
    /** Sends what has waited longest. @returns false when nothing waits */
    async sendOne(): Promise<boolean> {
      const times = { now: isoNow(kit), until: isoIn(kit, TAKEN_FOR_MS) }
      const asked = await takeQuestion(db, times)
      if (asked) {
        await question(asked)
        return true
      }
      const taken = await takeMessage(db, times)
      if (!taken) return false
      await message(taken)
      return true
    },
  }
}

/** What a message says, in the order in which it happened. @throws {NotRead} */
async function itemsOf(kit: FollowKit, news: readonly News[]): Promise<NewsItem[]> {
  const { byId, withdrawn, newestEvents } = snapshotOf(kit)
  const numbers = news.flatMap(({ event }) => {
    const number = /^event (\d+)$/.exec(event)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
  const events = new Map(
    (numbers.length === 0 ? [] : await eventsOf(kit.db, NEWS_KINDS, numbers)).map((event) => [
      `event ${String(event.event)}`,
      event,
    ]),
  )
  return news.flatMap(({ event, predictionId }): NewsItem[] => {
    const shown = byId.get(predictionId)
    const prediction = shown ?? withdrawn.get(predictionId)
    // News of what was taken back is gone with it.
    if (!prediction) throw new NotRead()
    const happened = events.get(event)
    if (happened && (newestEvents.get(predictionId) ?? 0) < happened.event) throw new NotRead()
    if (event === 'deadline') {
      const item = shown ? itemOfDeadline(shown, kit.catalog.today()) : null
      return item ? [item] : []
    }
    const item = happened ? itemOfEvent(happened, prediction) : null
    return item ? [item] : []
  })
}

async function mailQuestion(kit: FollowKit, asked: Question, to: string): Promise<void> {
  const { origin, tokens } = kit
  const [followed] = await shownSubjects(kit, [asked])
  const token = tokens.followQuestion(asked.id)
  const subject = 'Please confirm that you want news from Proof of Price'
  const parts: readonly MailPart[] = [
    `Someone, probably you, has asked Proof of Price to write to this address about ${followed?.title ?? 'a prediction'}: new calls, verdicts, corrections and deadlines.`,
    ['To agree, open this page and press the button', origin + followingPath(token)],
    `The link works until ${momentText(asked.expiresAt)}. If it was not you, do nothing: we will not write again, and your address is deleted then. On the same page you can also block this site from writing to you.`,
    ['This mail was sent by', origin],
  ]
  await send(kit, {
    to,
    subject,
    parts,
    id: `follow-${asked.id}`,
    wayOut: refuseFollowing.path.replace(':token', token),
  })
}

async function mailNews(
  kit: FollowKit,
  { id }: Message,
  to: Follower,
  items: readonly NewsItem[],
): Promise<void> {
  const { origin, tokens } = kit
  const token = tokens.follower(to.id)
  // The secret of tokens may have been replaced since: the links of this mail have to work.
  if (to.tokenHash !== tokens.hash(token)) await setTokenHash(kit.db, to.id, tokens.hash(token))
  const [first] = items
  const shown = items.slice(0, MOST_ITEMS)
  const more = items.length - shown.length
  let pictures = 0
  const parts = shown.flatMap(({ title, text, path, picture }): MailPart[] => {
    const isShown = picture !== null && pictures < MOST_PICTURES
    if (isShown) pictures += 1
    return [
      title,
      ...(text === '' ? [] : [text]),
      ...(isShown ? [{ picture: origin + picture, words: title }] : []),
      ['See it', origin + path],
    ]
  })
  await send(kit, {
    to: to.address,
    subject:
      items.length === 1
        ? (first?.title ?? '')
        : `${String(items.length)} updates on what you follow at Proof of Price`,
    parts: [
      ...parts,
      ...(more > 0 ? [`And ${String(more)} more, which you find on the site.`] : []),
      ['Change what you follow, stop, or delete your address', origin + followingPath(token)],
    ],
    id: `news-${String(id)}-${tokens.message(String(id))}`,
    wayOut: endFollowing.path.replace(':token', token),
  })
}

async function pushNews(
  kit: FollowKit,
  { id }: Message,
  { address, pushKey: key, pushAuth: auth }: Follower,
  items: readonly NewsItem[],
): Promise<void> {
  const [first] = items
  if (!first || key === null || auth === null) return
  const more = items.length - 1
  await kit.pushes.send(
    { address, key, auth },
    {
      title: first.title,
      body: more === 0 ? first.text : `And ${String(more)} more. ${first.text}`,
      path: first.path,
      tag: `news-${String(id)}`,
    },
    AbortSignal.timeout(SEND_WITHIN_MS),
  )
}

async function send(
  { mailer, origin }: FollowKit,
  {
    to,
    subject,
    parts,
    id,
    wayOut,
  }: {
    readonly to: string
    readonly subject: string
    readonly parts: readonly MailPart[]
    readonly id: string
    readonly wayOut: string
  },
): Promise<void> {
  if (!mailer) throw new SourceError('down', 'No mail server is set up.')
  await mailer.send(
    {
      to,
      subject: shortened(subject),
      ...mailText(parts),
      id: `${id}@${new URL(origin).hostname}`,
      unsubscribeUrl: origin + wayOut,
    },
    AbortSignal.timeout(SEND_WITHIN_MS),
  )
}

function shortened(subject: string): string {
  if (subject.length <= LONGEST_SUBJECT) return subject
  // Half a character is left out, too.
  return `${subject.slice(0, LONGEST_SUBJECT - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
