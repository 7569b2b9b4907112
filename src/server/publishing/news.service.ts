import { randomUUID } from 'node:crypto'
import { and, desc, eq, getTableColumns, gte, lt, ne, sql } from 'drizzle-orm'
import { type z } from 'zod'
import type * as contract from '#contracts/publishing.ts'
import { DAY_MS, addDays, isoDay } from '#domain/day.ts'
import { NETWORKS_OF_POSTS, type PostKind } from '#domain/publishing/social-post.ts'
import { admins } from '#server/database/schema/admins.ts'
import { predictionEvents, verdicts } from '#server/database/schema/predictions.ts'
import {
  dismissedProposals,
  socialPosts,
  socialSettings,
} from '#server/database/schema/publishing.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { isOtherOutcome } from '#server/judging/verdicts.rows.ts'
import { writeAudit, type Admin } from '#server/kit/admin.ts'
import { type Db, acquireLock, hasEffect } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { messageOf } from '#server/kit/text.ts'
import { iso, isoOrNull, isoIn, isoNow } from '#server/kit/time.ts'
import { chartPicture } from '#server/publishing/pictures/pictures.service.ts'
import { composed, textsAbout } from './posts.service.ts'
import { addPost } from './posts.store.ts'
import { type PublishingKit } from './publishing-kit.ts'

/*
 * Proposed posts: each new prediction, verdict and correction, until it is posted or dismissed. Computed from
 * the record on request; only dismissals are stored. Nothing is sent automatically.
 */

/** Older events are not proposed. */
const NEWS_DAYS = 7
const PAGE = 20

/** @param before the last event of the previous page */
export async function proposedPosts(kit: PublishingKit, before: number | null) {
  const rows = await newsOnRecord(kit.db, {
    since: isoIn(kit, -NEWS_DAYS * DAY_MS),
    sinceDay: isoDay(addDays(kit.record.today(), -NEWS_DAYS)),
    before,
    most: PAGE + 1,
  })
  const page = rows.slice(0, PAGE)
  const ids = new Set(page.map(({ predictionId }) => predictionId))
  const onRecord = new Map((await kit.record.byIds([...ids])).map((one) => [one.id, one]))
  return {
    proposals: page.flatMap(
      (one) => proposal(kit.config.origin, one, onRecord.get(one.predictionId)) ?? [],
    ),
    next: rows.length > PAGE ? (page.at(-1)?.event ?? null) : null,
  }
}

/** @returns null if it no longer applies */
function proposal(origin: string, news: NewsOnRecord, prediction: JudgedPrediction | undefined) {
  const { event, predictionId, kind, text, outcome, isWithdrawal } = news
  if (!prediction || (prediction.withdrawn !== null) !== isWithdrawal) return null
  if (kind === 'verdict' && prediction.verdicts.touch.outcome !== outcome) return null
  const post = composed(origin, prediction, kind, { words: text })
  if (post.x_text === '') return null
  return {
    event_id: event,
    at: iso(news.at),
    kind,
    prediction_id: predictionId,
    ...post,
    has_chart: !prediction.withdrawn,
  }
}

/** Dismisses a proposal, or restores it. @throws AppError `not_found` */
export async function dismissProposal(
  kit: PublishingKit,
  admin: Admin,
  event: number,
  isDismissed: boolean,
): Promise<void> {
  await kit.db.transaction(async (tx) => {
    const predictionId = await predictionOfEvent(tx, event)
    if (predictionId === null) throw failure('not_found', 'There is no such proposal.')
    const at = isoNow(kit)
    const dismissal = { eventId: event, dismissedBy: admin.id, dismissedAt: at }
    const change = isDismissed
      ? tx.insert(dismissedProposals).values(dismissal).onConflictDoNothing()
      : tx.delete(dismissedProposals).where(eq(dismissedProposals.eventId, event))
    if (!(await hasEffect(change))) return
    await writeAudit(tx, {
      at,
      admin,
      action: isDismissed ? 'proposed post dismissed' : 'proposed post put back',
      subject: { kind: 'prediction', id: predictionId },
      after: { event },
    })
  })
}

/*
 * Automatic posts about verdicts, off by default. Once on, every verdict caused by prices gets a post within a
 * day, up to the daily cap.
 */

type PublicSettings = z.input<typeof contract.changeSocialSettings.reply>
type Settings = Awaited<ReturnType<typeof readSettings>>

const FIRST = {
  auto_verdicts: false,
  auto_networks: [...NETWORKS_OF_POSTS],
  auto_with_link: false,
  auto_daily_cap: 3,
  autoSince: null,
  changedBy: null,
  changed_by: null,
  changed_at: null,
}

const { id: _, ...SETTINGS } = getTableColumns(socialSettings)

