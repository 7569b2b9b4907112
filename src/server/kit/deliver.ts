import { setTimeout as pause } from 'node:timers/promises'
import {
  and,
  asc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  not,
  notInArray,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import { outbox } from '#server/database/schema/kit.ts'
import { hasEffect, type Db } from './db.ts'
import { SourceError } from './failure.ts'
import { type Log } from './log.ts'
import { isoIn, isoNow, type Clock } from './time.ts'
import { sentenceOf, troubleOf } from './trouble.ts'

export type Delivery = typeof outbox.$inferSelect

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
  /** Retention of finished rows in days, except unknown ones; unlimited by default. */
  readonly retentionDays?: number
  /** Deliveries in doubt are decided one by one, not by reason. */
  readonly isDecidedAlone?: boolean
  /** Decided on its own screen, not on Operations. */
  readonly hasScreen?: boolean
  /**
   * Errors, for all rows or for one, are retried, except that a request that may have arrived makes its row unknown.
   * @returns one outcome per row, stored as it arrives
   */
  readonly send: (
    rows: readonly Delivery[],
    signal: AbortSignal,
    /** A person is waiting for the outcome and decides what comes next. */
    isAwaited: boolean,
  ) => Promise<readonly (Answer | Promise<Answer>)[]>
  /** Called after the outcome is stored. */
  readonly ended?: (row: Delivery, answer: Pick<Answer, 'state'>) => Promise<void>
  /** Called in the transaction that stores the outcome. */
  readonly noted?: (tx: Db, row: Delivery, answer: Answer) => Promise<void>
}

export type OutboxKit = { readonly db: Db; readonly clock: Clock; readonly log: Log }

const MINUTE_MS = 60_000
/** Delays between attempts; after the last one the delivery fails. */
const PAUSES_MS = [1, 5, 30, 120, 480, 1_440].map((minutes) => minutes * MINUTE_MS)
/** Delay while the other side is down. */
const DOWN_MS = 15 * MINUTE_MS
/** Time slice of a lane while others have due rows. */
export const LANE_FOR_MS = 30_000
const KEEP_TRIES = 5
const KEEP_PAUSE_MS = 1_000
/** An attempt that hangs ends before its lease does. */
const LEASE_PART = 0.9
const STOPPED = 'The server stopped each time this was sent.'
const HUNG = 'It did not finish in time.'

/** The delay after this many attempts; undefined after the last. */
export function pauseAfter(tries: number): number | undefined {
  return PAUSES_MS[tries - 1]
}

export function merged(payload: Readonly<Record<string, unknown>>): SQL {
  return sql`${outbox.payload} || ${JSON.stringify(payload)}::jsonb`
}

/** Due rows of a kind, locked; senders run concurrently and skip those of others. */
function lockedDue(kit: OutboxKit, of: DeliveryKind, where: SQL | undefined) {
  return kit.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.kind, of.kind), lte(outbox.due, isoNow(kit)), where))
    .orderBy(asc(outbox.due), asc(outbox.id))
    .for('update', { skipLocked: true })
}

