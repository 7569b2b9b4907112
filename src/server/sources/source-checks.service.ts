import { sql } from 'drizzle-orm'
import { type listSourceChecks } from '#contracts/operations.ts'
import { type Kit, type SiteKit } from '#server/kit/kit.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { messagesOf, recordChanged } from '#server/record/record-state.ts'
import { type z } from 'zod'
import { type PageReply, type SourcePages } from './ports.ts'
import * as store from './source-checks.store.ts'

const MINUTE_MS = 60_000
const WEEK_MS = 7 * 86_400_000
/** All processes together check four addresses a minute, and no host twice a minute. */
const PACE_MS = 15_000
const HOST_PACE_MS = MINUTE_MS
/** Longer than any check; checks of a killed process are repeated after this. */
const ASKING_MS = 10 * MINUTE_MS
/** Delay before repeating a check that may have failed by our own connection. */
const OFFLINE_MS = 60 * MINUTE_MS
const MOST_DEAD = 100

/** Checks links of sources one at a time; the rows hold what is due. */
export function defineSourceChecks(kit: CheckKit & Pick<SiteKit, 'jobs'>): void {
  const job = kit.jobs.repeat({
    name: 'source-checks',
    title: 'Asking the addresses of sources',
    seconds: 300,
    run: async (signal) => {
      const reply = await checkNext(kit, signal)
      if (reply !== null) await job.send(kit.db, {}, PACE_MS / 1_000)
    },
  })
}

type CheckKit = Pick<Kit, 'db' | 'clock'> & { readonly pages: SourcePages }

/** Checks one link of the record, if one is due and the pace allows it. @returns the address checked; null if none was */
export async function checkNext(kit: CheckKit, signal: AbortSignal): Promise<string | null> {
  const check = await claim(kit)
  if (!check) return null
  const reply = await kit.pages.ask(check.url, signal)
  const isOurs = reply.kind === 'failed' && !reply.isAnswer && !(await isOnline(kit, check, signal))
  const result = isOurs ? postponed(check, reply) : afterAsk(check, reply)
  await kit.db.transaction(async (tx) => {
    const isSaved = await store.endCheck(tx, check, result)
    const deadSince = result.deadSince ?? null
    // Pages of its predictions show the link's state.
    if (isSaved && !isOurs && deadSince !== check.deadSince) {
      const named = sql`predictions.id in (select prediction_id from sources where url = ${check.url})`
      await recordChanged(tx, { predictions: await messagesOf(tx, named) })
    }
  })
  return check.url
}

function claim(kit: CheckKit): Promise<store.SourceCheck | null> {
  const now = isoNow(kit)
  return kit.db.transaction(async (tx) => {
    const last = await store.lastRequested(tx, now)
    if (last !== null && Date.parse(last) > kit.clock.now() - PACE_MS) return null
    const hostFrom = isoIn(kit, -HOST_PACE_MS)
    const url = await store.dueAddress(tx, { now, hostFrom, latest: isoIn(kit, WEEK_MS) })
    if (url === null) {
      await store.forgetOthers(tx)
      return null
    }
    return store.beginCheck(tx, url, { askedAt: now, nextAskAt: isoIn(kit, ASKING_MS) })
  })
}

/** Whether another host answers: without internet all links would appear dead. */
async function isOnline(
  kit: CheckKit,
  check: store.SourceCheck,
  signal: AbortSignal,
): Promise<boolean> {
  const other = await store.lastAnswered(kit.db, check.url)
  if (!other) return false
  const ago = kit.clock.now() - Date.parse(other.answeredAt)
  if (ago >= 0 && ago < MINUTE_MS) return true
  const reply = await kit.pages.ask(other.url, signal)
  return reply.kind !== 'failed' || reply.isAnswer
}

type Result = Partial<Omit<store.SourceCheck, 'url' | 'askedAt'>>

function postponed({ askedAt }: store.SourceCheck, reply: PageReply): Result {
  const reason = reply.kind === 'failed' ? reply.reason : ''
  return {
    nextAskAt: later(askedAt, OFFLINE_MS),
    lastError: `${reason} Other pages do not answer either: this site may have no internet.`,
  }
}

/**
 * State of a link after a check. A link is dead once it failed twice, at least a week apart, without a success
 * in between; a blocked check changes nothing.
 */
function afterAsk(before: store.SourceCheck, reply: PageReply): Result {
  const { askedAt } = before
  const nextAskAt = later(askedAt, WEEK_MS)
  switch (reply.kind) {
    case 'page':
      return {
        nextAskAt,
        answeredAt: askedAt,
        failingSince: null,
        deadSince: null,
        lastError: null,
      }
    case 'closed':
      return { nextAskAt, deadSince: before.deadSince, lastError: reply.reason }
    case 'failed': {
      const failingSince = before.failingSince ?? askedAt
      const isDead = Date.parse(askedAt) - Date.parse(failingSince) >= WEEK_MS
      const deadSince = before.deadSince ?? (isDead ? failingSince : null)
      return { nextAskAt, failingSince, deadSince, lastError: reply.reason }
    }
  }
}

function later(moment: string, ms: number): string {
  return new Date(Date.parse(moment) + ms).toISOString()
}

/** Link checks as shown to administrators. */
export async function sourceChecksState(
  kit: Pick<Kit, 'db' | 'clock' | 'config'>,
): Promise<z.input<typeof listSourceChecks.reply>> {
  const { last_asked, next_ask, dead, ...counts } = await store.checksSummary(kit.db, isoNow(kit))
  const rows = await store.deadAddresses(kit.db, MOST_DEAD)
  return {
    mode: kit.config.sourceChecks,
    ...counts,
    last_asked: isoOr(last_asked),
    next_ask: isoOr(next_ask),
    dead: {
      total: dead,
      newest: rows.map(({ dead_since, asked_at, last_error, ...row }) => ({
        ...row,
        dead_since: later(dead_since, 0),
        asked_at: later(asked_at, 0),
        note: last_error,
      })),
    },
  }
}

function isoOr(moment: string | null): string | null {
  return moment === null ? null : later(moment, 0)
}
