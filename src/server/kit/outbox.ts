import { DAY_MS } from '#domain/day.ts'
// Over 400 lines: adding, taking and settling a delivery are one state machine.
import { outbox } from '#server/database/schema/outbox.ts'
import {
  and,
  asc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  min,
  ne,
  not,
  notInArray,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Db } from './db.ts'
import { type Job, type Jobs } from './jobs.ts'
import { isoIn, isoNow } from './now.ts'
import { SourceError, type Clock, type Log } from './ports.ts'
import { sentenceOf, troubleOf } from './trouble.ts'

export type Delivery = typeof outbox.$inferSelect
type Added = Pick<Delivery, 'key' | 'ref' | 'lane'> & Partial<Pick<Delivery, 'payload' | 'due'>>

/** Outcome of an attempt. Without `dueMs` nothing happens until somebody acts. */
export type Answer = {
  readonly state: 'sent' | 'failed' | 'unknown' | 'waiting' | 'dropped'
  readonly error?: string | null
  /** Next attempt, ms from now. */
  readonly dueMs?: number
  /** The attempt doesn't count. */
  readonly isFree?: boolean
  /** Pauses the whole lane until then. */
  readonly pausesLane?: boolean
  /** Merged into the stored payload. */
  readonly payload?: Readonly<Record<string, unknown>>
  /** It is certain that nothing was sent. */
  readonly isUnasked?: boolean
}

/** Another process has taken over the delivery. */
export class TakenOver extends Error {}

export type DeliveryKind = {
  readonly kind: string
  /** Shown to administrators. */
  readonly title: string
  /** Concurrent lanes per process, and senders per lane. */
  readonly lanes?: number
  readonly atOnce?: number
  /** Rows of a lane sent together. */
  readonly batch?: number
  /** Lease of a sender; longer than an attempt takes. */
  readonly takenForMs: number
  /**
   * Lanes that must not send twice: a delivery whose sender died after `asking` becomes unknown, for a person to
   * decide.
   */
  readonly once?: readonly string[]
  readonly lostText?: string
  /** Retention of finished rows in days, but for unknown ones; unlimited by default. */
  readonly retentionDays?: number
  /** People decide about it on a screen of its own. */
  readonly hasScreen?: boolean
  /**
   * What it throws, for all rows or for one, is retried, except that a request which may have arrived makes its row unknown.
   * @returns one outcome per row, stored as it arrives
   */
  readonly send: (
    rows: readonly Delivery[],
    signal: AbortSignal,
    /** A person is waiting for the outcome and decides what comes next. */
    isAsked: boolean,
  ) => Promise<readonly (Answer | Promise<Answer>)[]>
  /** Called after the outcome is stored. */
  readonly ended?: (row: Delivery, answer: Pick<Answer, 'state'>) => Promise<void>
  /** Called in the transaction that stores the outcome. */
  readonly noted?: (tx: Db, row: Delivery, answer: Answer) => Promise<void>
}

type Kinds = Map<string, DeliveryKind & { readonly job: Job<{ lane: string }> | null }>
type OutboxKit = { readonly db: Db; readonly clock: Clock; readonly log: Log }

export type Outbox = ReturnType<typeof openOutbox>

const MINUTE_MS = 60_000
/** Delays between attempts; after the last one the delivery fails. */
const PAUSES_MS = [1, 5, 30, 120, 480, 1_440].map((minutes) => minutes * MINUTE_MS)
/** Delay while the other side is down. */
const DOWN_MS = 15 * MINUTE_MS
/** Time slice of a lane while others have due rows. */
const LANE_FOR_MS = 30_000
/** Clocks of two servers differ by less. */
const SET_BACK_MS = MINUTE_MS
const KEEP_TRIES = 5
const KEEP_PAUSE_MS = 1_000
/** An attempt that hangs ends before its lease does. */
const LEASE_PART = 0.9
/** Failed deliveries are listed, and can be tried again. */
export const LISTED_FOR_MS = 30 * DAY_MS
const STOPPED = 'The server stopped each time this was sent.'
const UNDEFINED = 'This version cannot send deliveries of this kind.'
const HUNG = 'It did not end in time.'
/** Processes of a newer version have sent their kinds by then. */
const UNDEFINED_FOR_MS = 60 * MINUTE_MS

