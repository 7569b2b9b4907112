import { LRUCache } from 'lru-cache'
import { type z } from 'zod'
import type * as contract from '#contracts/signed-record.ts'
import { DAY_MS, readDay, showDay, day as dayOf } from '#domain/day.ts'
import { bytesOfHex, hexOfBytes } from '#domain/proof/bytes.ts'
import * as ots from '#domain/proof/ots.ts'
import { eventBytes } from '#domain/proof/record-event.ts'
import { failure } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import * as store from './proofs.store.ts'

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

  async function fileOf(day: string, steps: readonly ots.Step[], digest: string) {
    const [found] = await store.daysOf(db, [day])
    const timestamp = found && timestampOf(await store.stampsOf(db, day), hashOf(found.root))
    if (!timestamp) throw failure('not_found', NO_FILE)
    return ots.writeProofFile({ digest: hashOf(digest), timestamp: ots.after(steps, timestamp) })
  }

  // Ended days never change, and most pages request the same few.
  const trees = new LRUCache<string, ots.MerkleTree>({
    max: TREES,
    fetchMethod: async (day) => {
      const leaves = await store.leavesOf(db, [day])
      return ots.merkleTree(leaves.map(({ sha256 }) => hashOf(sha256)))
    },
  })

  async function wayOf({ day, place }: store.Leaf): Promise<ots.Step[]> {
    return (await trees.forceFetch(day)).wayOf(place)
  }

  return {
    async days(): Promise<z.input<typeof contract.ProofDays>> {
      const [days, counts, stamps] = [
        await store.daysOf(db, null),
        await store.leafCounts(db),
        grouped(await store.stampStates(db, null)),
      ]
      return {
        days: days.map(({ day, root }) => ({
          day,
          root,
          events: counts.get(day) ?? 0,
          ...stateOf(stamps.get(day) ?? [], isOn),
        })),
      }
    },

    /** @throws AppError `not_found` */
    async day(day: string): Promise<z.input<typeof contract.ProofDay>> {
      refuseOther(day)
      const [found] = await store.daysOf(db, [day])
      if (!found) throw failure('not_found', NO_DAY)
      const leaves = await store.leavesOf(db, [day])
      return {
        day,
        root: found.root,
        made_at: new Date(found.madeAt).toISOString(),
        ...stateOf(await store.stampStates(db, [day]), isOn),
        leaves: leaves.map(({ eventId, sha256 }) => ({ event_id: eventId, sha256 })),
      }
    },

    async dayFile(day: string): Promise<Uint8Array> {
      refuseOther(day)
      const [found] = await store.daysOf(db, [day])
      if (!found) throw failure('not_found', NO_DAY)
      return fileOf(day, [], found.root)
    },

    /** The canonical bytes of an event, which the proof covers. @throws AppError `not_found` */
    async event(id: string): Promise<Uint8Array> {
      const event = await store.recordEventOf(db, id)
      if (!event) throw failure('not_found', NO_EVENT)
      return eventBytes(event)
    },

    async eventFile(id: string): Promise<Uint8Array> {
      const leaf = await store.leafOf(db, id)
      if (leaf) return fileOf(leaf.day, await wayOf(leaf), leaf.sha256)
      if (!(await store.recordEventOf(db, id))) throw failure('not_found', NO_EVENT)
      throw failure(
        'not_found',
        'This event is proved once the day of its signature has ended (UTC).',
      )
    },

    /** @throws AppError while nothing is signed */
    async ofPrediction(id: string): Promise<z.input<typeof contract.recordProofs.reply>> {
      const events = await store.leavesOfPrediction(db, id)
      if (events.length === 0) {
        throw failure('not_found', 'Nothing is signed for a prediction of this name.')
      }
      const days = [...new Set(events.flatMap(({ leaf }) => leaf?.day ?? []))]
      const [roots, stamps] = [
        new Map((await store.daysOf(db, days)).map(({ day, root }) => [day, root])),
        grouped(await store.stampStates(db, days)),
      ]
      const ways = new Map<string, ots.Step[]>()
      for (const { leaf } of events) if (leaf) ways.set(leaf.eventId, await wayOf(leaf))
      return {
        events: events.map(({ eventId, mode, createdAt, leaf }) => ({
          event_id: eventId,
          mode,
          signed_at: new Date(createdAt * 1_000).toISOString(),
          proof: leaf && {
            day: leaf.day,
            root: roots.get(leaf.day) ?? '',
            sha256: leaf.sha256,
            way: (ways.get(eventId) ?? []).map((step) => ({
              step: step.kind,
              hex: step.kind === 'sha256' ? null : hexOfBytes(step.bytes),
            })),
            has_file: stamps.has(leaf.day),
            ...stateOf(stamps.get(leaf.day) ?? [], isOn),
          },
        })),
      }
    },

    async warnings(): Promise<{ name: string; text: string }[]> {
      if (!isOn) return []
      const stamps = grouped(await store.stampStates(db, null))
      const before = clock.now() - LATE_MS
      const late = (await store.daysOf(db, null)).filter(
        ({ day, madeAt }) =>
          Date.parse(madeAt) < before && stateOf(stamps.get(day) ?? [], isOn).state !== 'attested',
      )
      const oldest = late.at(-1)
      if (!oldest) return []
      const error = await store.stampFault(db, oldest.day)
      const which =
        late.length === 1
          ? `The signed record of ${showDay(dayOf(oldest.day))} is`
          : `${String(late.length)} days of the signed record, the oldest ${showDay(dayOf(oldest.day))}, are`
      const text = `${which} in no block of Bitcoin yet (OTS_CALENDARS).${error === null ? '' : ` ${error}`}`
      return [{ name: 'proofs', text }]
    },
  }
}

/** @throws AppError `not_found` for an invalid day */
function refuseOther(text: string): void {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && readDay(text) !== null) return
  throw failure('not_found', 'Please give a day such as 2026-11-20.')
}

/**
 * The calendars' proofs of a root, merged: paths to a verified block, else all paths to a block, else promises.
 * Null without any.
 */
function timestampOf(stamps: readonly store.Stamp[], root: Uint8Array): ots.Timestamp | null {
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

function stateOf(stamps: readonly store.StampState[], isOn: boolean): contract.ProofState {
  const inBlock = stamps
    .flatMap(({ height, blockHash, blockAt }) =>
      height === null ? [] : [{ height, hash: blockHash, at: blockAt }],
    )
    .toSorted((a, b) => Number(a.hash === null) - Number(b.hash === null) || a.height - b.height)
  const [block] = inBlock
  if (block) {
    const { height, hash, at } = block
    return {
      state: 'attested',
      said:
        hash === null
          ? `Attested in block ${String(height)}, as a calendar says: compare the header of that block yourself.`
          : `Attested in block ${String(height)}; the header of that block was compared.`,
      block: { height, hash, at: at === null ? null : new Date(at).toISOString() },
    }
  }
  if (stamps.length > 0) {
    return { state: 'promised', said: 'In the calendars, waiting for a block.', block: null }
  }
  if (isOn) return { state: 'waiting', said: 'Waiting for a calendar to take it.', block: null }
  return {
    state: 'unstamped',
    said: 'This site asks no calendar of OpenTimestamps, so nothing proves the time.',
    block: null,
  }
}

function grouped<Row extends { readonly day: string }>(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, ({ day }) => day)
}

function hashOf(hex: string): Uint8Array {
  const bytes = bytesOfHex(hex, 32)
  if (!bytes) throw new Error('not a hash')
  return bytes
}
