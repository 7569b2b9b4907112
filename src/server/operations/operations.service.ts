import {
  type answerJump,
  type JOB_STATES,
  type listJobs,
  type listJumps,
  type runSource as runSourceCall,
} from '#contracts/operations.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { addDays, day, dayOfTime, isoDay, showDay, timeOfDay, type Day } from '#domain/day.ts'
import { failure } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type Admin } from '#server/kit/ports.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { durableJobFacts, hurryPriceJobs, loopFacts, type JobFacts } from './jobs.store.ts'
import { askAgain } from '#server/prices/deeper-history.rows.ts'
import { answerQuestions, latestQuestions, loadSources } from '#server/prices/price-sources.rows.ts'
import { type z } from 'zod'
import { recordSplit } from '#server/prices/record-split.service.ts'

export type Operations = ReturnType<typeof operationsService>

type Answer = z.output<NonNullable<typeof answerJump.body>>
type JobState = (typeof JOB_STATES)[number]

/** Loops come round every few seconds; what is due for longer than this is not being done. */
const LATE_MS = 120_000
const LATEST_JUMPS = 50

/** What the site does by itself, and the questions it cannot answer alone. */
export function operationsService({ db, clock, config }: Pick<Kit, 'db' | 'clock' | 'config'>) {
  const now = (): string => new Date(clock.now()).toISOString()

  return {
    async jobs(): Promise<Omit<z.input<typeof listJobs.reply>, 'warnings'>> {
      const facts = [...(await durableJobFacts(db)), ...(await loopFacts(db, config))]
      return { now: now(), jobs: facts.map((one) => jobRow(one, clock.now())) }
    },

    /** Has a source asked now, in whichever process takes its job. */
    runSource(
      admin: Admin,
      { asset, source, earlier_days: isEarlier }: z.output<NonNullable<typeof runSourceCall.body>>,
    ): Promise<string> {
      return db.transaction(async (tx) => {
        const state = (await loadSources(tx, asset)).find((one) => one.source === source)
        if (state?.notBefore != null && state.notBefore > clock.now()) {
          const until = new Date(state.notBefore).toISOString().slice(0, 16).replace('T', ' ')
          throw failure('conflict', `This source has asked to be left alone until ${until} UTC.`)
        }
        const name = isEarlier ? `${source} earlier days` : source
        const { moved, running } = await hurryPriceJobs(tx, asset, name)
        if (moved + running === 0) {
          throw failure(
            'not_found',
            'There is no such source in use, or prices from outside are switched off (PRICES).',
          )
        }
        if (isEarlier) {
          if (moved === 0) {
            const busy = 'It is being asked right now. Please try again in a minute.'
            throw failure('conflict', busy)
          }
          await askAgain(tx, asset, source)
        }
        const subject = { kind: 'price source', id: `${asset} ${name}` }
        await writeAudit(tx, { at: now(), admin, action: 'price source run', subject })
        return moved > 0 ? 'It is asked now.' : 'It is being asked right now.'
      })
    },

    async jumps(): Promise<z.input<typeof listJumps.reply>> {
      const rows = await latestQuestions(db, LATEST_JUMPS)
      return {
        jumps: rows.map((row) => ({
          asset: row.asset,
          date: row.day,
          sources: row.sources,
          before_date: row.beforeDay,
          before: row.beforeUsd,
          after: row.afterUsd,
          asked_at: new Date(row.askedAt).toISOString(),
          answer: row.answer,
          answered_at: row.answeredAt === null ? null : new Date(row.answeredAt).toISOString(),
          // Coins fall by half without one: only shares are split.
          looks_like_split:
            ASSETS[row.asset].calendar === 'every-day'
              ? null
              : splitLike(row.beforeUsd, row.afterUsd),
        })),
      }
    },

    answer(admin: Admin, given: Answer): Promise<string> {
      return db.transaction(async (tx) => {
        const { asset, answer, note } = given
        const on = day(given.date)
        const asked = (await latestQuestions(tx, LATEST_JUMPS)).find(
          (row) => row.asset === asset && row.day === given.date && row.answer === null,
        )
        const isOpen = asked !== undefined
        if (!isOpen && answer !== 'split') {
          throw failure('conflict', `No question about ${asset} on ${showDay(on)} is open.`)
        }
        const said = await applyAnswer(tx, asset, on, given)
        // What was held back is read again, and believed this time.
        if (answer !== 'wrong') await hurryPriceJobs(tx, asset, null)
        await writeAudit(tx, {
          at: now(),
          admin,
          action: `price jump: ${answer}`,
          subject: { kind: 'price jump', id: `${asset} ${isoDay(on)}` },
          before: asked ? { from: asked.beforeUsd, to: asked.afterUsd } : null,
          after: answer === 'split' ? { answer, ratio: given.ratio } : { answer },
          reason: note || null,
        })
        await recordChanged(tx)
        return said
      })
    },
  }

  async function applyAnswer(tx: Db, asset: AssetKey, on: Day, given: Answer): Promise<string> {
    const { symbol } = ASSETS[asset]
    switch (given.answer) {
      case 'real':
        await answerQuestions(tx, asset, { from: on, to: on }, 'real')
        return `The jump of ${symbol} on ${showDay(on)} is real; its prices are used the next time they are read.`
      case 'wrong':
        await answerQuestions(tx, asset, { from: on, to: on }, 'withdrawn')
        return `The price of ${symbol} on ${showDay(on)} is rejected. If its source reports it again, you will be asked again.`
      case 'split': {
        const { ratio } = given
        if (ratio === undefined || ratio === 1) {
          const message = 'Please enter how many units one became, such as 10 (or 0.1).'
          throw failure('invalid', message, { ratio: message })
        }
        const note = given.note || 'entered by an administrator'
        if (!(await recordSplit({ db: tx, clock }, asset, { day: on, ratio, note }))) {
          throw failure('conflict', `A split of ${symbol} on ${showDay(on)} is known already.`)
        }
        return `One ${symbol} became ${String(ratio)} on ${showDay(on)}; prices before it are in the new units.`
      }
    }
  }
}

function jobRow(facts: JobFacts, nowMs: number): z.input<typeof listJobs.reply>['jobs'][number] {
  const { name, title, waiting, lastRun, lastError, lastErrorAt } = facts
  // New predictions are judged as they come, everything once more when a day begins.
  const nextRun = name === 'judging' ? isoTime(addDays(dayOfTime(nowMs), 1)) : facts.nextRun
  return {
    name,
    title,
    state: stateOf(facts, nowMs),
    waiting,
    last_run: lastRun,
    last_error: lastError,
    last_error_at: lastErrorAt,
    next_run: nextRun,
  }
}

function stateOf(
  { isOff, running, waiting, lastError, nextRun }: JobFacts,
  nowMs: number,
): JobState {
  if (isOff) return 'off'
  if (running > 0) return 'running'
  if (nextRun !== null && Date.parse(nextRun) < nowMs - LATE_MS) return 'late'
  if (lastError !== null) return 'failing'
  return waiting > 0 ? 'waiting' : 'ok'
}

function isoTime(at: Day): string {
  return new Date(timeOfDay(at)).toISOString()
}

/** The ratio of a split that two closes look like: a small whole number, or one part of it. */
function splitLike(before: number, after: number): number | null {
  const ratio = before / after
  const whole = Math.round(ratio >= 1 ? ratio : 1 / ratio)
  const off = Math.abs((ratio >= 1 ? ratio : 1 / ratio) / whole - 1)
  if (whole < 2 || whole > 50 || off > 0.1) return null
  return ratio >= 1 ? whole : 1 / whole
}