/** The delay after this many attempts; undefined after the last. */
export function pauseAfter(tries: number): number | undefined {
  return PAUSES_MS[tries - 1]
}

/**
 * The outbox: transactions add rows, and a job per lane sends them.
 * @param kit without jobs, rows are sent by the running site
 */
export function openOutbox(kit: OutboxKit & { readonly jobs: Pick<Jobs, 'define'> | null }) {
  const { db, clock } = kit
  const kinds: Kinds = new Map()

  kit.jobs?.define({
    name: 'outbox',
    title: 'Looking for deliveries',
    data: z.object({}),
    key: () => 'all',
    every: { seconds: 300, data: [{}] },
    run: () => lookAfter(kit, kinds),
  })

  function kindOf(kind: string) {
    const found = kinds.get(kind)
    if (!found) throw new Error(`no delivery is defined for ${kind}`)
    return found
  }

  return {
    define: (given: DeliveryKind): void => {
      const job = kit.jobs?.define({
        name: `outbox-${given.kind}`,
        title: given.title,
        data: z.object({ lane: z.string() }),
        key: ({ lane }) => lane,
        atOnce: given.lanes ?? 1,
        withinSeconds: Math.ceil((LANE_FOR_MS + given.takenForMs) / 1_000),
        retry: { limit: 1_000, seconds: 5, mostSeconds: 60 },
        run: async ({ lane }, signal) => {
          await deliverLane(kit, given, lane, signal)
          const [next] = await db
            .select({ due: min(outbox.due) })
            .from(outbox)
            .where(and(eq(outbox.kind, given.kind), eq(outbox.lane, lane)))
          if (next?.due == null) return
          const waitMs = Date.parse(next.due) - clock.now()
          await job?.send(db, { lane }, Math.min(3_600, Math.max(0.05, waitMs / 1_000)))
        },
      })
      kinds.set(given.kind, { ...given, job: job ?? null })
    },

    /** Adds missing rows, to be sent on commit. */
    add: async (tx: Db, kind: string, rows: readonly Added[]): Promise<void> => {
      const at = isoNow(kit)
      for (let i = 0; i < rows.length; i += 1_000) {
        await tx
          .insert(outbox)
          .values(
            rows
              .slice(i, i + 1_000)
              .map((row) => ({ due: at, ...row, kind, createdAt: at, updatedAt: at })),
          )
          .onConflictDoNothing()
      }
      for (const lane of new Set(rows.map((row) => row.lane)))
        await kindOf(kind).job?.send(tx, { lane })
    },

    /** Schedules a lane on commit. */
    wake: async (tx: Db, kind: string, lane: string, afterMs = 0): Promise<void> =>
      kindOf(kind).job?.send(tx, { lane }, afterMs / 1_000),

    /** Marks that a request is about to be sent. @throws TakenOver */
    asking: async (
      { id, claim: mine }: Delivery,
      payload?: Readonly<Record<string, unknown>>,
    ): Promise<void> => {
      const rows = await db
        .update(outbox)
        .set({ askedAt: isoNow(kit), ...(payload && { payload: merged(payload) }) })
        .where(and(eq(outbox.id, id), eq(outbox.claim, mine), eq(outbox.state, 'sending')))
        .returning({ id: outbox.id })
      if (rows.length === 0) throw new TakenOver()
    },

    /** Stores data with a row. @throws TakenOver */
    notePayload: async (
      { id, claim: mine }: Delivery,
      payload: Readonly<Record<string, unknown>>,
    ): Promise<void> => {
      const rows = await db
        .update(outbox)
        .set({ payload: merged(payload) })
        .where(and(eq(outbox.id, id), eq(outbox.claim, mine)))
        .returning({ id: outbox.id })
      if (rows.length === 0) throw new TakenOver()
    },

    /** Stores the outcome of a row delivered by other means; a sent row stays sent. */
    settle: async (kind: string, key: string, answer: Answer): Promise<void> => {
      const [row] = await db
        .update(outbox)
        .set({ claim: sql`${outbox.claim} + 1`, tries: sql`greatest(${outbox.tries}, 1)` })
        .where(and(eq(outbox.kind, kind), eq(outbox.key, key), ne(outbox.state, 'sent')))
        .returning()
      if (row) await keep(kit, kindOf(kind), row, answer)
    },

    titleOf: (kind: string): string => kinds.get(kind)?.title ?? kind,

    /**
     * For a person: queues an unknown delivery again, or a failed one with all that had failed for the same reason by then.
     * @returns them; none if it is not listed any more
     */
    again: async (tx: Db, id: number): Promise<Delivery[]> => {
      const row = await toDecide(tx, kinds, id)
      if (!row) return []
      const rows = await queueAgain(kit, tx, row)
      await kinds.get(row.kind)?.job?.send(tx, { lane: row.lane })
      return rows
    },

    /** For a person who knows that an unknown delivery has arrived. @returns it, unless it is not unknown any more */
    arrived: async (tx: Db, id: number): Promise<Delivery[]> => {
      const row = await toDecide(tx, kinds, id)
      if (row?.state !== 'unknown') return []
      return tx
        .update(outbox)
        .set({ state: 'sent', claim: sql`${outbox.claim} + 1` })
        .where(eq(outbox.id, id))
        .returning()
    },

    /** Sends one queued row now, for a person waiting for the outcome. */
    deliverOne: async (kind: string, key: string): Promise<void> => {
      const signal = new AbortController().signal
      await deliverSome(kit, kindOf(kind), eq(outbox.key, key), signal, true)
    },

    /** Sends due rows of a kind until none are left. @returns whether there were any */
    deliver: async (
      kind: string,
      signal: AbortSignal = new AbortController().signal,
    ): Promise<boolean> => {
      const of = kindOf(kind)
      const lanes = await db
        .selectDistinct({ lane: outbox.lane })
        .from(outbox)
        .where(and(eq(outbox.kind, kind), lte(outbox.due, isoNow(kit))))
      await Promise.all(lanes.map((one) => deliverLane(kit, of, one.lane, signal)))
      return lanes.length > 0
    },
  }
}

