import { type ScoresReply } from '#contracts/scores.ts'
import { addDays, isoDay, readDay, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { hotList, packedList, weightOf, type HotList } from '#server/http/hot-list.ts'
import { type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { keepRecent } from '#server/kit/kept.ts'
import { isoNow, today as todayOf } from '#server/kit/now.ts'
import { type Clock } from '#server/kit/ports.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { type Catalog, type Snapshot } from '#server/predictions/catalog.service.ts'
import { readScores, smallText, type PackedScores } from './packed-scores.ts'
import {
  asOfFault,
  isOfThisMethod,
  writeRequest,
  type Asked,
  type RequestText,
} from './score-request.ts'
import { type ScoreThread } from './score-thread.ts'
import {
  latestScores,
  saveScores,
  storedDigest,
  storedScores,
  type StoredScores,
} from './scores.store.ts'

/** Scores ready to be sent; `reply` reads them for a page. */
export type ReadyScores = {
  readonly digest: string
  readonly list: HotList
  readonly packed: PackedScores
  readonly reply: () => ScoresReply
}

/** Days kept in memory: those of 300 predictions weigh half a megabyte, those of 100,000 twelve. */
const KEPT_DAYS = 100
const KEPT_BYTES = 24_000_000

type ServiceParts = {
  readonly db: Db
  readonly clock: Clock
  readonly catalog: Pick<Catalog, 'snapshot'>
  readonly thread: Pick<ScoreThread, 'compute'>
  /** A job computes today's scores after each change. */
  readonly isFollowed: () => boolean
  readonly keptBytes?: number | undefined
}

export type ScoresService = ReturnType<typeof scoresService>

/**
 * Everybody's scores on any day, computed once for the same inputs and kept. Today's are those of the last job: a visitor
 * after a change sees the former ones for some seconds, and does not wait.
 */
export function scoresService({
  db,
  clock,
  catalog,
  thread,
  isFollowed,
  keptBytes = KEPT_BYTES,
}: ServiceParts) {
  const kept = keepRecent<ReadyScores>({
    most: KEPT_DAYS,
    mostBytes: keptBytes,
    // A large list is the packed file itself.
    bytesOf: ({ list, packed }) =>
      weightOf(list) + (list.gzip === packed.gzip ? 0 : packed.gzip.length),
  })
  /** Today's, or of the last day that has any. */
  const latest = new Map<JudgeMode, { readonly asOf: string; readonly ready: ReadyScores }>()
  const computing = new Map<string, Promise<ReadyScores>>()
  let version = 0
  /** Digests of what is on record now, by day and mode. */
  let digests = new Map<string, string>()
  let digestsOf: Snapshot | null = null

  const today = (): Day => todayOf({ clock })
  // What can be known of a day changes once it is over.
  const nameOf = ({ asOf, mode }: Asked): string => [asOf, mode, today()].join(' ')

  function snapshot(): Snapshot {
    const record = catalog.snapshot()
    if (!record) throw failure('unavailable', 'The record is being read. Please try again soon.')
    if (digestsOf !== record) {
      digestsOf = record
      digests = new Map()
    }
    return record
  }

  async function requestOf(asked: Asked): Promise<RequestText> {
    const record = snapshot()
    const name = nameOf(asked)
    const request = await writeRequest(record, asked, today())
    if (digestsOf === record) digests.set(name, request.digest)
    return request
  }

  function keep(ready: ReadyScores, { asOf, mode }: Asked): ReadyScores {
    kept.set(ready.digest, ready)
    if (asOf === today()) show(mode, { asOf: isoDay(asOf), ready })
    return ready
  }

  function show(
    mode: JudgeMode,
    now: { readonly asOf: string; readonly ready: ReadyScores },
  ): void {
    if (latest.get(mode)?.ready.digest !== now.ready.digest) version += 1
    latest.set(mode, now)
  }

  async function fromStore(request: RequestText): Promise<ReadyScores | null> {
    const stored = await storedScores(db, request)
    return stored?.digest === request.digest ? keep(await readyOf(stored), request) : null
  }

  async function compute(request: RequestText): Promise<ReadyScores> {
    const found = await fromStore(request)
    if (found) return found
    const packed = await thread.compute(request)
    await save(request, packed)
    return keep(await readyOf({ digest: request.digest, packed }), request)
  }

  async function save(request: RequestText, packed: PackedScores): Promise<void> {
    const isDaily = request.asOf >= addDays(today(), -1)
    await saveScores(db, request, { packed, isDaily, now: isoNow({ clock }) })
    if (request.asOf === today()) await sendSignal(db, 'scores', [request.mode])
  }

  function scoresOf(request: RequestText): Promise<ReadyScores> {
    const found = kept.get(request.digest)
    if (found) return Promise.resolve(found)
    const begun = computing.get(request.digest)
    if (begun) return begun
    const work = compute(request).finally(() => computing.delete(request.digest))
    computing.set(request.digest, work)
    return work
  }

  return {
    /** Another one when pages that show scores have to be drawn again. */
    version: (): number => version,

    /**
     * Reads what is asked for.
     *
     * @param day as 2026-11-20; today without it
     * @throws AppError `invalid` for a day in the future, or before the first claim
     */
    asked(mode: JudgeMode, day?: string): Asked {
      const asOf = (day === undefined ? null : readDay(day)) ?? today()
      const fault = asOfFault(snapshot(), asOf, today())
      if (fault !== null) throw failure('invalid', `as_of: ${fault}`, { as_of: fault })
      return { asOf, mode }
    },

    /**
     * Scores that are in memory; null when they have to be looked up or computed.
     *
     * @param isNamed the day was named: else those of yesterday are as good until those of today are there
     */
    ready(asked: Asked, isNamed: boolean): ReadyScores | null {
      const last = isFollowed() && asked.asOf === today() ? latest.get(asked.mode) : undefined
      if (last && (!isNamed || last.asOf === isoDay(asked.asOf))) return last.ready
      snapshot()
      const digest = digests.get(nameOf(asked))
      return digest === undefined ? null : (kept.get(digest) ?? null)
    },

    /**
     * Scores of a day that are kept, if they were computed from this very state of the record; null while they are not.
     *
     * @param tx a transaction that has read the record
     */
    async ofRecord(
      tx: Db,
      record: Parameters<typeof writeRequest>[0],
      asked: Asked,
    ): Promise<ScoresReply | null> {
      const { digest } = await writeRequest(record, asked, asked.asOf)
      if ((await storedDigest(tx, asked)) !== digest) return null
      const stored = await storedScores(tx, asked)
      return stored?.digest === digest ? readScores(stored.packed) : null
    },

    /** Scores as of what is on record now. @throws AppError `too_many` when too many days wait already */
    scores: async (asked: Asked): Promise<ReadyScores> => scoresOf(await requestOf(asked)),

    /** Computes today's and yesterday's scores where something has changed. */
    async bringUpToDate(mode: JudgeMode): Promise<void> {
      for (const asOf of [today(), addDays(today(), -1)]) {
        if (asOfFault(snapshot(), asOf, today()) !== null) continue
        const request = await requestOf({ asOf, mode })
        const ready = keep(await scoresOf(request), request)
        // Another process, which had not heard of a change yet, may have kept those from before it.
        if ((await storedDigest(db, request)) !== request.digest) {
          await save(request, ready.packed)
        }
      }
    },

    /** Reads today's scores again, as another process has computed them. */
    async reload(mode: JudgeMode): Promise<void> {
      const stored = await latestScores(db, mode, today())
      if (!stored || !isOfThisMethod(stored.digest)) return
      const isKnown = latest.get(mode)?.ready.digest === stored.digest
      if (!isKnown) show(mode, { asOf: stored.asOf, ready: await readyOf(stored) })
    },
  }
}

async function readyOf({
  digest,
  packed,
}: Pick<StoredScores, 'digest' | 'packed'>): Promise<ReadyScores> {
  const text = smallText(packed)
  const list = text === null ? packedList(packed.gzip) : await hotList(text)
  let reply: ScoresReply | null = null
  // Read when a page needs it: that of many people takes a while.
  return { digest, list, packed, reply: () => (reply ??= readScores(packed)) }
}
