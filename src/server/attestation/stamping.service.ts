import { sha256 } from '@noble/hashes/sha2.js'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { addDays, DAY_MS, isoDay, timeOfDay } from '#domain/day.ts'
import { hexOfBytes } from '#domain/proof/bytes.ts'
import { readHeader, whyNotIn } from '#domain/proof/check-proof.ts'
import * as ots from '#domain/proof/ots.ts'
import { eventBytes } from '#domain/proof/record-event.ts'
import {
  nostrEvents,
  proofDays,
  proofLeaves,
  proofStamps,
  recordEvents,
} from '#server/database/schema/proofs.ts'
import { acquireLock, insertMany, readRows, type Db } from '#server/kit/db.ts'
import { pauseAfter, type Answer, type Delivery } from '#server/kit/deliver.ts'
import { SourceError } from '#server/kit/failure.ts'
import { type Kit, type SiteKit } from '#server/kit/kit.ts'
import { isoNow, today } from '#server/kit/time.ts'
import { type Calendar, type ProofPorts } from './calendars.ts'
import { daysOf, hashOf, proofsService, STAMPS, stampsOf, type Stamp } from './proofs.service.ts'

type StampKit = Pick<SiteKit, 'db' | 'clock' | 'outbox'> & ProofPorts

const MINUTE_MS = 60_000
/** Longer than a call of a calendar or an explorer takes. */
const TAKEN_FOR_MS = 2 * MINUTE_MS
/** Calendars commit every few hours. */
const LOOK_AGAIN_MS = 30 * MINUTE_MS
const LONGEST_PAUSE_MS = 360 * MINUTE_MS
/** From this attempt on, pauses no longer grow. */
const MOST_TRIES = 5
/** Limit of steps in a promise together with its path to a block; the leaf's own path takes up to 60 of the 256 allowed. */
const MOST_PROMISE = 84
const MOST_UPGRADE = 112

/**
 * Builds the tree of all events without one, once a day after it has ended, in any process.
 * @returns the day; null if it has a tree or there are no new events
 */
export async function closeDay(kit: Pick<Kit, 'db' | 'clock'>): Promise<string | null> {
  const begun = today(kit)
  const day = isoDay(addDays(begun, -1))
  const isClosed = async (db: Db) => (await daysOf(db, [day])).length > 0
  if (await isClosed(kit.db)) return null
  return kit.db.transaction(async (tx) => {
    await acquireLock(tx, 'proof days')
    if (await isClosed(tx)) return null
    const { id, event, signedAt } = nostrEvents
    const events = await tx
      .select({ event })
      .from(recordEvents)
      .innerJoin(nostrEvents, eq(id, recordEvents.eventId))
      .leftJoin(proofLeaves, eq(proofLeaves.eventId, recordEvents.eventId))
      .where(
        and(isNull(proofLeaves.eventId), lt(signedAt, new Date(timeOfDay(begun)).toISOString())),
      )
    if (events.length === 0) return null
    const leaves = events
      .map((one) => ({ eventId: one.event.id, hash: sha256(eventBytes(one.event)) }))
      .toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1))
    const root = hexOfBytes(ots.merkleTree(leaves.map(({ hash }) => hash)).root)
    await tx.insert(proofDays).values({ day, root, madeAt: isoNow(kit) })
    await insertMany(
      tx,
      proofLeaves,
      leaves.map(({ eventId, hash }, place) => ({ eventId, day, place, sha256: hexOfBytes(hash) })),
    )
    return day
  })
}

/** Queues days that are in no block yet, and stamps whose block header can be compared by now. */
export async function queueStamps(kit: StampKit): Promise<void> {
  const { db, calendars, headers, outbox } = kit
  if (calendars.length === 0) return
  await db.transaction(async (tx) => {
    const addresses = calendars.map(({ address }) => address)
    const now = isoNow(kit)
    const added = await readRows(tx, z.object({ lane: z.string() }))`
      with added as (
        insert into outbox (kind, key, ref, lane, due, created_at, updated_at)
        select ${STAMPS}, day || ' ' || calendar, day, calendar, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
        from proof_days d cross join jsonb_array_elements_text(${JSON.stringify(addresses)}::jsonb) as given(calendar)
        left join proof_stamps own using (day, calendar)
        where case when own.promise is null then not exists (select from proof_stamps s where s.day = d.day and s.height is not null)
            else own.block_hash is null and (own.height is null or ${headers !== null}) end
          and not exists (select from outbox o where o.kind = ${STAMPS} and o.key = day || ' ' || calendar and o.state <> 'sent')
        on conflict (kind, key) do update set state = 'waiting', due = excluded.due, tries = 0 where outbox.state = 'sent'
        returning lane)
      select distinct lane from added`
    for (const { lane } of added) await outbox.wake(tx, STAMPS, lane)
  })
}

/** Each delivery takes a day to a calendar's promise, to a block and to that block's header, one step an attempt. */
export function defineStamps(kit: StampKit): void {
  kit.outbox.define({
    kind: STAMPS,
    title: 'Stamping the signed record in Bitcoin',
    takenForMs: TAKEN_FOR_MS,
    lanes: Math.max(1, kit.calendars.length),
    retentionDays: 30,
    send: async (rows, signal) => rows.map((row) => stamp(kit, row, signal)),
  })
}

