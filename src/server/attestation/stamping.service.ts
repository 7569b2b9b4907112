import { bytesOfHex, hexOfBytes } from '#domain/proof/bytes.ts'
import { readHeader, whyNotIn } from '#domain/proof/check-proof.ts'
import { merkleTree } from '#domain/proof/merkle.ts'
import {
  after,
  pathsOf,
  ProofFault,
  readTimestamp,
  writeTimestamp,
  type Path,
} from '#domain/proof/ots.ts'
import { eventBytes } from '#domain/proof/record-event.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { addDays, isoDay, timeOfDay } from '#domain/day.ts'
import { type Kit, type SiteKit } from '#server/kit/kit.ts'
import { isoIn, isoNow, today } from '#server/kit/now.ts'
import { pauseAfter } from '#server/kit/deliver.ts'
import { SourceError } from '#server/kit/ports.ts'
import { acquireLock } from '#server/kit/db.ts'
import { type ProofPorts } from './calendars.ts'
import {
  addDay,
  addStamps,
  daysOf,
  dueStamp,
  hasDay,
  saveStamp,
  unprovedEvents,
  type Stamp,
} from './proofs.store.ts'
import { proofsService } from './proofs.service.ts'

type StampKit = Pick<Kit, 'db' | 'clock'> & ProofPorts

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Calendars commit every few hours. */
const LOOK_AGAIN_MS = 30 * MINUTE_MS
const LONGEST_PAUSE_MS = 6 * HOUR_MS
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
  if (await hasDay(kit.db, day)) return null
  return kit.db.transaction(async (tx) => {
    await acquireLock(tx, 'proof days')
    if (await hasDay(tx, day)) return null
    const events = await unprovedEvents(tx, new Date(timeOfDay(begun)).toISOString())
    if (events.length === 0) return null
    const leaves = events
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((event) => ({ eventId: event.id, hash: sha256(eventBytes(event)) }))
    const root = hexOfBytes(merkleTree(leaves.map(({ hash }) => hash)).root)
    await addDay(
      tx,
      { day, root, madeAt: isoNow(kit) },
      leaves.map(({ eventId, hash }, place) => ({ eventId, day, place, sha256: hexOfBytes(hash) })),
    )
    return day
  })
}

/** Queues every day for every configured calendar. */
export async function queueStamps({ db, clock, calendars }: StampKit): Promise<void> {
  if (calendars.length === 0) return
  await addStamps(
    db,
    calendars.map(({ address }) => address),
    isoNow({ clock }),
  )
}

/**
 * Advances one due stamp: to its calendar's promise, to a block, to the block's header.
 * @returns its day and calendar; null if none is due
 */
export async function stampNext(
  kit: StampKit,
  signal: AbortSignal,
): Promise<Pick<Stamp, 'day' | 'calendar'> | null> {
  const { db, calendars, headers } = kit
  if (calendars.length === 0) return null
  const stamp = await dueStamp(
    db,
    calendars.map(({ address }) => address),
    {
      checks: headers !== null,
      now: isoNow(kit),
      latest: isoIn(kit, LONGEST_PAUSE_MS + HOUR_MS),
    },
  )
  if (!stamp) return null
  const result = await stepOf(kit, stamp, signal)
  await saveStamp(db, stamp, { ...result, updatedAt: isoNow(kit) })
  return { day: stamp.day, calendar: stamp.calendar }
}

type Result = Partial<Omit<Stamp, 'day' | 'calendar' | 'attempts'>>

async function stepOf(kit: StampKit, stamp: Stamp, signal: AbortSignal): Promise<Result> {
  try {
    const [day] = await daysOf(kit.db, [stamp.day])
    const root = bytesOfHex(day?.root ?? '', 32)
    if (!root) throw new Error(`the root of ${stamp.day} is not a hash`)
    if (stamp.promise === null) return await handIn(kit, stamp, root, signal)
    if (stamp.attested === null) return await lookUp(kit, stamp, root, signal)
    return await compare(kit, stamp, root, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof SourceError || error instanceof ProofFault)) throw error
    const reason =
      error instanceof ProofFault
        ? `The calendar ${new URL(stamp.calendar).host} sent nonsense. ${error.message}`
        : error.message
    const waitMs = error instanceof SourceError ? (error.waitMs ?? 0) : 0
    const failures = stamp.failures + 1
    // Their job runs every five minutes, the second delay of the outbox.
    const pauseMs = Math.max(pauseAfter(failures + 1) ?? LONGEST_PAUSE_MS, waitMs)
    const nextTryAt = isoIn(kit, Math.min(pauseMs, LONGEST_PAUSE_MS))
    return { failures, lastError: reason, nextTryAt }
  }
}

