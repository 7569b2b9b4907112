import { endFollowing, refuseFollowing } from '#contracts/following.ts'
import { followingPath } from '#contracts/paths.ts'
import { TODAY_PATH } from '#contracts/today.ts'
import { findAsset } from '#domain/asset.ts'
import { FOLLOW_CHANNELS, type FollowedKind } from '#domain/publishing/following.ts'
import { predictionPath } from '#domain/site.ts'
import { eventsOf } from '#server/judging/verdicts.rows.ts'
import { pauseAfter, type Answer, type Delivery } from '#server/kit/deliver.ts'
import { SourceError } from '#server/kit/failure.ts'
import { momentText } from '#server/kit/time.ts'
import { closestCalls } from '#server/predictions/today.service.ts'
import { type ListQuery } from '#server/record/list-query.ts'
import { publishedReplies } from '#server/replies/replies.rows.ts'
import { reportsOfEvents } from '#server/reports/reports.rows.ts'
import { mailText, type MailPart, AddressRefused } from '#server/submissions/mail.ts'
import { type FollowKit, visibleSubjects } from './followed-subject.ts'
import * as store from './followers.store.ts'
import * as texts from './news-text.ts'
import { newsOf, type News } from './news.service.ts'

const SEND_WITHIN_MS = 30_000
const TAKEN_FOR_MS = 120_000
/** Retention of sent news: longer than the week before a deadline. */
const RETENTION_DAYS = 60
const SENDERS = 2
/** Messages prepared per batch, as most followers get the same news. */
const BATCH = 6
const MOST_ITEMS = 50
const MOST_CLOSEST = 3
const MOST_PICTURES = 10
const LONGEST_SUBJECT = 160

export function defineNews(kit: FollowKit): void {
  const common = {
    takenForMs: TAKEN_FOR_MS,
    retentionDays: RETENTION_DAYS,
    atOnce: SENDERS,
    batch: BATCH,
    lanes: FOLLOW_CHANNELS.length,
    once: FOLLOW_CHANNELS,
    lostText: 'It may have been sent before the server stopped.',
  }
  kit.outbox.define({
    ...common,
    kind: store.QUESTIONS,
    title: 'Asking addresses to confirm',
    send: async (rows) => rows.map((row) => sendQuestion(kit, row)),
  })
  kit.outbox.define({
    ...common,
    kind: store.NEWS,
    title: 'News for followers',
    send: async (rows) => {
      const [refs, ids] = [rows.map(({ ref }) => ref), rows.map(({ id }) => id)]
      const followers = await store.followersByIds(kit.db, refs)
      const news = await newsOf(kit.db, ids)
      const itemOf = await itemsOf(kit, news)
      return rows.map(async (row) => {
        const items = news.flatMap((one) => (one.messageId === row.id ? (itemOf(one) ?? []) : []))
        return sendMessage(kit, row, followers.get(row.ref), items)
      })
    },
  })
}

/** Sends; if the address is refused, calls `end`. */
async function attempt(work: () => Promise<void>, end: () => Promise<unknown>): Promise<Answer> {
  try {
    await work()
    return { state: 'sent' }
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error
    await end()
    return { state: 'dropped' }
  }
}

async function sendQuestion(kit: FollowKit, row: Delivery): Promise<Answer> {
  const { db } = kit
  const question = await store.questionBy(db, 'id', row.ref)
  const address = question?.address ?? null
  if (!question || address === null) return { state: 'dropped' }
  const end = () => store.dropQuestion(db, question.id)
  if (await kit.addresses.isRefused(address)) {
    await end()
    return { state: 'dropped' }
  }
  return attempt(() => mailQuestion(kit, row, question, address), end)
}

async function sendMessage(
  kit: FollowKit,
  row: Delivery,
  to: store.Follower | undefined,
  items: readonly texts.NewsItem[],
): Promise<Answer> {
  const { db } = kit
  if (!to) return { state: 'dropped' }
  // By address: the browser may have received a new one meanwhile.
  const end = () => store.forgetAddress(db, to)
  if (to.channel === 'email' && (await kit.addresses.isRefused(to.address))) {
    await end()
    return { state: 'dropped' }
  }
  const isPush = to.channel === 'push'
  const send = async (): Promise<void> => {
    // The news was retracted meanwhile.
    if (items.length === 0) return
    await (isPush ? pushNews : mailNews)(kit, row, to, items)
  }
  try {
    return await attempt(send, end)
  } catch (error) {
    // A browser that accepts nothing for days is gone.
    const isBusy = error instanceof SourceError && error.fault === 'busy'
    if (isPush && isBusy && pauseAfter(row.tries) === undefined) await end()
    throw error
  }
}

