import { ScoresReply } from '#contracts/scores.ts'
import { dayOfTime, isoDay, readDay, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { hotList, type HotList } from '#server/http/hot-list.ts'
import { failure } from '#server/kit/failure.ts'
import { keepRecent } from '#server/kit/kept.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type Catalog, type Snapshot } from '#server/predictions/catalog.service.ts'
import { asOfFault, writeRequest, type Asked, type RequestText } from './score-request.ts'
import { type ScoreThread } from './score-thread.ts'

/** Scores ready to be sent, and as pages use them. */
export type ReadyScores = { readonly reply: ScoresReply; readonly list: HotList }

/** Days kept in memory; those of 300 predictions weigh half a megabyte. */
const KEPT_DAYS = 100
const KEPT_BYTES = 64_000_000

export type ScoresService = ReturnType<typeof scoresService>

/** Everybody's scores on any day, computed once for the same inputs. */
export function scoresService({
  catalog,
  clock,
  thread,
}: {
  catalog: Pick<Catalog, 'snapshot'>
  clock: Clock
  thread: Pick<ScoreThread, 'compute'>
}) {
  const kept = keepRecent<ReadyScores>({
    most: KEPT_DAYS,
    mostBytes: KEPT_BYTES,
    // The reply weighs about as much as its text.
    bytesOf: ({ list: { plain, gzip, br } }) => 2 * plain.length + gzip.length + br.length,
  })
  const computing = new Map<string, Promise<ReadyScores>>()
  /** Digests of what is on record now, by day and mode. */
  let digests = new Map<string, string>()
  let digestsOf: Snapshot | null = null

  function snapshot(): Snapshot {
    const now = catalog.snapshot()
    if (!now) throw failure('unavailable', 'The record is being read. Please try again soon.')
    if (digestsOf !== now) {
      digestsOf = now
      digests = new Map()
    }
    return now
  }

  const today = (): Day => dayOfTime(clock.now())
  // What is known of a day changes once it is over.
  const nameOf = ({ asOf, mode }: Asked): string => `${isoDay(asOf)} ${mode} ${String(today())}`

  function requestOf(asked: Asked): RequestText {
    const request = writeRequest(snapshot(), asked, today())
    digests.set(nameOf(asked), request.digest)
    return request
  }

  async function compute(request: RequestText): Promise<ReadyScores> {
    const text = await thread.compute(request)
    const ready = { reply: ScoresReply.parse(JSON.parse(text)), list: await hotList(text) }
    kept.set(request.digest, ready)
    return ready
  }

  function computeOnce(request: RequestText): Promise<ReadyScores> {
    const begun = computing.get(request.digest)
    if (begun) return begun
    const work = compute(request).finally(() => computing.delete(request.digest))
    computing.set(request.digest, work)
    return work
  }

  return {
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
    /** Scores that are there already; null when they have to be computed first. */
    ready(asked: Asked): ReadyScores | null {
      snapshot()
      const digest = digests.get(nameOf(asked))
      return digest === undefined ? null : (kept.get(digest) ?? null)
    },
    /** Scores as of what is on record now. @throws AppError `too_many` when too many days wait already */
    compute: (asked: Asked): Promise<ReadyScores> => {
      const request = requestOf(asked)
      const found = kept.get(request.digest)
      return found ? Promise.resolve(found) : computeOnce(request)
    },
  }
}