const WELL = { failures: 0, lastError: null } as const

async function handIn(
  kit: StampKit,
  stamp: Stamp,
  root: Uint8Array,
  signal: AbortSignal,
): Promise<Result> {
  const answer = await calendarOf(kit, stamp).take(root, signal)
  const promise = readTimestamp(answer, root, MOST_PROMISE)
  if (!pathsOf(promise, root).some(isPromise)) {
    throw new ProofFault('It contains no promise.')
  }
  return { ...WELL, promise: writeTimestamp(promise), nextTryAt: isoIn(kit, LOOK_AGAIN_MS) }
}

async function lookUp(
  kit: StampKit,
  stamp: Stamp,
  root: Uint8Array,
  signal: AbortSignal,
): Promise<Result> {
  const calendar = calendarOf(kit, stamp)
  const promise = readTimestamp(stamp.promise ?? root, root)
  const [first] = pathsOf(promise, root).filter(isPromise)
  if (!first) throw new ProofFault('It contains no promise.')
  const answer = await calendar.look(first.message, signal)
  const again = { ...WELL, nextTryAt: isoIn(kit, LOOK_AGAIN_MS) }
  if (answer === null) return again
  // The parser starts at our commitment, so a proof of anything else cannot lead to a block's root.
  const upgrade = readTimestamp(answer, first.message, MOST_UPGRADE)
  const [block] = pathsOf(upgrade, first.message).filter(isInBlock)
  if (!block) return again
  const { height } = block.attestation
  const whole = after(
    first.steps,
    after(block.steps, { attestations: [block.attestation], steps: [] }),
  )
  const attested = { attested: writeTimestamp(whole), height }
  // Its header is compared at once.
  return kit.headers === null ? { ...WELL, ...attested } : { ...attested, nextTryAt: isoNow(kit) }
}

/** A calendar only claims that a root is in a block; the header decides. */
async function compare(
  { headers, ...kit }: StampKit,
  stamp: Stamp,
  root: Uint8Array,
  signal: AbortSignal,
): Promise<Result> {
  if (headers === null || stamp.attested === null || stamp.height === null) return {}
  const [path] = pathsOf(readTimestamp(stamp.attested, root), root)
  const bytes = await headers.at(stamp.height, signal)
  const header = readHeader(bytes)
  const why = header && path ? whyNotIn(header, path.message, headers.leastWorkBits) : 'It is none.'
  if (header && why === null) {
    const blockAt = new Date(header.time * 1_000).toISOString()
    return { ...WELL, blockHash: header.hash, blockAt }
  }
  const host = new URL(stamp.calendar).host
  // The block may have been orphaned: asks the calendar again.
  return {
    attested: null,
    height: null,
    lastError: `The calendar ${host} says that the day is in block ${String(stamp.height)}, which the header of that block does not bear out. ${why ?? ''}`,
    nextTryAt: isoIn(kit, LONGEST_PAUSE_MS),
  }
}

function calendarOf({ calendars }: StampKit, { calendar }: Stamp) {
  const found = calendars.find(({ address }) => address === calendar)
  if (!found) throw new Error('stamp refers to a calendar that is not configured')
  return found
}

function isPromise(path: Path): boolean {
  return path.attestation.kind === 'pending'
}

function isInBlock(
  path: Path,
): path is Path & { readonly attestation: { readonly kind: 'bitcoin'; readonly height: number } } {
  return path.attestation.kind === 'bitcoin'
}

export function openProofs(kit: SiteKit, { proofs }: { readonly proofs: ProofPorts }) {
  const work = { ...kit, ...proofs }
  kit.jobs.repeat({
    name: 'proofs',
    title: 'Stamping the signed record in Bitcoin',
    seconds: 300,
    run: async (signal) => {
      await closeDay(work)
      await queueStamps(work)
      while (!signal.aborted && (await stampNext(work, signal)));
    },
  })
  return { service: proofsService({ ...work, db: kit.readDb }) }
}
