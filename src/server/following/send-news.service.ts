import { endFollowing, followingPath, refuseFollowing } from '#contracts/following.ts'
import { momentText } from '#server/kit/iso.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { SourceError } from '#server/kit/ports.ts'
import { troubleOf } from '#server/kit/trouble.ts'
import { type FollowChannel } from '#domain/publishing/following.ts'
import { eventsOf } from '#server/judging/verdicts.rows.ts'
import { reportsOfEvents } from '#server/reports/reports.rows.ts'
import { mailText, type MailPart } from '#server/submissions/mail-text.ts'
import { AddressRefused } from '#server/submissions/ports.ts'
import {
  dropQuestion,
  followerById,
  forgetAddress,
  setTokenHash,
  takeQuestion,
  updateQuestion,
  type Follower,
  type Question,
} from './followers.store.ts'
import { type FollowKit } from './follow-kit.ts'
import { shownSubjects } from './followed-subject.ts'
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
export function sendNews(kit: FollowKit, withinMs = SEND_WITHIN_MS) {
  const { db, log } = kit

  /** @returns false when nothing of this kind can leave at present */
  async function attempt(tried: Tried, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
    } catch (error) {
      return fault(tried, error)
    }
    await tried.set({ status: 'sent', lastError: null, sentAt: isoNow(kit) })
    return true
  }

  async function fault({ attempts, set, end }: Tried, error: unknown): Promise<boolean> {
    if (error instanceof AddressRefused) {
      await end()
      return true
    }
    const { said: lastError, isLost } = troubleOf(error)
    if (isLost) throw error
    const isDown = error instanceof SourceError && error.fault === 'down'
    if (isDown) {
      const nextTryAt = isoIn(kit, NOT_NOW_MS)
      await set({ status: 'waiting', attempts: attempts - 1, nextTryAt, lastError })
      return false
    }
    const pauseMs = PAUSES_MS[attempts - 1]
    const isRefused = error instanceof SourceError && error.fault === 'refused'
    if (isRefused || pauseMs === undefined) {
      log.warn({}, `News was not delivered. ${lastError}`)
      await set({ status: 'failed', lastError })
      return true
    }
    const asked = error instanceof SourceError ? (error.waitMs ?? 0) : 0
    const nextTryAt = isoIn(kit, Math.max(pauseMs, asked))
    await set({ status: 'waiting', attempts, nextTryAt, lastError })
    return true
  }

  async function question(taken: Question): Promise<boolean> {
    const { id, attempts, address } = taken
    if (address === null || (await kit.addresses.isRefused(address))) {
      await dropQuestion(db, id)
      return true
    }
    return attempt(
      {
        attempts,
        set: (given) => updateQuestion(db, id, given),
        end: async () => void (await dropQuestion(db, id)),
      },
      () => mailQuestion(kit, taken, address, AbortSignal.timeout(withinMs)),
    )
  }

  async function message(taken: Message): Promise<boolean> {
    const { id, attempts, followerId } = taken
    const to = await followerById(db, followerId)
    if (!to) return true
    // By its address: a browser may have got another one while this was sent.
    const end = () => forgetAddress(db, to)
    if (to.channel === 'email' && (await kit.addresses.isRefused(to.address))) {
      await end()
      return true
    }
    const isPush = to.channel === 'push'
    const set: Tried['set'] = (given) =>
      // A browser that takes nothing for days is gone.
      isPush && given.status === 'failed' ? end() : updateMessage(db, id, given)
    return attempt({ attempts, set, end }, async () => {
      const items = await itemsOf(kit, await newsOf(db, id))
      // What was new has been taken back since.
      if (items.length === 0) return
      await (isPush ? pushNews : mailNews)(kit, taken, to, items, AbortSignal.timeout(withinMs))
    })
  }

  return {
    /**
     * Sends what has waited longest of a channel.
     *
     * @returns false when nothing waits there, or nothing can leave: the rest is not tried then
     */
    async sendOne(channel: FollowChannel): Promise<boolean> {
      const times = { now: isoNow(kit), until: isoIn(kit, TAKEN_FOR_MS) }
      const asked = channel === 'email' ? await takeQuestion(db, times) : null
      if (asked) return question(asked)
      const taken = await takeMessage(db, channel, times)
      return taken !== null && message(taken)
    },
  }
}

/** What a message says, in the order in which it happened. */
async function itemsOf(kit: FollowKit, news: readonly News[]): Promise<NewsItem[]> {
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
  const reports = await reportsOfEvents(kit.db, numbers)
  const found = await kit.record.byIds([...new Set(news.map((one) => one.predictionId))])
  const predictions = new Map(found.map((one) => [one.id, one]))
  return news.flatMap(({ event, predictionId }): NewsItem[] => {
    const prediction = predictions.get(predictionId)
    if (!prediction) return []
    const happened = events.get(event)
    if (event === 'deadline') {
      const item = prediction.withdrawn ? null : itemOfDeadline(prediction, kit.record.today())
      return item ? [item] : []
    }
    const item = happened
      ? itemOfEvent(happened, prediction, reports.get(happened.event) ?? [])
      : null
    return item ? [item] : []
  })
}

async function mailQuestion(
  kit: FollowKit,
  asked: Question,
  to: string,
  signal: AbortSignal,
): Promise<void> {
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
    signal,
  })
}

async function mailNews(
  kit: FollowKit,
  { id }: Message,
  to: Follower,
  items: readonly NewsItem[],
  signal: AbortSignal,
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
    signal,
  })
}

async function pushNews(
  kit: FollowKit,
  { id }: Message,
  { address, pushKey: key, pushAuth: auth }: Follower,
  items: readonly NewsItem[],
  signal: AbortSignal,
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
    signal,
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
    signal,
  }: {
    readonly to: string
    readonly subject: string
    readonly parts: readonly MailPart[]
    readonly id: string
    readonly wayOut: string
    readonly signal: AbortSignal
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
    signal,
  )
}

function shortened(subject: string): string {
  if (subject.length <= LONGEST_SUBJECT) return subject
  // Half a character is left out, too.
  return `${subject.slice(0, LONGEST_SUBJECT - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
