import { and, asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type * as contract from '#contracts/corrections.ts'
import { type GoalpostsRow } from '#contracts/predictions.ts'
import { showClaim } from '#domain/claim/text.ts'
import { showTimeBetween, isoDay } from '#domain/day.ts'
import * as repeats from '#domain/scoring/repeats.ts'
import { revisionDecisions as table } from '#server/database/schema/predictions.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { writeAudit, type Admin } from '#server/kit/admin.ts'
import { acquireLock, type Db, PAGE_SIZE, paged } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { iso, momentText, isoNow } from '#server/kit/time.ts'
import { predictionRow } from '#server/predictions/wire.ts'
import { HIGHEST, LOWEST, splitOf } from '#server/record/list-query.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { type PublicRecord } from '#server/record/record.service.ts'

export type GoalpostKit = Pick<Kit, 'db' | 'clock'> & {
  readonly record: PublicRecord
}

type State = contract.GoalpostPair['state']
type Pair = {
  readonly earlier: JudgedPrediction
  readonly later: JudgedPrediction
  readonly state: State
  readonly isVisible: boolean
  readonly decided: StoredDecision | null
}

const DECISIONS: Readonly<Record<State, { readonly action: string; readonly message: string }>> = {
  confirmed: {
    action: 'goalpost confirmed',
    message: 'Confirmed: the page of the person shows it as checked.',
  },
  cut: { action: 'goalpost cut', message: 'Dismissed: no page shows it any more.' },
  suggested: {
    action: 'goalpost decision taken back',
    message: 'Taken back: it waits for a decision again.',
  },
}

export async function goalpostPage(
  kit: Pick<GoalpostKit, 'db' | 'record'>,
  { state, page }: { readonly state: State | 'all'; readonly page: number },
): Promise<z.input<typeof contract.listGoalposts.reply>> {
  const all = await pairsOf(kit)
  const count = (one: State): number => all.filter((pair) => pair.state === one).length
  const found = state === 'all' ? all : all.filter((pair) => pair.state === state)
  return {
    ...paged(found.length, page),
    counts: {
      all: all.length,
      suggested: count('suggested'),
      confirmed: count('confirmed'),
      cut: count('cut'),
    },
    rows: found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(rowOf),
  }
}

/**
 * Stores an administrator's decision about two calls, or withdraws it. Pages apply decisions to the current record, so
 * one about calls corrected meanwhile has no effect.
 * @returns a message
 * @throws AppError `conflict` if it was decided meanwhile, or the later call is no longer a revision of the earlier one
 */
export async function decideOnGoalpost(
  { db, clock, record }: GoalpostKit,
  admin: Admin,
  decision: contract.GoalpostDecision,
): Promise<string> {
  const { earlier, later, state, was } = decision
  const call = await record.find(later)
  const calls = call ? await record.list({ experts: [call.expert.slug] }) : []
  return db.transaction(async (tx) => {
    await acquireLock(tx)
    const decisions = await loadDecisions(tx)
    const stored = decisions.find((one) => isAbout(one, decision))
    if ((stored?.state ?? 'suggested') !== was) {
      const message = stored
        ? `${stored.username} ${stored.state} this on ${momentText(stored.at)}. Please load the list again.`
        : 'The decision about this pair was taken back meanwhile. Please load the list again.'
      throw failure('conflict', message)
    }
    if (state === was) throw failure('conflict', `This pair is already ${state}.`)
    if (!(await isPossible(record, calls, decisions, decision))) {
      throw failure(
        'conflict',
        'By the rule the later call is not a revision of the earlier one: they were corrected meanwhile, or one of them belongs to another confirmed pair. Please load the list again.',
      )
    }
    const at = isoNow({ clock })
    if (state === 'suggested') {
      await tx.delete(table).where(and(eq(table.earlierId, earlier), eq(table.laterId, later)))
    } else {
      const set = { state, at, username: admin.username }
      await tx
        .insert(table)
        .values({ earlierId: earlier, laterId: later, ...set })
        .onConflictDoUpdate({ target: [table.earlierId, table.laterId], set })
    }
    const { action, message } = DECISIONS[state]
    const subject = { kind: 'goalpost', id: `${earlier} → ${later}` }
    await writeAudit(tx, { at, admin, action, subject, before: { state: was }, after: { state } })
    await recordChanged(tx)
    return message
  })
}

/**
 * Withdrawing a decision, and dismissing a confirmed pair, are always possible; otherwise the pair must be
 * linked, or become linked by confirmation.
 */
async function isPossible(
  record: PublicRecord,
  calls: readonly JudgedPrediction[],
  decisions: readonly StoredDecision[],
  decision: contract.GoalpostDecision,
): Promise<boolean> {
  const { earlier, later, state, was } = decision
  if (state === 'suggested' || was === 'confirmed') return true
  const before = decisions.filter((one) => !isAbout(one, decision))
  const confirmed = { earlier, later, state: 'confirmed' } as const
  const decided = state === 'confirmed' ? [...before, confirmed] : decisions
  const chains = await chainsAmong(record, calls, decided)
  return chains.some(({ calls }) =>
    calls.some(({ id }, i) => id === later && calls[i - 1]?.id === earlier),
  )
}

type Ids = Pick<StoredDecision, 'earlier' | 'later'>

function isAbout(one: Ids, { earlier, later }: Ids): boolean {
  return one.earlier === earlier && one.later === later
}

/** Every linked or decided pair, by person and date. */
async function pairsOf({ db, record }: Pick<GoalpostKit, 'db' | 'record'>) {
  const decisions = await loadDecisions(db)
  const chains = await chainsAmong(record, await revisable(record), decisions)
  const decided = new Map(decisions.map((one) => [repeats.pairKey(one.earlier, one.later), one]))
  const linked = chains.flatMap(({ calls, links }) =>
    links.flatMap((state, i): Pair[] => {
      const [earlier, later] = [calls[i], calls[i + 1]]
      if (!earlier || !later) return []
      const known = decided.get(repeats.pairKey(earlier.id, later.id)) ?? null
      return [{ earlier, later, state, isVisible: true, decided: known }]
    }),
  )
  const unlinked = decisions.filter((one) =>
    linked.every(({ earlier, later }) => !isAbout(one, { earlier: earlier.id, later: later.id })),
  )
  const ids = new Set(unlinked.flatMap((one) => [one.earlier, one.later]))
  const found = new Map((await record.byIds([...ids])).map((one) => [one.id, one]))
  const others = unlinked.flatMap((one): Pair[] => {
    const [earlier, later] = [found.get(one.earlier), found.get(one.later)]
    if (!earlier || !later) return []
    return [{ earlier, later, state: one.state, isVisible: false, decided: one }]
  })
  return [...linked, ...others].toSorted(
    (a, b) =>
      a.later.expert.name.localeCompare(b.later.expert.name, 'en') ||
      a.later.expert.id - b.later.expert.id ||
      a.later.made - b.later.made ||
      (a.later.id < b.later.id ? -1 : 1),
  )
}

function rowOf({ earlier, later, state, isVisible, decided }: Pair): contract.GoalpostPair {
  return {
    earlier: predictionRow(earlier),
    later: predictionRow(later),
    state,
    delay: showTimeBetween(earlier.by, later.by),
    is_shown: isVisible,
    decided: decided && { who: decided.username, at: iso(decided.at) },
  }
}

type StoredDecision = repeats.RevisionDecision & { readonly at: string; readonly username: string }

function loadDecisions(db: Db): Promise<StoredDecision[]> {
  const { earlierId: earlier, laterId: later, state, at, username } = table
  return db
    .select({ earlier, later, state, at, username })
    .from(table)
    .orderBy(asc(at), asc(earlier), asc(later))
}

type Chain = repeats.RevisionChain<JudgedPrediction>

async function chainsAmong(
  record: Pick<PublicRecord, 'prices'>,
  calls: readonly JudgedPrediction[],
  decisions: readonly repeats.RevisionDecision[],
): Promise<readonly Chain[]> {
  const prices = await record.prices()
  const reachedAfter = repeats.reachedAfterIn((asset) => prices[asset].series)
  return repeats.revisionChains(calls, decisions, reachedAfter)
}

/** @param calls all predictions of one person */
export async function revisionsAmong(
  db: Db,
  record: PublicRecord,
  calls: readonly JudgedPrediction[],
): Promise<readonly Chain[]> {
  return chainsAmong(record, calls, await loadDecisions(db))
}

/** Calls that may revise each other, slightly more than `revisionChains` accepts. */
async function revisable(record: PublicRecord): Promise<JudgedPrediction[]> {
  const split = splitOf((await record.prices()).actions)
  const isNear = (level: 'low' | 'high') =>
    sql.raw(
      `abs(a.${level} - b.${level}) <= ${String(repeats.SAME_LEVEL)} * 1.001 * greatest(a.${level}, b.${level})`,
    )
  const found = await record.query(
    z.object({ id: z.string() }),
    {},
    (condition) => sql`
      with calls as (
        select predictions.id, influencer_id, asset, made, target_date, ${LOWEST} / (${split}) as low,
          ${HIGHEST} / (${split}) as high
        from predictions where ${condition} and not deadline_assumed and touch_outcome <> 'void'
      )
      select distinct unnest(array[a.id, b.id]) as id from calls a join calls b
        on b.influencer_id = a.influencer_id and b.asset = a.asset and b.made > a.made
          and b.target_date > a.target_date and b.made <= a.target_date + ${repeats.AGAIN_DAYS}::int
          and (${isNear('low')} or ${isNear('high')})`,
  )
  return record.byIds(found.map(({ id }) => id))
}

export function goalpostsRow({ calls, links, days }: Chain): GoalpostsRow {
  const last = calls.at(-1) ?? calls[1]
  return {
    delay_days: days,
    delay: showTimeBetween(calls[0].by, last.by),
    calls: calls.map((call, i) => ({
      id: call.id,
      price_prediction: showClaim(call.statedClaim),
      prediction_made: isoDay(call.made),
      made_precision: call.madePrecision,
      target_time: isoDay(call.by),
      target_precision: call.byPrecision,
      outcome: call.verdicts.touch.outcome,
      link: links[i - 1] ?? null,
    })),
  }
}