/** @returns the text of each item; null for a retracted one */
async function itemsOf(
  kit: FollowKit,
  news: readonly News[],
): Promise<(one: News) => texts.NewsItem | null> {
  const names = [...new Set(news.map(({ event }) => event))]
  const numbers = names.flatMap((event) => {
    const number = /^event (\d+)$/.exec(event)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
  const happenings = await eventsOf(kit.db, texts.NEWS_KINDS, numbers)
  const events = new Map(happenings.map((one) => [`event ${String(one.event)}`, one]))
  const reports = await reportsOfEvents(kit.db, numbers)
  const replyIds = names.flatMap((event) => /^reply (.+)$/.exec(event)?.[1] ?? [])
  const published = await publishedReplies(kit.db, { ids: replyIds }, replyIds.length)
  const replies = new Map(published.map(({ id, text }) => [`reply ${id}`, text]))
  const found = await kit.record.byIds([...new Set(news.map((one) => one.predictionId))])
  const predictions = new Map(found.map((one) => [one.id, one]))
  return ({ event, predictionId }) => {
    const prediction = predictions.get(predictionId)
    if (!prediction) return null
    const happened = events.get(event)
    if (event === 'deadline') {
      return prediction.withdrawn ? null : texts.itemOfDeadline(prediction, kit.record.today())
    }
    const reply = replies.get(event)
    if (reply !== undefined)
      return prediction.withdrawn ? null : texts.itemOf(prediction, 'Reply', reply)
    return happened
      ? texts.itemOfEvent(happened, prediction, reports.get(happened.event) ?? [])
      : null
  }
}

async function mailQuestion(kit: FollowKit, row: Delivery, question: store.Question, to: string) {
  const { tokens } = kit
  const { origin } = kit.config
  const [followed] = await visibleSubjects(kit, [question])
  const token = tokens.followQuestion(question.id)
  const subject = 'Please confirm that you want news from Proof of Price'
  const parts: readonly MailPart[] = [
    `Someone, probably you, has asked Proof of Price to write to this address about ${followed?.title ?? 'a prediction'}: new calls, verdicts, corrections and deadlines.`,
    ['To agree, open this page and press the button', origin + followingPath(token)],
    `The link works until ${momentText(question.expiresAt)}. If it was not you, do nothing: we will not write again, and your address is deleted then. On the same page you can also block this site from writing to you.`,
    ['This mail was sent by', origin],
  ]
  await send(kit, row, {
    to,
    subject,
    parts,
    id: `follow-${question.id}`,
    wayOut: refuseFollowing.path.replace(':token', token),
  })
}

async function mailNews(
  kit: FollowKit,
  row: Delivery,
  to: store.Follower,
  items: readonly texts.NewsItem[],
): Promise<void> {
  const { tokens } = kit
  const { origin } = kit.config
  const id = String(row.id)
  const token = tokens.follower(to.id)
  // The token secret may have been replaced since; the links in this mail must work.
  const tokenHash = tokens.hash(token)
  if (to.tokenHash !== tokenHash) await store.changeFollower(kit.db, to.id, { tokenHash })
  const [first] = items
  const listed = items.slice(0, MOST_ITEMS)
  const more = items.length - listed.length
  let pictures = 0
  const parts = listed.flatMap(({ title, text, path, picture }): MailPart[] => {
    const hasPicture = picture !== null && pictures < MOST_PICTURES
    if (hasPicture) pictures += 1
    return [
      title,
      ...(text === '' ? [] : [text]),
      ...(hasPicture ? [{ picture: origin + picture, words: title }] : []),
      ['See it', origin + path],
    ]
  })
  await send(kit, row, {
    to: to.address,
    subject:
      items.length === 1
        ? (first?.title ?? '')
        : `${String(items.length)} updates on what you follow at Proof of Price`,
    parts: [
      ...parts,
      ...(to.every === 'now' ? [] : await closestParts(kit, to)),
      ...(more > 0 ? [`And ${String(more)} more on the site.`] : []),
      ['Change what you follow, stop, or delete your address', origin + followingPath(token)],
    ],
    id: `news-${id}-${tokens.message(id)}`,
    wayOut: endFollowing.path.replace(':token', token),
  })
}

async function closestParts(kit: FollowKit, to: store.Follower): Promise<MailPart[]> {
  const followed = await store.followsOf(kit.db, to.id)
  const subjects = (kind: FollowedKind): string[] =>
    followed.filter((one) => one.kind === kind).map(({ subject }) => subject)
  const [people, ids] = [subjects('person'), subjects('prediction')]
  const queries: ListQuery[] = [
    ...subjects('asset').flatMap((name) => {
      const asset = findAsset(name)
      return asset ? [{ asset: asset.key }] : []
    }),
    ...(people.length > 0 ? [{ expertIds: people.map(Number) }] : []),
    ...(ids.length > 0 ? [{ ids }] : []),
  ]
  const lists = await Promise.all(
    queries.map((query) => closestCalls(kit.record, query, MOST_CLOSEST)),
  )
  const closest = [...new Map(lists.flat().map((one) => [one.id, one])).values()]
    .toSorted((a, b) => (a.moves ?? 0) - (b.moves ?? 0))
    .slice(0, MOST_CLOSEST)
  return [
    ...(closest.length > 0 ? ['Closest to being decided by price:'] : []),
    ...closest.map(({ name, text, note, id }): MailPart => {
      return [texts.cleanText(`${name}: ${text}, ${note}`), kit.config.origin + predictionPath(id)]
    }),
    ['What else is new', kit.config.origin + TODAY_PATH],
  ]
}

async function pushNews(
  kit: FollowKit,
  row: Delivery,
  { address, pushKey: key, pushAuth: auth }: store.Follower,
  items: readonly texts.NewsItem[],
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
      tag: `news-${String(row.id)}`,
    },
    AbortSignal.timeout(SEND_WITHIN_MS),
    () => kit.outbox.asking(row),
  )
}

type NewsMail = Readonly<Record<'to' | 'subject' | 'id' | 'wayOut', string>> & {
  readonly parts: readonly MailPart[]
}

async function send(
  { mailer, config: { origin }, outbox }: FollowKit,
  row: Delivery,
  { to, subject, parts, id, wayOut }: NewsMail,
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
    () => outbox.asking(row),
  )
}

function shortened(subject: string): string {
  if (subject.length <= LONGEST_SUBJECT) return subject
  return `${subject.slice(0, LONGEST_SUBJECT - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
