import { type schedulingStats } from '#contracts/publishing.ts'
import { postCost } from '#domain/publishing/post-length.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { countPosts, nextPlanned, postedSince } from './post-counts.store.ts'
import { type z } from 'zod'

const DAY_MS = 86_400_000

/** How many posts stand where, and what was sent lately. */
export async function socialStats(
  db: Db,
  clock: Clock,
): Promise<z.input<typeof schedulingStats.reply>['stats']> {
  const { states, results } = await countPosts(db)
  const posted = await postedSince(db, new Date(clock.now() - 30 * DAY_MS).toISOString())
  const onX = posted.filter((one) => one.network === 'x')
  const usd = onX.reduce((sum, one) => sum + postCost(one.xText, one.alts), 0)
  const dayAgo = clock.now() - DAY_MS
  const isToday = ({ at }: { at: string }): boolean => Date.parse(at) >= dayAgo
  const next = await nextPlanned(db)
  return {
    drafts: states.draft ?? 0,
    scheduled: states.scheduled ?? 0,
    sending: states.sending ?? 0,
    missed: states.missed ?? 0,
    cancelled: states.cancelled ?? 0,
    posted: results.posted ?? 0,
    failed: results.failed ?? 0,
    unknown: results.unknown ?? 0,
    next_at: next === null ? null : new Date(next).toISOString(),
    posted_last_24h: new Set(posted.filter(isToday).map(({ id }) => id)).size,
    posted_on_x_last_24h: onX.filter(isToday).length,
    cost_last_30d_usd: Math.round(usd * 1_000) / 1_000,
  }
}