async function readSettings(db: Db) {
  const [row] = await db
    .select({ ...SETTINGS, changed_by: admins.username })
    .from(socialSettings)
    .innerJoin(admins, eq(admins.id, socialSettings.changedBy))
  return row ?? FIRST
}

function settingsReply(settings: Settings): PublicSettings {
  const { autoSince: _, changedBy: __, changed_at: at, ...rest } = settings
  return { ...rest, changed_at: isoOrNull(at) }
}

export async function automaticSettings({ db }: Pick<PublishingKit, 'db'>) {
  return settingsReply(await readSettings(db))
}

export async function changeAutomatic(
  kit: Pick<PublishingKit, 'db' | 'clock'>,
  admin: Admin,
  next: contract.SocialSettings,
): Promise<PublicSettings> {
  const at = isoNow(kit)
  await kit.db.transaction(async (tx) => {
    const before = await readSettings(tx)
    const values = {
      ...next,
      auto_networks: [...new Set(next.auto_networks)],
      // Other changes must not drop verdicts that still await their post.
      autoSince: next.auto_verdicts ? (before.autoSince ?? at) : null,
      changedBy: admin.id,
      changed_at: at,
    }
    await tx
      .insert(socialSettings)
      .values({ id: 1, ...values })
      .onConflictDoUpdate({ target: socialSettings.id, set: values })
    await writeAudit(tx, {
      at,
      admin,
      action: 'automatic posts changed',
      subject: { kind: 'social settings', id: null },
      before: settingsReply(before),
      after: next,
    })
  })
  return automaticSettings(kit)
}

function automaticSince(db: Db, since: string): Promise<number> {
  const { automatic, state, created_at: at } = socialPosts
  return db.$count(socialPosts, and(automatic, ne(state, 'cancelled'), gte(at, since)))
}

/** Schedules posts about new verdicts. @returns how many */
export async function planAutomatic(kit: PublishingKit): Promise<number> {
  const { db } = kit
  const settings = await readSettings(db)
  const { auto_verdicts: isOn, autoSince: since, auto_daily_cap: cap, changedBy } = settings
  if (!isOn || changedBy === null || since === null) return 0
  const dayAgo = isoIn(kit, -DAY_MS)
  const news = await newVerdicts(db, Date.parse(since) > Date.parse(dayAgo) ? since : dayAgo)
  // Above the cap, skips drawing the picture.
  if (news.length === 0 || (await automaticSince(db, dayAgo)) >= cap) return 0
  let planned = 0
  for (const verdict of news) {
    const outcome = await plan(kit, verdict, settings, changedBy)
    if (outcome === 'cap') break
    if (outcome === 'planned') planned += 1
  }
  return planned
}

async function plan(
  kit: PublishingKit,
  { verdictId, predictionId, outcome }: Awaited<ReturnType<typeof newVerdicts>>[number],
  settings: Settings,
  createdBy: number,
): Promise<'planned' | 'not-now' | 'cap'> {
  const { db, record, config } = kit
  const prediction = await record.find(predictionId)
  // It may have changed meanwhile; the next run retries.
  if (!prediction || prediction.withdrawn) return 'not-now'
  if (prediction.verdicts.touch.outcome !== outcome) return 'not-now'
  const networks = settings.auto_networks.filter((one) => kit[one] !== null)
  if (networks.length === 0) return 'not-now'
  const at = isoNow(kit)
  const post = {
    id: randomUUID(),
    kind: 'verdict' as const,
    state: 'scheduled' as const,
    networks,
    ...textsAbout(config.origin, prediction, 'verdict', { isLinkedOnX: settings.auto_with_link }),
    pictures: await chartOf(kit, predictionId),
    scheduled_at: at,
    prediction_id: predictionId,
    verdict_id: verdictId,
    automatic: true,
    createdBy,
    created_at: at,
    updated_at: at,
  }
  return db.transaction(async (tx) => {
    // The cap applies to all processes together.
    await acquireLock(tx, 'proof-of-price automatic posts')
    if ((await automaticSince(tx, isoIn(kit, -DAY_MS))) >= settings.auto_daily_cap) return 'cap'
    if (!(await addPost(tx, post))) return 'not-now'
    await writeAudit(tx, {
      at,
      admin: null,
      action: 'post planned by the server',
      subject: { kind: 'social post', id: post.id },
      after: { networks, x_text: post.x_text, verdict: verdictId },
    })
    return 'planned'
  })
}

/** Null if the chart cannot be drawn: a post without it is better than none. */
async function chartOf(kit: PublishingKit, predictionId: string) {
  try {
    const { id, alt } = await chartPicture(kit, predictionId)
    return [{ id, alt }]
  } catch (error) {
    const detail = { prediction: predictionId }
    kit.log.warn(detail, `A chart could not be drawn for a post: ${messageOf(error)}`)
    return []
  }
}

