import { addDays, isoDay, readDay, type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { inOneState, takeTurn, type Db } from '#server/kit/db.ts'
import { AppError, failure } from '#server/kit/failure.ts'
import { isoNow, today as todayOf } from '#server/kit/now.ts'
import { type Clock } from '#server/kit/ports.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { readState } from '#server/record/record-state.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { scoreInputs } from './score-inputs.ts'
import { asOfFault, isOfThisMethod, writeRequest, type Asked } from './score-request.ts'
import { type ScoreThread } from './score-thread.ts'
import { everybody, latestScores, storedScores, type StoredScores } from './scores.rows.ts'
import { replyText } from './scores-wire.ts'
import { daysMade, forgetOld, noteLuck, noteVersion, saveScores } from './scores.store.ts'

/** Days that may be asked for and wait for their scores; more would take minutes. */
const MOST_AT_ONCE = 4
const BUSY_SECONDS = 10
/** A page does not wait longer for scores that are computed for the first time. */
const PATIENCE_MS = 4_000

export type ScoresService = ReturnType<typeof scoresService>

/** Reads the newest scores for a page. */
export type NewestOf = Pick<ScoresService, 'read' | 'waitAndRead'>

/** Works on one state of scores. */
type Read<T> = (tx: Db, scores: StoredScores) => Promise<T>

/**
 * Everybody's scores on any day, stored as rows. Today's are those of the last job: a visitor after a change sees the former
 * ones for some seconds, and does not wait.
 */
export function scoresService({
  db,
  clock,
  thread,
  isFollowed,
}: {
  readonly db: Db
  readonly clock: Clock
  readonly thread: Pick<ScoreThread, 'compute'>
  /** A job computes today's scores after each change. */
  readonly isFollowed: () => boolean
}) {
  const computing = new Map<string, Promise<void>>()
  let version = 0
  const today = (): Day => todayOf({ clock })

  async function newest(on: Db, mode: JudgeMode): Promise<StoredScores | null> {
    const found = await latestScores(on, mode, today())
    return found && isOfThisMethod(found.digest) ? found : null
  }

  /** Reads the newest scores for a page that does not wait for them; null while they are computed for the first time. */
  function read<T>(mode: JudgeMode, work: Read<T>): Promise<T | null> {
    return inOneState(db, async (tx) => {
      const found = await newest(tx, mode)
      return found && work(tx, found)
    })
  }

  async function compute(asked: Asked): Promise<void> {
    const { asOf, mode } = asked
    const now = today()
    const known = await storedScores(db, asked)
    const { version: latest } = await readState(db)
    if (known && (known.hasPages || asOf < now) && isCurrent(known, latest, now)) return
    const { request, recordVersion } = await inOneState(db, async (tx) => ({
      recordVersion: (await readState(tx)).version,
      request: await writeRequest(await scoreInputs(tx, asOf, now), asked, now),
    }))
    const isDaily = asOf >= addDays(now, -1)
    const stored = await storedScores(db, asked)
    if (stored?.digest === request.digest && (stored.hasPages || asOf < now)) {
      await noteVersion(db, asked, { recordVersion, isDaily })
      return
    }
    const { text: _text, ...about } = request
    const { luck, ...rows } = await thread.compute(request)
    await db.transaction(async (tx) => {
      const given = { ...about, rows, recordVersion, isDaily }
      if (!(await saveScores(tx, { ...given, now: isoNow({ clock }) }))) return
      await forgetOld(tx, now)
      if (asOf < now) return
      await takeTurn(tx)
      await noteLuck(tx, mode, luck)
      await sendSignal(tx, 'scores', [mode])
    })
    // Where signals are heard, this process hears of it, too.
    if (asOf === now && !isFollowed()) version += 1
  }

  /** Brings the scores of a day up to date. @throws AppError `too_many` when too many days wait already */
  async function bring(asked: Asked, most = MOST_AT_ONCE): Promise<void> {
    const name = `${asked.mode} ${String(asked.asOf)}`
    const begun = computing.get(name)
    if (begun) return begun
    if (computing.size >= most) throw tooManyDays(BUSY_SECONDS)
    const work = compute(asked).finally(() => computing.delete(name))
    computing.set(name, work)
    return work
  }

  return {
    /** Another one when pages that show scores have to be drawn again. */
    version: (): number => version,
    /** Another process has computed scores, or may have. */
    hear: (): void => {
      version += 1
    },
    bring,
    read,

    /** The same for a page that is about them; null when they are computed for too long, or cannot be now. */
    async waitAndRead<T>(mode: JudgeMode, work: Read<T>): Promise<T | null> {
      if (!(await newest(db, mode))) {
        const late = pause(PATIENCE_MS, undefined, { ref: false })
        await Promise.race([bring({ asOf: today(), mode }), late]).catch(ignoreRefusal)
      }
      return read(mode, work)
    },

    /**
     * Reads what is asked for.
     *
     * @param day as 2026-11-20; today without it
     * @throws AppError `invalid` for a day in the future, or before the first claim
     */
    async asked(mode: JudgeMode, day?: string): Promise<Asked> {
      const asOf = (day === undefined ? null : readDay(day)) ?? today()
      const days = await daysMade(db, today())
      const fault = asOfFault(days?.first ?? null, asOf, today())
      if (fault !== null) throw failure('invalid', `as_of: ${fault}`, { as_of: fault })
      return { asOf, mode }
    },

    /**
     * Whose stored scores answer a question; null when they have to be computed first.
     *
     * @param isNamed the day was named: else those of yesterday are as good until those of today are there
     */
    async ready(asked: Asked, isNamed: boolean): Promise<Asked | null> {
      const { asOf, mode } = asked
      if (isFollowed() && asOf === today()) {
        const found = await newest(db, mode)
        if (found && (!isNamed || found.asOf === asOf)) return found
      }
      const stored = await storedScores(db, asked)
      const { version: now } = await readState(db)
      return stored && isCurrent(stored, now, today()) ? stored : null
    },

    /** Works on the JSON of a stored reply, which is read in parts. */
    text<T>(of: Asked, work: (parts: AsyncIterable<string>) => Promise<T>): Promise<T> {
      return inOneState(db, async (tx) => {
        const stored = await storedScores(tx, of)
        if (!stored) throw new Error(`no scores of ${isoDay(of.asOf)}`)
        return work(replyText(stored.about, everybody(tx, of)))
      })
    },

    /**
     * Scores of today that are stored, if they were computed from this very state of the record; null while they are not.
     *
     * @param tx a transaction that has read the record
     */
    async ofRecord(tx: Db, asked: Asked): Promise<StoredScores | null> {
      const { asOf } = asked
      const { digest } = await writeRequest(await scoreInputs(tx, asOf, asOf), asked, asOf)
      const stored = await storedScores(tx, asked)
      return stored?.digest === digest ? stored : null
    },

    /** Computes today's and yesterday's scores where something has changed. */
    bringUpToDate: async (mode: JudgeMode): Promise<void> => {
      const days = await daysMade(db, today())
      for (const asOf of [today(), addDays(today(), -1)]) {
        if (asOfFault(days?.first ?? null, asOf, today()) !== null) continue
        await bring({ asOf, mode }, Infinity)
      }
    },
  }
}

/** Whether scores are those of this version of the record, so that no statement has to be read to know it. */
function isCurrent(
  { asOf, digest, recordVersion, computedAt }: StoredScores,
  version: number,
  today: Day,
): boolean {
  // What can be known of a day changes once it is over.
  const wasOver = Date.parse(computedAt) >= Date.parse(isoDay(addDays(asOf, 1)))
  return isOfThisMethod(digest) && recordVersion === version && asOf < today === wasOver
}

export function tooManyDays(seconds: number): Error {
  return failure(
    'too_many',
    'Scores of several other days are being computed right now. Please try again in a few seconds.',
    null,
    seconds,
  )
}

/** Too many days may be asked for at once. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AppError)) throw error
}
