import { type z } from 'zod'
import type * as contract from '#contracts/operations.ts'
import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import {
  plural,
  addDays,
  day,
  dayOfTime,
  isoDay,
  showDay,
  timeOfDay,
  type Day,
} from '#domain/day.ts'
import { type Admin, writeAudit } from '#server/kit/admin.ts'
import { acquireLock, type Db } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { type Jobs } from '#server/kit/jobs.ts'
import { type Kit } from '#server/kit/kit.ts'
import { iso, isoNow, isoOrNull } from '#server/kit/time.ts'
import { agreeToDays, waitingDays } from '#server/prices/earlier-days.service.ts'
import { type PriceJobs } from '#server/prices/open-prices.ts'
import { answerQuestions, latestQuestions, loadSources } from '#server/prices/price-sources.rows.ts'
import { recordSplit } from '#server/prices/record-split.service.ts'
import { questionRow } from '#server/prices/status.service.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { queuedJobFacts, loopFacts, type JobFacts } from './jobs.store.ts'

export type Operations = ReturnType<typeof operationsService>

type Answer = z.output<NonNullable<typeof contract.answerJump.body>>

/** Twice the interval of the slowest jobs that take up due work; a task due for longer is stuck. */
const LATE_MS = 600_000
const LATEST_JUMPS = 50

