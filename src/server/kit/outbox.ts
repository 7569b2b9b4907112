import { and, eq, lte, min, ne, sql, type SQL } from 'drizzle-orm'
import { type PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { DAY_MS } from '#domain/day.ts'
import { outbox } from '#server/database/schema/kit.ts'
import { acquireLock, hasEffect, insertMany, type Db } from './db.ts'
import {
  deliverLane,
  deliverSome,
  keep,
  LANE_FOR_MS,
  merged,
  TakenOver,
  type Answer,
  type Delivery,
  type DeliveryKind,
  type OutboxKit,
} from './deliver.ts'
import { failure } from './failure.ts'
import { type Job, type Jobs } from './jobs.ts'
import { isoIn, isoNow } from './time.ts'

type Added = Pick<Delivery, 'key' | 'ref' | 'lane'> & Partial<Pick<Delivery, 'payload' | 'due'>>
type Kinds = Map<string, DeliveryKind & { readonly job: Job<{ lane: string }> | null }>

export type Outbox = ReturnType<typeof openOutbox>

/** The state of a delivery that waits for a person. */
export type Listed = 'failed' | 'unknown'
type Decided = Pick<Delivery, 'kind' | 'lane'> & { readonly lastError: string | null }
type Change = Partial<typeof outbox.$inferInsert> & { readonly only?: Listed }
/** What a person decides about deliveries, at this moment. */
export type Decision = 'again' | 'arrived' | 'dismissed'
const DECISIONS: Readonly<Record<Decision, (now: string) => Change>> = {
  again: (now) => ({ state: 'waiting', due: now, tries: 0, askedAt: null }),
  arrived: () => ({ only: 'unknown', state: 'sent' }),
  dismissed: (now) => ({ only: 'failed', dismissedAt: now }),
}

/** Clocks of two servers differ by less. */
const SET_BACK_MS = 60_000
/** How long failed deliveries are listed and can be retried. */
export const LISTED_FOR_MS = 30 * DAY_MS
const UNDEFINED = 'This version cannot send deliveries of this kind.'
/** By then, processes of a newer version have sent the kinds that this one does not know. */
const UNDEFINED_FOR_MS = 3_600_000

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

  async function changeOwn(isMine: SQL | undefined, values: PgUpdateSetSource<typeof outbox>) {
    if (!(await hasEffect(db.update(outbox).set(values).where(isMine)))) throw new TakenOver()
  }

  return {
    define: (definition: DeliveryKind): void => {
      const job = kit.jobs?.define({
        name: `outbox-${definition.kind}`,
        title: definition.title,
        data: z.object({ lane: z.string() }),
        key: ({ lane }) => lane,
        atOnce: definition.lanes ?? 1,
        withinSeconds: Math.ceil((LANE_FOR_MS + definition.takenForMs) / 1_000),
        retry: { limit: 1_000, seconds: 5, mostSeconds: 60 },
        run: async ({ lane }, signal) => {
          await deliverLane(kit, definition, lane, signal)
          const [next] = await db
            .select({ due: min(outbox.due) })
            .from(outbox)
            .where(and(eq(outbox.kind, definition.kind), eq(outbox.lane, lane)))
          if (next?.due == null) return
          const waitMs = Date.parse(next.due) - clock.now()
          await job?.send(db, { lane }, Math.min(3_600, Math.max(0.05, waitMs / 1_000)))
        },
      })
      kinds.set(definition.kind, { ...definition, job: job ?? null })
    },

    /** Adds missing rows, to be sent on commit. */
    add: async (tx: Db, kind: string, rows: readonly Added[]): Promise<void> => {
      const at = isoNow(kit)
      const common = { kind, payload: {}, due: at, createdAt: at, updatedAt: at }
      const added = rows.map((row) => ({ ...common, ...row }))
      await insertMany(tx, outbox, added, sql`on conflict do nothing`)
      for (const lane of new Set(rows.map((row) => row.lane)))
        await kindOf(kind).job?.send(tx, { lane })
    },

    /** Schedules a lane on commit. */
    wake: async (tx: Db, kind: string, lane: string, afterMs = 0): Promise<void> =>
      kindOf(kind).job?.send(tx, { lane }, afterMs / 1_000),

    /** Marks that a request is about to be sent. @throws TakenOver */
    asking: ({ id, claim: mine }: Delivery, payload?: Readonly<Record<string, unknown>>) =>
      changeOwn(and(eq(outbox.id, id), eq(outbox.claim, mine), eq(outbox.state, 'sending')), {
        askedAt: isoNow(kit),
        ...(payload && { payload: merged(payload) }),
      }),

    /** Stores data with a row. @throws TakenOver */
    notePayload: ({ id, claim: mine }: Delivery, payload: Readonly<Record<string, unknown>>) =>
      changeOwn(and(eq(outbox.id, id), eq(outbox.claim, mine)), { payload: merged(payload) }),

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
     * For a person: decides about a failed or unknown delivery, and all listed with it by then.
     * @param listed its state on that person's screen
     * @returns those decided; none if it is no longer listed so, or cannot be decided so
     * @throws AppError if a kind unknown to this version would be sent again
     */
    decide: async (tx: Db, id: number, decision: Decision, listed: Listed): Promise<Decided[]> => {
      // Two decisions about one group would lock its rows in different orders.
      await acquireLock(tx, 'decisions about deliveries')
      const row = await toDecide(tx, kinds, id)
      const { only = listed, ...change } = DECISIONS[decision](isoNow(kit))
      if (row?.state !== listed || only !== listed) return []
      if (decision === 'again' && !kinds.has(row.kind)) throw failure('conflict', UNDEFINED)
      const rows = await tx
        .update(outbox)
        .set({ ...change, claim: sql`${outbox.claim} + 1` })
        .where(listedWith(kit, row, kinds.get(row.kind)?.isDecidedAlone ?? false))
        .returning({ kind: outbox.kind, lane: outbox.lane, lastError: outbox.lastError })
      if (decision === 'again') await kinds.get(row.kind)?.job?.send(tx, { lane: row.lane })
      return rows
    },

    /** Sends one queued row now, for a person waiting for the outcome. */
    deliverOne: async (kind: string, key: string): Promise<void> => {
      const signal = new AbortController().signal
      await deliverSome(kit, kindOf(kind), eq(outbox.key, key), signal, true)
    },

    /** Sends due rows of a kind until none are left. @returns whether there were any */
    deliver: async (kind: string, signal: AbortSignal = new AbortController().signal) => {
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
  await db.execute(sql`
    update outbox set state = case when asked_at is null then 'failed' else 'unknown' end, due = null,
      last_error = ${UNDEFINED}, updated_at = ${isoNow(kit)}
    where kind <> all(${sql.param([...kinds.keys()])}::text[]) and state in ('waiting', 'sending')
      and due <= ${isoIn(kit, -UNDEFINED_FOR_MS)}`)
  for (const { kind, retentionDays } of kinds.values()) {
    if (retentionDays === undefined) continue
    // A failure has its time in the list, however old the row.
    await db.execute(sql`
      delete from outbox where kind = ${kind} and due is null and state <> 'unknown'
        and created_at < ${isoIn(kit, -retentionDays * DAY_MS)}
        and (state <> 'failed' or updated_at < ${isoIn(kit, -LISTED_FOR_MS)})`)
  }
}

/** Locks a failed or unknown delivery that is not decided on another screen. */
async function toDecide(tx: Db, kinds: Kinds, id: number): Promise<Delivery | null> {
  const isWaiting = sql`id = ${id} and state in ('failed', 'unknown') and dismissed_at is null`
  const [row] = await tx.select().from(outbox).where(isWaiting).for('update')
  return row && !kinds.get(row.kind)?.hasScreen ? row : null
}

/** Those of its kind, lane and state with the same reason; of a delivery in doubt that is decided alone, itself. */
function listedWith(kit: OutboxKit, row: Delivery, isAlone: boolean): SQL {
  const { id, kind, lane, state, lastError, updatedAt } = row
  if (isAlone && state === 'unknown') return sql`id = ${id}`
  return sql`kind = ${kind} and lane = ${lane} and state = ${state} and dismissed_at is null
    and last_error is not distinct from ${lastError}::text and updated_at <= ${updatedAt}
    and (state <> 'failed' or updated_at >= ${isoIn(kit, -LISTED_FOR_MS)})`
}

/** Makes rows due that a clock set back has left in the future. */
async function correctDue(
  kit: OutboxKit,
  { kind, takenForMs }: Pick<DeliveryKind, 'kind' | 'takenForMs'>,
): Promise<void> {
  // An earlier sender may still be running.
  await kit.db.execute(sql`
    update outbox set updated_at = ${isoNow(kit)},
      due = (case when state = 'sending' then ${isoIn(kit, takenForMs)} else ${isoNow(kit)} end)::timestamptz
    where kind = ${kind} and due is not null and updated_at > ${isoIn(kit, SET_BACK_MS)}`)
}
