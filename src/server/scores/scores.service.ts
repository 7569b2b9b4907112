import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { addDays, isoDay, readDay, type Day } from '#domain/day.ts'
import { JUDGE_MODES, type JudgeMode } from '#domain/judging/verdict.ts'
import { inOneState, type Db } from '#server/kit/db.ts'
import { AppError, failure } from '#server/kit/failure.ts'
import { type Kit, type SiteKit } from '#server/kit/kit.ts'
import { isoNow, today as todayOf } from '#server/kit/time.ts'
import { workerCalls, workerFile } from '#server/kit/worker-calls.ts'
import { readState } from '#server/record/record-state.ts'
import { type ScoreWorker } from './compute-scores.ts'
import { asOfFault, isOfThisMethod, type ScoreKey } from './score-request.ts'
import { replyText } from './scores-wire.ts'
import * as store from './scores.rows.ts'

/** Maximum days being computed or queued on demand; more would take minutes. */
const MOST_AT_ONCE = 4
const BUSY_SECONDS = 10
/** How long a page waits for the first scores. */
const PATIENCE_MS = 4_000

export type ScoresService = ReturnType<typeof scoresService>

export type NewestOf = Pick<ScoresService, 'read' | 'waitAndRead' | 'everyone'>

type Everyone = {
  readonly people: readonly store.PersonFigures[]
  readonly days: Awaited<ReturnType<typeof store.daysMade>>
}

type Read<T> = (tx: Db, scores: store.StoredScores) => Promise<T>

/** Today's scores are the latest computed: for some seconds after a change they are those from before. */
function scoresService(
  { db, clock }: Pick<Kit, 'db' | 'clock'>,
  worker: Pick<ScoreWorker, 'compute'>,
  /** Whether a job computes today's scores after each change. */
  isFollowed: () => boolean,
) {
  const computing = new Map<string, Promise<void>>()
  const everyone = new LRUCache<string, Promise<Everyone>>({ max: JUDGE_MODES.length })
  let version = 0
  const today = (): Day => todayOf({ clock })

  async function newest(on: Db, mode: JudgeMode): Promise<store.StoredScores | null> {
    const found = await store.latestScores(on, mode, today())
    return found && isOfThisMethod(found.digest) ? found : null
  }

  async function ofRecord(on: Db, key: ScoreKey): Promise<store.StoredScores | null> {
    const stored = await store.storedScores(on, key)
    const { version: now } = await readState(on)
    return stored && isCurrent(stored, now, today()) ? stored : null
  }

  /** Reads the newest scores without waiting; null while they are computed for the first time. */
  function read<T>(mode: JudgeMode, work: Read<T>): Promise<T | null> {
    return inOneState(db, async (tx) => {
      const found = await newest(tx, mode)
      return found && work(tx, found)
    })
  }

  async function compute(key: ScoreKey): Promise<void> {
    const { asOf } = key
    const now = today()
    const known = await ofRecord(db, key)
    if (known && (known.hasPages || asOf < now)) return
    const isNew = await worker.compute({ ...key, now: isoNow({ clock }) })
    // With signals, this process is notified, too.
    if (isNew && asOf === now && !isFollowed()) version += 1
  }

  /** Updates the scores of a day. @throws AppError `too_many` if the queue is full */
  async function bring(key: ScoreKey, most = MOST_AT_ONCE): Promise<void> {
    const name = `${key.mode} ${String(key.asOf)}`
    const begun = computing.get(name)
    if (begun) return begun
    if (computing.size >= most) {
      throw failure('too_many', TOO_MANY_DAYS, null, BUSY_SECONDS)
    }
    const work = compute(key).finally(() => computing.delete(name))
    computing.set(name, work)
    return work
  }

  return {
    /** Changes when pages with scores must be rendered again. */
    version: (): number => version,
    /** Another process may have computed scores. */
    hear: (): void => {
      version += 1
    },
    bring,
    read,

    everyone(tx: Db, of: store.StoredScores): Promise<Everyone> {
      const key = `${of.mode} ${isoDay(of.asOf)} ${of.digest}`
      const find = async () => ({
        people: await store.figuresOfPeople(tx, of),
        days: await store.daysMade(tx, of.asOf),
      })
      const found = everyone.get(key) ?? find()
      everyone.set(key, found)
      found.catch(() => everyone.delete(key))
      return found
    },

    /** Like `read`, but waits for the first scores; null after the time limit, or if they cannot be computed now. */
    async waitAndRead<T>(mode: JudgeMode, work: Read<T>): Promise<T | null> {
      if (!(await newest(db, mode))) {
        const late = pause(PATIENCE_MS, undefined, { ref: false })
        const brought = bring({ asOf: today(), mode }).catch((error: unknown) => {
          // The queue may be full.
          if (!(error instanceof AppError)) throw error
        })
        await Promise.race([brought, late])
      }
      return read(mode, work)
    },

    /**
     * @param day such as 2026-11-20; default today
     * @throws AppError `invalid` for a day in the future, or before the first claim
     */
    async scoreKey(mode: JudgeMode, day?: string): Promise<ScoreKey> {
      const asOf = (day === undefined ? null : readDay(day)) ?? today()
      const days = await store.daysMade(db, today())
      const fault = asOfFault(days?.first ?? null, asOf, today())
      if (fault !== null) throw failure('invalid', `as_of: ${fault}`, { as_of: fault })
      return { asOf, mode }
    },

    /**
     * Stored scores for a request; null if they must be computed.
     * @param isNamed otherwise yesterday's may be used until today's exist
     */
    async ready(key: ScoreKey, isNamed: boolean): Promise<ScoreKey | null> {
      const { asOf, mode } = key
      if (isFollowed() && asOf === today()) {
        const found = await newest(db, mode)
        if (found && (!isNamed || found.asOf === asOf)) return found
      }
      return ofRecord(db, key)
    },

    /** Processes the JSON of a stored reply in pieces. */
    text<T>(of: ScoreKey, work: (parts: AsyncIterable<string>) => Promise<T>): Promise<T> {
      return inOneState(db, async (tx) => {
        const stored = await store.storedScores(tx, of)
        if (!stored) throw new Error(`no scores of ${isoDay(of.asOf)}`)
        return work(replyText(stored.about, store.everybody(tx, of)))
      })
    },

    ofRecord,

    /** Computes today's and yesterday's scores after changes. */
    bringUpToDate: async (mode: JudgeMode): Promise<void> => {
      const days = await store.daysMade(db, today())
      for (const asOf of [today(), addDays(today(), -1)]) {
        if (asOfFault(days?.first ?? null, asOf, today()) !== null) continue
        await bring({ asOf, mode }, Infinity)
      }
    },
  }
}