/** Sends what is due and has no job, and removes what is old. */
async function lookAfter(kit: OutboxKit, kinds: Kinds): Promise<void> {
  const { db } = kit
  for (const of of kinds.values()) await correctDue(kit, of)
  const due = await db
    .selectDistinct({ kind: outbox.kind, lane: outbox.lane })
    .from(outbox)
    .where(lte(outbox.due, isoNow(kit)))
  for (const { kind, lane } of due) await kinds.get(kind)?.job?.send(db, { lane })
  const isUndefined = notInArray(outbox.kind, [...kinds.keys()])
  await db
    .update(outbox)
    .set({
      state: sql`case when ${outbox.askedAt} is null then 'failed' else 'unknown' end`,
      due: null,
      lastError: UNDEFINED,
      updatedAt: isoNow(kit),
    })
    .where(
      and(
        isUndefined,
        inArray(outbox.state, ['waiting', 'sending']),
        lte(outbox.due, isoIn(kit, -UNDEFINED_FOR_MS)),
      ),
    )
  for (const { kind, retentionDays } of kinds.values()) {
    if (retentionDays === undefined) continue
    await db
      .delete(outbox)
      .where(
        and(
          eq(outbox.kind, kind),
          isNull(outbox.due),
          ne(outbox.state, 'unknown'),
          lt(outbox.createdAt, isoIn(kit, -retentionDays * DAY_MS)),
        ),
      )
  }
}

