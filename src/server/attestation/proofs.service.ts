import { LRUCache } from 'lru-cache'
import { type z } from 'zod'
import type * as contract from '#contracts/signed-record.ts'
import { DAY_MS, readDay, showDay, day as dayOf } from '#domain/day.ts'
import { bytesOfHex, hexOfBytes } from '#domain/proof/bytes.ts'
import * as ots from '#domain/proof/ots.ts'
import { eventBytes } from '#domain/proof/record-event.ts'
import { failure } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { iso, isoOrNull } from '#server/kit/time.ts'
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

  /** @throws AppError `not_found` */
  async function find(day: string) {
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || readDay(day) === null) {
      throw failure('not_found', 'Please give a day such as 2026-11-20.')
    }
    const [found] = await store.daysOf(db, [day])
    if (!found) throw failure('not_found', NO_DAY)
    return found
  }

  async function fileOf(day: string, steps: readonly ots.Step[], leaf: string | null) {
    const { root } = await find(day)
    const timestamp = timestampOf(await store.stampsOf(db, day), hashOf(root))
    if (!timestamp) throw failure('not_found', NO_FILE)
    const digest = hashOf(leaf ?? root)
    return ots.writeProofFile({ digest, timestamp: ots.after(steps, timestamp) })
  }

  // Ended days never change, and most pages request the same few.
  const trees = new LRUCache<string, ots.MerkleTree>({
    max: TREES,
    fetchMethod: async (day) => {
      const leaves = await store.leavesOf(db, day)
      return ots.merkleTree(leaves.map(({ sha256 }) => hashOf(sha256)))
    },
  })

  async function wayOf({ day, place }: store.Leaf): Promise<ots.Step[]> {
    return (await trees.forceFetch(day)).wayOf(place)
  }

  return {
    async days(): Promise<z.input<typeof contract.ProofDays>> {
      const days = (await store.daysOf(db, null)).map(({ day, root, events, stamps }) => {
        return { day, root, events, ...stateOf(stamps, isOn) }
      })
      return { days }
    },

    /** @throws AppError `not_found` */
    async day(day: string): Promise<z.input<typeof contract.ProofDay>> {
      const { root, madeAt, stamps } = await find(day)
      const leaves = await store.leavesOf(db, day)
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
      const named = [...new Set(events.flatMap(({ leaf }) => leaf?.day ?? []))]
      const days = new Map((await store.daysOf(db, named)).map((one) => [one.day, one]))
      const proofOf = async (leaf: store.Leaf) => {
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
      const rows = events.map(async ({ eventId, mode, createdAt, leaf }) => ({
        event_id: eventId,
        mode,
        signed_at: new Date(createdAt * 1_000).toISOString(),
        proof: leaf && (await proofOf(leaf)),
      }))
      return { events: await Promise.all(rows) }
    },

    async warnings(): Promise<{ name: string; text: string }[]> {
      if (!isOn) return []
      const before = clock.now() - LATE_MS
      const late = (await store.daysOf(db, null)).filter(
        ({ madeAt, stamps: [first] }) => Date.parse(madeAt) < before && first?.height == null,
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

function stateOf([first]: readonly store.StampState[], isOn: boolean): contract.ProofState {
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

function hashOf(hex: string): Uint8Array {
  const bytes = bytesOfHex(hex, 32)
  if (!bytes) throw new Error('not a hash')
  return bytes
}