/** Whether scores are known to be of this record version, without reading any statement. */
function isCurrent(
  { asOf, digest, recordVersion, computedAt }: store.StoredScores,
  version: number,
  today: Day,
): boolean {
  // Inputs of a day change once it is over.
  const wasOver = Date.parse(computedAt) >= Date.parse(isoDay(addDays(asOf, 1)))
  return isOfThisMethod(digest) && recordVersion === version && asOf < today === wasOver
}

export const TOO_MANY_DAYS =
  'Scores of several other days are being computed right now. Please try again in a few seconds.'

export type ScorePace = { readonly worker?: (kit: Kit) => ScoreWorker }

/** `MOST_AT_ONCE` and both jobs. */
const MOST_WAITING = 6
/** A hundred thousand predictions take half a minute, or several times that on a busy machine. */
const COMPUTED_WITHIN_MS = 5 * 60_000

export function scoreWorker({ direct }: Pick<Kit, 'direct'>): ScoreWorker {
  const worker = workerCalls({
    file: workerFile('score-worker', import.meta.url),
    schema: z.boolean(),
    mostWaiting: MOST_WAITING,
    withinMs: COMPUTED_WITHIN_MS,
    // After a large record it holds hundreds of megabytes.
    idleMs: 0,
    // The driver of the database reads its variables, too.
    env: process.env,
  })
  return {
    async compute(job) {
      const answer = await worker.ask({ direct, ...job })
      if (answer.ok) return answer.answer
      throw new Error(`Scores could not be computed: ${answer.message}`)
    },
    close: worker.close,
  }
}

/** Changes close together are computed once. */
const GATHER_SECONDS = 1

/**
 * After `start` a job per mode computes scores; after `follow` other processes do; before either, they are
 * computed on demand.
 */
export function openScores(
  kit: SiteKit,
  onChange: (listener: () => void) => () => void,
  { worker: open = scoreWorker }: ScorePace = {},
) {
  const { db, signals, jobs, outages } = kit
  const worker = open(kit)
  const ends: (() => void)[] = []
  const service = scoresService(kit, worker, () => ends.length > 0)
  const job = jobs.define({
    name: 'scores',
    title: 'Computing scores',
    data: z.object({ mode: z.enum(JUDGE_MODES) }),
    key: ({ mode }) => mode,
    every: { seconds: 300, data: JUDGE_MODES.map((mode) => ({ mode })) },
    withinSeconds: 1_800,
    run: ({ mode }) => service.bringUpToDate(mode),
  })

  function follow(): void {
    if (ends.length === 0) ends.push(signals.listen('scores', service.hear))
  }

  async function ask(): Promise<void> {
    for (const mode of JUDGE_MODES) await job.send(db, { mode }, GATHER_SECONDS)
  }

  return {
    service,
    follow,
    start: () => {
      follow()
      ends.push(onChange(() => void ask().catch((error: unknown) => outages.notice(error))))
    },
    stop: async () => {
      for (const end of ends) end()
      await worker.close()
    },
  }
}