/** Marks rows whose sender died after `asking`: they may have been sent. */
async function markLost(kit: OutboxKit, of: DeliveryKind, only: SQL | undefined): Promise<void> {
  if (!of.once) return
  const isAsked = and(inArray(outbox.lane, [...of.once]), isNotNull(outbox.askedAt))
  const lost = lockedDue(kit, of, and(only, eq(outbox.state, 'sending'), isAsked))
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

function claim(kit: OutboxKit, of: DeliveryKind, only: SQL | undefined, most: number) {
  const isUnasked = of.once && or(isNull(outbox.askedAt), notInArray(outbox.lane, [...of.once]))
  const due = lockedDue(kit, of, and(only, isUnasked)).limit(most)
  return kit.db
    .update(outbox)
    .set({
      state: sql`case ${outbox.state} when 'waiting' then 'sending' else ${outbox.state} end`,
      due: isoIn(kit, of.takenForMs),
      tries: sql`${outbox.tries} + 1`,
      claim: sql`${outbox.claim} + 1`,
      updatedAt: isoNow(kit),
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
    const values = {
      lastError: error,
      due: dueMs === undefined ? null : isoIn(kit, dueMs),
      updatedAt: isoNow(kit),
      ...(isFree && { tries: row.tries - 1 }),
      ...(payload && { payload: merged(payload) }),
      ...(isUnasked && { askedAt: null }),
    }
    const isStored = await hasEffect(
      state === 'dropped'
        ? tx.delete(outbox).where(isMine)
        : tx
            .update(outbox)
            .set({ ...values, state })
            .where(isMine),
    )
    if (isStored) await of.noted?.(tx, row, answer)
    return isStored
  }
  const isStored = await (of.noted ? kit.db.transaction(store) : store(kit.db))
  if (isStored) return answer
  if (!isRepeated) return null
  return note(kit, of, row, { state: 'unknown', error })
}

/** Retries storing an outcome during short database outages, as the request must not be repeated. */
export async function keep(kit: OutboxKit, of: DeliveryKind, row: Delivery, answer: Answer) {
  for (let left = KEEP_TRIES; ; left -= 1) {
    try {
      const stored = await note(kit, of, row, answer)
      if (stored) await of.ended?.(row, stored)
      return
    } catch (error) {
      if (left <= 1) {
        if (troubleOf(error).isLost) throw error
        kit.log.error(
          { kind: of.kind, key: row.key, err: error },
          'The follow-up of an outcome failed.',
        )
        const { noted: _, ...alone } = of
        await note(kit, alone, row, answer)
        return
      }
      await pause(KEEP_PAUSE_MS)
    }
  }
}

/** Sends some rows. @returns their outcomes, null if another sender has taken the row over */
function outcomes(
  kit: OutboxKit,
  of: DeliveryKind,
  rows: readonly Delivery[],
  { signal, hung, isAwaited }: { signal: AbortSignal; hung: AbortSignal; isAwaited: boolean },
): Promise<Answer | null>[] {
  const over = new Promise<never>((_, failed) =>
    hung.addEventListener('abort', () => failed(new Error(HUNG))),
  )
  const ending = AbortSignal.any([signal, hung])
  const send = async (some: readonly Delivery[]) => of.send(some, ending, isAwaited)
  const all = send(rows).catch((error: unknown) => {
    if (rows.length === 1) throw error
    // Another one may be at fault.
    return rows.map(async (row) => {
      if (await mayHaveArrived(kit, of, row)) throw error
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
async function mayHaveArrived({ db }: OutboxKit, { once }: DeliveryKind, row: Delivery) {
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
  const message = sentenceOf(error)
  if (fault?.fault === 'unsure' || (!fault && (await mayHaveArrived(kit, of, row)))) {
    return { state: 'unknown', error: message }
  }
  const waiting = { state: 'waiting', error: message, isUnasked: fault !== null } as const
  if (fault?.fault === 'down') return { ...waiting, dueMs: DOWN_MS, isFree: true, pausesLane: true }
  const pauseMs = pauseAfter(row.tries)
  if (fault?.fault === 'refused' || pauseMs === undefined)
    return { state: 'failed', error: message }
  return { ...waiting, dueMs: Math.max(pauseMs, fault?.waitMs ?? 0) }
}

/** @returns the number of attempts; 0 also if the lane is paused */
export async function deliverSome(
  kit: OutboxKit,
  of: DeliveryKind,
  only: SQL | undefined,
  signal: AbortSignal,
  isAwaited = false,
): Promise<number> {
  await markLost(kit, of, only)
  const isRetaken = eq(outbox.state, 'sending')
  // Alone, because it may have crashed its sender.
  let rows = await claim(kit, of, and(only, isRetaken), 1)
  const [retaken] = rows
  if (retaken && pauseAfter(retaken.tries - 1) === undefined) {
    await keep(kit, of, retaken, { state: 'failed', error: STOPPED })
    return 1
  }
  if (!retaken)
    rows = await claim(kit, of, and(only, not(isRetaken)), isAwaited ? 1 : (of.batch ?? 1))
  if (rows.length === 0) return 0
  const hung = new AbortController()
  const timer = setTimeout(() => hung.abort(), of.takenForMs * LEASE_PART)
  // A site that stops does not wait for it.
  timer.unref()
  const answers = outcomes(kit, of, rows, { signal, hung: hung.signal, isAwaited })
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
  await kit.db.execute(sql`
    update outbox set due = ${until}
    where kind = ${of.kind} and lane = ${first.lane} and state = 'waiting' and due <= ${until}`)
  return 0
}

export async function deliverLane(
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
