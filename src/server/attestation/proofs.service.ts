import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { type z } from 'zod'
import type * as contract from '#contracts/signed-record.ts'
import { DAY_MS, readDay, showDay, day as dayOf } from '#domain/day.ts'
import { bytesOfHex, hexOfBytes } from '#domain/proof/bytes.ts'
import * as ots from '#domain/proof/ots.ts'
import { eventBytes, type SignedEvent } from '#domain/proof/record-event.ts'
import { outbox } from '#server/database/schema/kit.ts'
import {
  nostrEvents,
  recordEvents,
  proofDays,
  proofLeaves,
  proofStamps,
} from '#server/database/schema/proofs.ts'
import { type Db, firstRow } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { iso, isoOrNull } from '#server/kit/time.ts'

type Leaf = typeof proofLeaves.$inferSelect
export type Stamp = typeof proofStamps.$inferSelect

/** The kind of stamps in the outbox: a delivery per day (`ref`) and calendar (`lane`). */
export const STAMPS = 'stamp'

export type Proofs = ReturnType<typeof proofsService>

/** Cached trees; one of a thousand events has 0.2 MB. */
const TREES = 30
/** Calendars commit to a block within hours. */
const LATE_MS = 2 * DAY_MS
const NO_DAY = 'The record has no new events of this day.'
const NO_EVENT = 'There is no signed event of the record with this id.'
const NO_FILE =
  'No calendar of OpenTimestamps has taken this day yet, so there is no proof to download. Its leaves and its root are there.'

export function proofsService({
  db,
  clock,
  calendars,
}: Pick<Kit, 'db' | 'clock'> & { readonly calendars: readonly object[] }) {
  const isOn = calendars.length > 0

  /** @throws AppError `not_found` */
  async function find(day: string) {
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || readDay(day) === null) {
      throw failure('not_found', 'Please give a day such as 2026-11-20.')
    }
    const [found] = await daysOf(db, [day])
    if (!found) throw failure('not_found', NO_DAY)
    return found
  }

  async function fileOf(day: string, steps: readonly ots.Step[], leaf: string | null) {
    const { root } = await find(day)
    const timestamp = timestampOf(await stampsOf(db, day), hashOf(root))
    if (!timestamp) throw failure('not_found', NO_FILE)
    const digest = hashOf(leaf ?? root)
    return ots.writeProofFile({ digest, timestamp: ots.after(steps, timestamp) })
  }

  // Ended days never change, and most pages request the same few.
  const trees = new LRUCache<string, ots.MerkleTree>({
    max: TREES,
    fetchMethod: async (day) => {
      const leaves = await leavesOf(db, day)
      return ots.merkleTree(leaves.map(({ sha256 }) => hashOf(sha256)))
    },
  })

  async function wayOf({ day, place }: Leaf): Promise<ots.Step[]> {
    return (await trees.forceFetch(day)).wayOf(place)
  }

  return {
    async days(): Promise<z.input<typeof contract.ProofDays>> {
      const days = (await daysOf(db, null)).map(({ day, root, events, stamps }) => {
        return { day, root, events, ...stateOf(stamps, isOn) }
      })
      return { days }
    },

    /** @throws AppError `not_found` */
    async day(day: string): Promise<z.input<typeof contract.ProofDay>> {
      const { root, madeAt, stamps } = await find(day)
      const leaves = await leavesOf(db, day)
      return {
        day,
        root,
        made_at: iso(madeAt),
        ...stateOf(stamps, isOn),
        leaves: leaves.map(({ eventId, sha256 }) => ({ event_id: eventId, sha256 })),
      }
    },

    dayFile: (day: string): Promise<Uint8Array> => fileOf(day, [], null),

    /** The canonical bytes of an event, which the proof covers. @throws AppError `not_found` */
    async event(id: string): Promise<Uint8Array> {
      const event = await recordEventOf(db, id)
      if (!event) throw failure('not_found', NO_EVENT)
      return eventBytes(event)
    },

    async eventFile(id: string): Promise<Uint8Array> {
      const leaf = await firstRow(db.select().from(proofLeaves).where(eq(proofLeaves.eventId, id)))
      if (leaf) return fileOf(leaf.day, await wayOf(leaf), leaf.sha256)
      if (!(await recordEventOf(db, id))) throw failure('not_found', NO_EVENT)
      throw failure(
        'not_found',
        'This event is proved once the day of its signature has ended (UTC).',
      )
    },

    /** @throws AppError while nothing is signed */
    async ofPrediction(id: string): Promise<z.input<typeof contract.recordProofs.reply>> {
      const { eventId, mode, createdAt, predictionId } = recordEvents
      const events = await db
        .select({ eventId, mode, createdAt, leaf: proofLeaves })
        .from(recordEvents)
        .leftJoin(proofLeaves, eq(proofLeaves.eventId, eventId))
        .where(eq(predictionId, id))
        .orderBy(asc(recordEvents.id))
      if (events.length === 0) {
        throw failure('not_found', 'Nothing is signed for a prediction of this name.')
      }
      const named = [...new Set(events.flatMap(({ leaf }) => leaf?.day ?? []))]
      const days = new Map((await daysOf(db, named)).map((one) => [one.day, one]))
      const proofOf = async (leaf: Leaf) => {
        const { root = '', stamps = [] } = days.get(leaf.day) ?? {}
        return {
          day: leaf.day,
          root,
          sha256: leaf.sha256,
          way: (await wayOf(leaf)).map((step) => ({
            step: step.kind,
            hex: step.kind === 'sha256' ? null : hexOfBytes(step.bytes),
          })),
          has_file: stamps.length > 0,
          ...stateOf(stamps, isOn),
        }
      }
      const rows = events.map(async ({ leaf, ...one }) => ({
        event_id: one.eventId,
        mode: one.mode,
        signed_at: new Date(one.createdAt * 1_000).toISOString(),
        proof: leaf && (await proofOf(leaf)),
      }))
      return { events: await Promise.all(rows) }
    },

    async warnings(): Promise<{ name: string; text: string }[]> {
      if (!isOn) return []
      const before = clock.now() - LATE_MS
      const late = (await daysOf(db, null)).filter(
        ({ madeAt, stamps: [first] }) => Date.parse(madeAt) < before && first?.height == null,
      )
      const oldest = late.at(-1)
      if (!oldest) return []
      const error = await stampFault(db, oldest.day)
      const which =
        late.length === 1
          ? `The signed record of ${showDay(dayOf(oldest.day))} is`
          : `${String(late.length)} days of the signed record, the oldest ${showDay(dayOf(oldest.day))}, are`
      const text = `${which} in no block of Bitcoin yet (OTS_CALENDARS).${error === null ? '' : ` ${error}`}`
      return [{ name: 'proofs', text }]
    },
  }
}