async function stamp(kit: StampKit, row: Delivery, signal: AbortSignal): Promise<Answer> {
  const { ref: day, lane, tries } = row
  const calendar = kit.calendars.find(({ address }) => address === lane)
  // The calendar was removed from the settings.
  if (!calendar) return { state: 'waiting', dueMs: DAY_MS, isFree: true, pausesLane: true }
  try {
    const root = hashOf((await daysOf(kit.db, [day]))[0]?.root ?? '')
    const found = (await stampsOf(kit.db, day)).find((one) => one.calendar === lane)
    if (!found) return await handIn(kit, { day, calendar, root }, signal)
    if (found.attested === null) return await lookUp(kit, { stamp: found, calendar, root }, signal)
    return await compare(kit, found, root, signal)
  } catch (error) {
    // The site is stopping.
    if (signal.aborted) return { state: 'waiting', dueMs: 0, isFree: true }
    if (!(error instanceof SourceError || error instanceof ots.ProofFault)) throw error
    const reason =
      error instanceof ots.ProofFault
        ? `The calendar ${new URL(lane).host} sent an invalid answer. ${error.message}`
        : error.message
    const waitMs = error instanceof SourceError ? (error.waitMs ?? 0) : 0
    const pauseMs = Math.max(pauseAfter(tries) ?? LONGEST_PAUSE_MS, waitMs)
    return {
      state: 'waiting',
      error: reason,
      dueMs: Math.min(pauseMs, LONGEST_PAUSE_MS),
      // Retried without limit.
      isFree: tries >= MOST_TRIES,
    }
  }
}

const LOOK_AGAIN: Answer = { state: 'waiting', dueMs: LOOK_AGAIN_MS, isFree: true }

async function handIn(
  { db }: StampKit,
  { day, calendar, root }: { day: string; calendar: Calendar; root: Uint8Array },
  signal: AbortSignal,
): Promise<Answer> {
  const promise = ots.readTimestamp(await calendar.take(root, signal), root, MOST_PROMISE)
  if (!ots.pathsOf(promise, root).some(isPromise)) {
    throw new ots.ProofFault('It contains no promise.')
  }
  const row = { day, calendar: calendar.address, promise: ots.writeTimestamp(promise) }
  await db.insert(proofStamps).values(row).onConflictDoNothing()
  return LOOK_AGAIN
}

async function lookUp(
  { db, headers }: StampKit,
  { stamp, calendar, root }: { stamp: Stamp; calendar: Calendar; root: Uint8Array },
  signal: AbortSignal,
): Promise<Answer> {
  const promise = ots.readTimestamp(stamp.promise, root)
  const [first] = ots.pathsOf(promise, root).filter(isPromise)
  if (!first) throw new ots.ProofFault('It contains no promise.')
  const answer = await calendar.look(first.message, signal)
  if (answer === null) return LOOK_AGAIN
  // The parser starts at our commitment, so a proof of anything else cannot lead to a block's root.
  const upgrade = ots.readTimestamp(answer, first.message, MOST_UPGRADE)
  const [block] = ots.pathsOf(upgrade, first.message).filter(isInBlock)
  if (!block) return LOOK_AGAIN
  const { height } = block.attestation
  const whole = ots.after(
    first.steps,
    ots.after(block.steps, { attestations: [block.attestation], steps: [] }),
  )
  await saveStamp(db, stamp, { attested: ots.writeTimestamp(whole), height })
  return headers === null ? { state: 'sent' } : { state: 'waiting', dueMs: 0, isFree: true }
}

/** A calendar only claims that a root is in a block; the header decides. */
async function compare(
  { db, headers }: StampKit,
  stamp: Stamp,
  root: Uint8Array,
  signal: AbortSignal,
): Promise<Answer> {
  if (headers === null || stamp.attested === null || stamp.height === null) return { state: 'sent' }
  const [path] = ots.pathsOf(ots.readTimestamp(stamp.attested, root), root)
  const bytes = await headers.at(stamp.height, signal)
  const header = readHeader(bytes)
  const why =
    header && path ? whyNotIn(header, path.message, headers.leastWorkBits) : 'It is invalid.'
  if (header && why === null) {
    const blockAt = new Date(header.time * 1_000).toISOString()
    await saveStamp(db, stamp, { blockHash: header.hash, blockAt })
    return { state: 'sent' }
  }
  const host = new URL(stamp.calendar).host
  // The block may have been orphaned: asks the calendar again.
  await saveStamp(db, stamp, { attested: null, height: null })
  return {
    state: 'waiting',
    error: `The calendar ${host} says that the day is in block ${String(stamp.height)}, which the header of that block does not confirm. ${why ?? ''}`,
    dueMs: LONGEST_PAUSE_MS,
    isFree: true,
  }
}

function isPromise(path: ots.Path): boolean {
  return path.attestation.kind === 'pending'
}

function isInBlock(path: ots.Path): path is ots.Path & {
  readonly attestation: { readonly kind: 'bitcoin'; readonly height: number }
} {
  return path.attestation.kind === 'bitcoin'
}

/** Does nothing if another process has advanced it since. */
async function saveStamp(db: Db, { day, calendar, height }: Stamp, result: Partial<Stamp>) {
  await db
    .update(proofStamps)
    .set(result)
    .where(
      and(
        eq(proofStamps.day, day),
        eq(proofStamps.calendar, calendar),
        sql`${proofStamps.height} is not distinct from ${height}`,
        isNull(proofStamps.blockHash),
      ),
    )
}

export function openProofs(kit: SiteKit, { proofs }: { readonly proofs: ProofPorts }) {
  const work = { ...kit, ...proofs }
  defineStamps(work)
  kit.jobs.repeat({
    name: 'proofs',
    title: 'Closing days of the signed record',
    seconds: 300,
    run: async () => {
      await closeDay(work)
      await queueStamps(work)
    },
  })
  return { service: proofsService({ ...work, db: kit.readDb }) }
}