/** Locks a failed or unknown delivery that is not decided on another screen. */
async function toDecide(tx: Db, kinds: Kinds, id: number): Promise<Delivery | null> {
  const [row] = await tx
    .select()
    .from(outbox)
    .where(and(eq(outbox.id, id), inArray(outbox.state, ['failed', 'unknown'])))
    .for('update')
  return row && !kinds.get(row.kind)?.hasScreen ? row : null
}

function queueAgain(kit: OutboxKit, tx: Db, row: Delivery): Promise<Delivery[]> {
  const { id, kind, lane, state, lastError, updatedAt } = row
  const isAlike = and(
    eq(outbox.kind, kind),
    eq(outbox.lane, lane),
    eq(outbox.state, 'failed'),
    sql`${outbox.lastError} is not distinct from ${lastError}`,
    lte(outbox.updatedAt, updatedAt),
    gte(outbox.updatedAt, isoIn(kit, -LISTED_FOR_MS)),
  )
  return tx
    .update(outbox)
    .set({
      state: 'waiting',
      due: isoNow(kit),
      tries: 0,
      askedAt: null,
      claim: sql`${outbox.claim} + 1`,
    })
    .where(state === 'failed' ? isAlike : eq(outbox.id, id))
    .returning()
}

/** Makes rows due that a clock set back has left in the future. */
async function correctDue(
  kit: OutboxKit,
  { kind, takenForMs }: Pick<DeliveryKind, 'kind' | 'takenForMs'>,
): Promise<void> {
  const isSending = eq(outbox.state, 'sending')
  const lease = isoIn(kit, takenForMs)
  await kit.db
    .update(outbox)
    .set({
      // A sender from before may still be at work.
      due: sql`case when ${isSending} then ${lease}::timestamptz else ${isoNow(kit)}::timestamptz end`,
      updatedAt: isoNow(kit),
    })
    .where(
      and(
        eq(outbox.kind, kind),
        isNotNull(outbox.due),
        gt(outbox.updatedAt, isoIn(kit, SET_BACK_MS)),
      ),
    )
}

function merged(payload: Readonly<Record<string, unknown>>): SQL {
  return sql`${outbox.payload} || ${JSON.stringify(payload)}::jsonb`
}

/** Marks rows whose sender died after `asking`: they may have been sent. */
async function markLost(kit: OutboxKit, of: DeliveryKind, only: SQL | undefined): Promise<void> {
  if (!of.once) return
  const lost = kit.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        eq(outbox.kind, of.kind),
        only,
        eq(outbox.state, 'sending'),
        inArray(outbox.lane, [...of.once]),
        isNotNull(outbox.askedAt),
        lte(outbox.due, isoNow(kit)),
      ),
    )
    // Senders run concurrently.
    .for('update', { skipLocked: true })
  const marked = await kit.db
    .update(outbox)
    .set({
      state: 'unknown',
      due: null,
      // A sender that was only slow can still store the outcome.
      lastError: of.lostText ?? 'The server stopped while this was sent.',
      updatedAt: isoNow(kit),
    })
    .where(inArray(outbox.id, lost))
    .returning()
  for (const row of marked) await of.ended?.(row, { state: 'unknown' })
}

function claim(
  kit: OutboxKit,
  of: DeliveryKind,
  only: SQL | undefined,
  most: number,
): Promise<Delivery[]> {
  const now = isoNow(kit)
  const due = kit.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        eq(outbox.kind, of.kind),
        only,
        lte(outbox.due, now),
        of.once ? or(isNull(outbox.askedAt), notInArray(outbox.lane, [...of.once])) : undefined,
      ),
    )
    .orderBy(asc(outbox.due), asc(outbox.id))
    .limit(most)
    .for('update', { skipLocked: true })
  return kit.db
    .update(outbox)
    .set({
      state: sql`case ${outbox.state} when 'waiting' then 'sending' else ${outbox.state} end`,
      due: isoIn(kit, of.takenForMs),
      tries: sql`${outbox.tries} + 1`,
      claim: sql`${outbox.claim} + 1`,
      updatedAt: now,
    })
    .where(inArray(outbox.id, due))
    .returning()
}