export function operationsService(
  { db, clock, config }: Pick<Kit, 'db' | 'clock' | 'config'>,
  /** Null where outside prices are disabled. */
  priceJobs: Pick<PriceJobs, 'ask' | 'askEarlier'> | null,
  jobs: Pick<Jobs, 'titleOf'>,
) {
  const now = (): string => isoNow({ clock })

  return {
    async jobs(): Promise<Pick<z.input<typeof contract.listJobs.reply>, 'now' | 'jobs'>> {
      const facts = [...(await queuedJobFacts(db, jobs.titleOf)), ...(await loopFacts(db, config))]
      return { now: now(), jobs: facts.map((one) => jobRow(one, clock.now())) }
    },

    /** Schedules a fetch of a source in any process. */
    runSource(
      admin: Admin,
      { asset, source }: z.output<NonNullable<typeof contract.runSource.body>>,
    ): Promise<string> {
      return db.transaction(async (tx) => {
        const state = (await loadSources(tx, asset)).find((one) => one.source === source)
        if (state?.notBefore != null && state.notBefore > clock.now()) {
          const until = new Date(state.notBefore).toISOString().slice(0, 16).replace('T', ' ')
          throw failure('conflict', `This source has asked us to wait until ${until} UTC.`)
        }
        if (!(await priceJobs?.ask(tx, asset, source))) {
          throw failure(
            'not_found',
            'There is no such source in use, or prices from outside are switched off (PRICES).',
          )
        }
        const subject = { kind: 'price source', id: `${asset} ${source}` }
        await writeAudit(tx, { at: now(), admin, action: 'price source run', subject })
        return 'It is being fetched now.'
      })
    },

    async jumps(): Promise<z.input<typeof contract.listJumps.reply>> {
      const rows = await latestQuestions(db, LATEST_JUMPS)
      return {
        jumps: rows.map((row) => ({
          ...questionRow(row),
          asked_at: iso(row.askedAt),
          answer: row.answer,
          answered_at: isoOrNull(row.answeredAt),
          // Cryptocurrencies can halve without a split; only shares are split.
          looks_like_split:
            ASSETS[row.asset].calendar === 'every-day'
              ? null
              : splitLike(row.beforeUsd, row.afterUsd),
        })),
      }
    },

    answer(admin: Admin, input: Answer): Promise<string> {
      return db.transaction(async (tx) => {
        const { asset, answer, note } = input
        const on = day(input.date)
        const request = (await latestQuestions(tx, LATEST_JUMPS)).find(
          (row) => row.asset === asset && row.day === on && row.answer === null,
        )
        const isOpen = request !== undefined
        if (!isOpen && answer !== 'split') {
          throw failure('conflict', `No question about ${asset} on ${showDay(on)} is open.`)
        }
        const message = await applyAnswer(tx, asset, on, input)
        // Withheld bars are fetched again, and accepted this time.
        if (answer !== 'wrong') await priceJobs?.ask(tx, asset)
        await writeAudit(tx, {
          at: now(),
          admin,
          action: `price jump: ${answer}`,
          subject: { kind: 'price jump', id: `${asset} ${isoDay(on)}` },
          before: request ? { from: request.beforeUsd, to: request.afterUsd } : null,
          after: answer === 'split' ? { answer, ratio: input.ratio } : { answer },
          reason: note || null,
        })
        await recordChanged(tx)
        return message
      })
    },

    async earlierDays(): Promise<z.input<typeof contract.listEarlierDays.reply>> {
      const all = await Promise.all(
        ASSET_KEYS.map(async (asset) => ({ asset, one: await waitingDays(db, asset) })),
      )
      return { waiting: all.flatMap(({ asset, one }) => (one ? [{ asset, ...one }] : [])) }
    },

    /** Confirms the preview: the job of the asset fetches the sources again, and records only those changes. */
    publishEarlier(
      admin: Admin,
      { asset, seen }: z.output<NonNullable<typeof contract.publishEarlierDays.body>>,
    ): Promise<string> {
      return db.transaction(async (tx) => {
        await acquireLock(tx)
        const { symbol } = ASSETS[asset]
        const { days, changed } = await agreeToDays(tx, asset, seen, admin.username)
        await priceJobs?.askEarlier(tx, asset)
        await writeAudit(tx, {
          at: now(),
          admin,
          action: 'daily ranges published',
          subject: { kind: 'prices', id: asset },
          after: { days, verdicts: changed },
        })
        return `${plural(days, 'day')} of ${symbol} with a range enter the record once the sources have answered again.`
      })
    },
  }

  async function applyAnswer(tx: Db, asset: AssetKey, on: Day, input: Answer): Promise<string> {
    const { symbol } = ASSETS[asset]
    switch (input.answer) {
      case 'real':
        await answerQuestions(tx, asset, { from: on, to: on }, 'real')
        return `The jump of ${symbol} on ${showDay(on)} is real; its prices are used the next time they are read.`
      case 'wrong':
        await answerQuestions(tx, asset, { from: on, to: on }, 'withdrawn')
        return `The price of ${symbol} on ${showDay(on)} is rejected. If its source reports it again, you will be asked again.`
      case 'split': {
        const { ratio } = input
        if (ratio === undefined || ratio === 1) {
          const message = 'Please enter how many units one became, such as 10 (or 0.1).'
          throw invalid({ ratio: message })
        }
        const note = input.note || 'entered by an administrator'
        if (!(await recordSplit({ db: tx, clock }, asset, { day: on, ratio, note }))) {
          throw failure('conflict', `A split of ${symbol} on ${showDay(on)} is already known.`)
        }
        return `One ${symbol} became ${String(ratio)} on ${showDay(on)}; prices before it are in the new units.`
      }
    }
  }
}

function jobRow(
  { isOff = false, running, ...facts }: JobFacts,
  nowMs: number,
): z.input<typeof contract.listJobs.reply>['jobs'][number] {
  const { name, waiting, last_error: error, next_run: next } = facts
  const isLate = next !== null && Date.parse(next) < nowMs - LATE_MS
  const states = [
    [isOff, 'off'],
    [running > 0, 'running'],
    [isLate, 'late'],
    [error !== null, 'failing'],
    [waiting > 0, 'waiting'],
  ] as const
  const state = states.find(([isSo]) => isSo)?.[1] ?? 'ok'
  // New predictions are judged as they arrive, all of them once a day.
  const nextRun =
    name === 'judging' ? new Date(timeOfDay(addDays(dayOfTime(nowMs), 1))).toISOString() : next
  return { ...facts, state, next_run: nextRun }
}

function splitLike(before: number, after: number): number | null {
  const ratio = before / after
  const whole = Math.round(ratio >= 1 ? ratio : 1 / ratio)
  const off = Math.abs((ratio >= 1 ? ratio : 1 / ratio) / whole - 1)
  if (whole < 2 || whole > 50 || off > 0.1) return null
  return ratio >= 1 ? whole : 1 / whole
}