/**
 * The calendars' proofs of a root, merged: paths to a verified block, else all paths to a block, else promises.
 * Null without any.
 */
function timestampOf(stamps: readonly Stamp[], root: Uint8Array): ots.Timestamp | null {
  const inBlock = stamps.flatMap(({ attested, blockHash }) =>
    attested === null ? [] : [{ attested, isChecked: blockHash !== null }],
  )
  const checked = inBlock.filter(({ isChecked }) => isChecked)
  const best = (checked.length > 0 ? checked : inBlock).map(({ attested }) => attested)
  const parts = best.length > 0 ? best : stamps.map(({ promise }) => promise)
  return parts.length === 0
    ? null
    : ots.merged(parts.map((bytes) => ots.readTimestamp(new Uint8Array(bytes), root)))
}

function stateOf([first]: readonly StampState[], isOn: boolean): contract.ProofState {
  if (first?.height != null) {
    const { height, blockHash: hash, blockAt } = first
    return {
      state: 'attested',
      said:
        hash === null
          ? `Attested in block ${String(height)}, as a calendar says: compare the header of that block yourself.`
          : `Attested in block ${String(height)}; the header of that block was compared.`,
      block: { height, hash, at: isoOrNull(blockAt) },
    }
  }
  if (first) {
    return { state: 'promised', said: 'In the calendars, waiting for a block.', block: null }
  }
  if (isOn) return { state: 'waiting', said: 'Waiting for a calendar to take it.', block: null }
  return {
    state: 'unstamped',
    said: 'This site asks no calendar of OpenTimestamps, so nothing proves the time.',
    block: null,
  }
}

export function hashOf(hex: string): Uint8Array {
  const bytes = bytesOfHex(hex, 32)
  if (!bytes) throw new Error('not a hash')
  return bytes
}

type StampState = Pick<Stamp, 'height' | 'blockHash' | 'blockAt'>

/** These days, or all, newest first, with the answers of their calendars: checked blocks first, promises last. */
export function daysOf(db: Db, days: readonly string[] | null) {
  return db
    .select({
      ...getTableColumns(proofDays),
      events: sql<number>`(select count(*)::int from proof_leaves l where l.day = proof_days.day)`,
      stamps: sql<StampState[]>`(
        select coalesce(json_agg(json_build_object('height', height, 'blockHash', block_hash, 'blockAt', block_at)
          order by height is null, block_hash is null, height, calendar), '[]')
        from proof_stamps s where s.day = proof_days.day)`,
    })
    .from(proofDays)
    .where(days === null ? undefined : inArray(proofDays.day, [...days]))
    .orderBy(desc(proofDays.day))
}

function leavesOf(db: Db, day: string): Promise<Leaf[]> {
  return db
    .select()
    .from(proofLeaves)
    .where(eq(proofLeaves.day, day))
    .orderBy(asc(proofLeaves.place))
}

export async function stampsOf(db: Db, day: string): Promise<Stamp[]> {
  return db
    .select()
    .from(proofStamps)
    .where(eq(proofStamps.day, day))
    .orderBy(asc(proofStamps.calendar))
}

async function recordEventOf(db: Db, id: string): Promise<SignedEvent | null> {
  const [row] = await db
    .select({ event: nostrEvents.event })
    .from(recordEvents)
    .innerJoin(nostrEvents, eq(nostrEvents.id, recordEvents.eventId))
    .where(eq(recordEvents.eventId, id))
  return row?.event ?? null
}

/** Why the last attempt for a day failed; null if none did. */
async function stampFault(db: Db, day: string): Promise<string | null> {
  const [found] = await db
    .select({ error: outbox.lastError })
    .from(outbox)
    .where(and(eq(outbox.kind, STAMPS), eq(outbox.ref, day), isNotNull(outbox.lastError)))
    .orderBy(asc(outbox.lane))
    .limit(1)
  return found?.error ?? null
}