/** @returns the outcome as stored; null if another sender has taken the row over */
async function note(
  kit: OutboxKit,
  of: DeliveryKind,
  row: Delivery,
  answer: Answer,
): Promise<Answer | null> {
  const { state, error = null, dueMs, isFree, payload, isUnasked } = answer
  // A hung attempt may have marked its request since it was given up.
  const isRepeated = state === 'waiting' && !isUnasked && of.once?.includes(row.lane)
  const isMine = and(
    eq(outbox.id, row.id),
    eq(outbox.claim, row.claim),
    isRepeated ? isNull(outbox.askedAt) : undefined,
  )
  const store = async (tx: Db): Promise<boolean> => {
    const rows =
      state === 'dropped'
        ? await tx.delete(outbox).where(isMine).returning({ id: outbox.id })
        : await tx
            .update(outbox)
            .set({
              state,
              lastError: error,
              due: dueMs === undefined ? null : isoIn(kit, dueMs),
              updatedAt: isoNow(kit),
              ...(isFree && { tries: row.tries - 1 }),
              ...(payload && { payload: merged(payload) }),
              ...(isUnasked && { askedAt: null }),
            })
            .where(isMine)
            .returning({ id: outbox.id })
    if (rows.length > 0) await of.noted?.(tx, row, answer)
    return rows.length > 0
  }
  const isStored = await (of.noted ? kit.db.transaction(store) : store(kit.db))
  if (isStored) return answer
  if (!isRepeated) return null
  return note(kit, of, row, { state: 'unknown', error })
}

/** Retries storing an outcome during short database outages, as the request must not be repeated. */
async function keep(
  kit: OutboxKit,
  of: DeliveryKind,
  row: Delivery,
  answer: Answer,
): Promise<void> {
  for (let left = KEEP_TRIES; ; left -= 1) {
    try {
      const stored = await note(kit, of, row, answer)
      if (stored) await of.ended?.(row, stored)
      return
    } catch (error) {
      if (left <= 1) {
        if (troubleOf(error).isLost) throw error
        kit.log.error({ kind: of.kind, key: row.key, err: error }, 'An outcome has no follow-up.')
        const { noted: _, ...alone } = of
        await note(kit, alone, row, answer)
        return
      }
      await pause(KEEP_PAUSE_MS)
    }
  }
}

/** Sends some rows. @returns their outcomes, null where another sender has taken the row over */
function outcomes(
  kit: OutboxKit,
  of: DeliveryKind,
  rows: readonly Delivery[],
  { signal, hung, isAsked }: { signal: AbortSignal; hung: AbortSignal; isAsked: boolean },
): Promise<Answer | null>[] {
  const over = new Promise<never>((_, failed) =>
    hung.addEventListener('abort', () => failed(new Error(HUNG))),
  )
  const ending = AbortSignal.any([signal, hung])
  const send = async (some: readonly Delivery[]) => of.send(some, ending, isAsked)
  const all = send(rows).catch((error: unknown) => {
    if (rows.length === 1) throw error
    // Another one may be at fault.
    return rows.map(async (row) => {
      if (await wasAsked(kit, of, row)) throw error
      return (await send([row]))[0]
    })
  })
  return rows.map(async (row, i) => {
    try {
      return (await Promise.race([over, all.then((found) => found[i])])) ?? null
    } catch (error) {
      return faultAnswer(kit, of, row, error)
    }
  })
}