type NewsOnRecord = Awaited<ReturnType<typeof newsOnRecord>>[number]

const KIND = sql<Exclude<PostKind, 'manual'>>`case ${predictionEvents.kind}
  when 'published' then 'prediction'
  when 'judged' then 'verdict'
  when 'changed' then 'verdict'
  else 'correction' end`

/**
 * Recent events without a post, newest first: published submissions, verdicts caused by prices, and
 * corrections. Excludes imports, and verdicts of long ago.
 */
async function newsOnRecord(
  db: Db,
  page: { since: string; sinceDay: string; before: number | null; most: number },
) {
  const { since, sinceDay, before, most } = page
  return db
    .select({
      event: predictionEvents.id,
      at: predictionEvents.at,
      predictionId: predictionEvents.predictionId,
      kind: KIND,
      /** As in the public history. */
      text: predictionEvents.text,
      outcome: verdicts.outcome,
      isWithdrawal: sql<boolean>`${predictionEvents.kind} = 'withdrawn'`,
    })
    .from(predictionEvents)
    .leftJoin(verdicts, eq(verdicts.id, predictionEvents.verdictId))
    .where(
      and(
        gte(predictionEvents.at, since),
        before === null ? undefined : lt(predictionEvents.id, before),
        sql`(${IS_SUBMITTED} or ${IS_CORRECTION}
          or ${predictionEvents.kind} in ('judged', 'changed') and ${IS_NEW_VERDICT} and ${verdicts.day} >= ${sinceDay})`,
        sql`not exists (select from dismissed_proposals d where d.event_id = ${predictionEvents.id})`,
        HAS_NO_POST,
      ),
    )
    .orderBy(desc(predictionEvents.id))
    .limit(most)
}

const IS_SUBMITTED = sql`(${predictionEvents.kind} = 'published' and exists (
  select from submissions s where s.prediction_id = ${predictionEvents.predictionId}))`

/** A verdict caused by prices and still in force. The same outcome with better evidence is not news. */
const IS_NEW_VERDICT = sql`(${verdicts.mode} = 'touch' and ${verdicts.change} = 'prices' and ${verdicts.outcome} in ('hit', 'miss')
  and ${isOtherOutcome()}
  and not exists (select from verdicts v where v.prediction_id = ${verdicts.predictionId} and v.mode = 'touch'
    and v.id > ${verdicts.id} and v.outcome <> ${verdicts.outcome}))`

/** A correction still in force: not edited again, restored or decided again. */
const IS_CORRECTION = sql`(${predictionEvents.kind} = 'edited' and not exists (select from prediction_events e
    where e.prediction_id = ${predictionEvents.predictionId} and e.kind = 'edited' and e.id > ${predictionEvents.id})
  or ${predictionEvents.kind} = 'withdrawn' and not exists (select from prediction_events e
    where e.prediction_id = ${predictionEvents.predictionId} and e.kind = 'restored' and e.id > ${predictionEvents.id})
  or ${predictionEvents.kind} = 'overridden' and ${verdicts.mode} = 'touch' and not exists (select from verdicts v
    where v.prediction_id = ${verdicts.predictionId} and v.mode = 'touch' and v.id > ${verdicts.id}))`

/** Posts may also exist without the proposal: by hand, automatic, or to approve the submission. */
const HAS_NO_POST = sql`not exists (select from social_posts p where p.state <> 'cancelled' and (
  p.event_id = ${predictionEvents.id}
  or p.verdict_id = ${verdicts.id}
  or p.prediction_id = ${predictionEvents.predictionId} and p.kind = ${KIND} and p.created_at >= ${predictionEvents.at}
  or ${predictionEvents.kind} = 'published' and exists (
    select from submissions s where s.id = p.submission_id and s.prediction_id = ${predictionEvents.predictionId})))`

/** Recent verdicts without an automatic post. */
export async function newVerdicts(db: Db, since: string) {
  const { id: verdictId, predictionId, outcome, computedAt } = verdicts
  return db
    .select({ verdictId, predictionId, outcome })
    .from(verdicts)
    .where(
      and(
        gte(computedAt, since),
        IS_NEW_VERDICT,
        sql`not exists (select from social_posts s where s.verdict_id = ${verdictId} and s.is_automatic)`,
      ),
    )
    .orderBy(desc(verdictId))
    .limit(50)
}

export async function predictionOfEvent(db: Db, event: number): Promise<string | null> {
  const rows = await db
    .select({ id: predictionEvents.predictionId })
    .from(predictionEvents)
    .where(eq(predictionEvents.id, event))
  return rows[0]?.id ?? null
}