/** Whether a request that must not be repeated may have been sent. */
async function wasAsked(
  { db }: OutboxKit,
  { once }: DeliveryKind,
  row: Delivery,
): Promise<boolean> {
  if (!once?.includes(row.lane)) return false
  const isMine = and(eq(outbox.id, row.id), eq(outbox.claim, row.claim))
  return (await db.$count(outbox, and(isMine, isNotNull(outbox.askedAt)))) > 0
}

/**
 * Outcome of an attempt that threw.
 * @returns null if another sender has taken the row over
 * @throws if the database is away
 */
async function faultAnswer(
  kit: OutboxKit,
  of: DeliveryKind,
  row: Delivery,
  error: unknown,
): Promise<Answer | null> {
  if (error instanceof TakenOver) return null
  const fault = error instanceof SourceError ? error : null
  if (!fault && troubleOf(error).isLost) throw error
  const said = sentenceOf(error)
  if (fault?.fault === 'unsure' || (!fault && (await wasAsked(kit, of, row)))) {
    return { state: 'unknown', error: said }
  }
  const waiting = { state: 'waiting', error: said, isUnasked: fault !== null } as const
  if (fault?.fault === 'down') return { ...waiting, dueMs: DOWN_MS, isFree: true, pausesLane: true }
  const pauseMs = pauseAfter(row.tries)
  if (fault?.fault === 'refused' || pauseMs === undefined) return { state: 'failed', error: said }
  return { ...waiting, dueMs: Math.max(pauseMs, fault?.waitMs ?? 0) }
}

/** @returns the number of attempts; 0 also if the lane is paused */
async function deliverSome(
  kit: OutboxKit,
  of: DeliveryKind,
  only: SQL | undefined,
  signal: AbortSignal,
  isAsked = false,
): Promise<number> {
  await markLost(kit, of, only)
  const isRetaken = eq(outbox.state, 'sending')
  // Alone, as it may have stopped its sender.
  let rows = await claim(kit, of, and(only, isRetaken), 1)
  const [retaken] = rows
  if (retaken && pauseAfter(retaken.tries - 1) === undefined) {
    await keep(kit, of, retaken, { state: 'failed', error: STOPPED })
    return 1
  }
  if (!retaken)
    rows = await claim(kit, of, and(only, not(isRetaken)), isAsked ? 1 : (of.batch ?? 1))
  if (rows.length === 0) return 0
  const hung = new AbortController()
  const timer = setTimeout(() => hung.abort(), of.takenForMs * LEASE_PART)
  // A site that stops does not wait for it.
  timer.unref()
  const answers = outcomes(kit, of, rows, { signal, hung: hung.signal, isAsked })
  let pausesMs = 0
  await settled(
    rows.map(async (row, i) => {
      const answer = await answers[i]
      if (!answer) return
      if (answer.state === 'failed') {
        kit.log.warn({ kind: of.kind, key: row.key }, `Not delivered. ${answer.error ?? ''}`)
      }
      await keep(kit, of, row, answer)
      if (answer.pausesLane) pausesMs = Math.max(pausesMs, answer.dueMs ?? 0)
    }),
  ).finally(() => clearTimeout(timer))
  const [first] = rows
  if (pausesMs === 0 || !first) return rows.length
  const until = isoIn(kit, pausesMs)
  await kit.db
    .update(outbox)
    .set({ due: until })
    .where(
      and(
        eq(outbox.kind, of.kind),
        eq(outbox.lane, first.lane),
        eq(outbox.state, 'waiting'),
        lte(outbox.due, until),
      ),
    )
  return 0
}

async function deliverLane(
  kit: OutboxKit,
  of: DeliveryKind,
  lane: string,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + LANE_FOR_MS
  const sender = async (): Promise<void> => {
    while (!signal.aborted && performance.now() < until) {
      if ((await deliverSome(kit, of, eq(outbox.lane, lane), signal)) === 0) return
    }
  }
  await settled(Array.from({ length: of.atOnce ?? 1 }, sender))
}

/** Waits for all. @throws the first failure */
async function settled(all: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(all)) if (one.status === 'rejected') throw one.reason
}
