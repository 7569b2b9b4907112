import { type fileReport } from '#contracts/reports.ts'
import { reportPath } from '#contracts/reports-log.ts'
import { isSameReport } from '#domain/same-report.ts'
import { readReport, type GivenReport, type Report } from '#domain/report.ts'
import { dayOfTime, showDay } from '#domain/day.ts'
import { prefixOf } from '#server/http/network-of.ts'
import { failure } from '#server/kit/failure.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { addressHash } from '#server/kit/tokens.ts'
import { takeTurn } from '#server/kit/turns.ts'
import { type Db } from '#server/kit/db.ts'
import { type z } from 'zod'
import { type ReportsKit } from './reports-kit.ts'
import { addReport, countSince, forgetNetworks, openLike } from './reports.store.ts'

type Filed = z.input<typeof fileReport.reply>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Reports of one prefix (see `prefixOf`). */
const MOST_AN_HOUR = 10
const MOST_A_DAY = 30
/** Reports of all visitors together. */
const MOST_OF_ALL_AN_HOUR = 120

/**
 * Stores a report, or finds the open one that says the same.
 *
 * @param address of the visitor, of which only a keyed hash of its prefix is kept, for a day
 * @throws AppError `invalid`, `not_found`, `conflict` for a withdrawn prediction, `too_many`
 */
export async function takeReport(
  kit: ReportsKit,
  given: GivenReport,
  address: string,
): Promise<Filed> {
  const read = readReport(given)
  if (!read.ok) {
    const fields = { ...read.faults }
    throw failure('invalid', Object.values(fields)[0] ?? 'Please check the form.', fields)
  }
  const { report } = read
  checkPredictions(kit, report)
  const network = addressHash(await kit.salt(), prefixOf(address))
  return kit.db.transaction(async (tx) => {
    await takeTurn(tx, 'proof-of-price reports')
    const same = (await openLike(tx, report)).find((one) => isSameReport(one, report))
    if (same) return answer(same.number, true)
    await refuseOverLimit(kit, tx, network)
    const number = await addReport(tx, report, { at: isoNow(kit), network })
    await forgetNetworks(tx, isoIn(kit, -DAY_MS))
    return answer(number, false)
  })
}

function answer(number: number, known: boolean): Filed {
  const message = known
    ? `This was reported before: it is report ${String(number)}, which is still open.`
    : `Thank you. This is report ${String(number)}.`
  return { success: true, message, number, path: reportPath(number), known }
}

function checkPredictions({ snapshot }: ReportsKit, { prediction, other }: Report): void {
  const { byId, withdrawn } = snapshot()
  const gone = withdrawn.get(prediction)?.withdrawn
  if (gone) {
    throw failure(
      'conflict',
      `This prediction was withdrawn on ${showDay(dayOfTime(Date.parse(gone.at)))}: it counts in no list or track record any more, and takes no reports.`,
    )
  }
  if (!byId.has(prediction)) throw failure('not_found', 'There is no such prediction.')
  if (other !== null && !byId.has(other)) {
    const message = 'There is no such prediction on this site.'
    throw failure('invalid', message, { other: message })
  }
}

async function refuseOverLimit(kit: ReportsKit, tx: Db, network: string): Promise<void> {
  const [hour, day] = [isoIn(kit, -HOUR_MS), isoIn(kit, -DAY_MS)]
  if ((await countSince(tx, hour, network)) >= MOST_AN_HOUR) {
    throw failure(
      'too_many',
      'Many reports have come from your network. Please try again in an hour.',
      null,
      HOUR_MS / 1_000,
    )
  }
  if ((await countSince(tx, day, network)) >= MOST_A_DAY) {
    throw failure(
      'too_many',
      'Many reports have come from your network today. Please try again tomorrow.',
      null,
      DAY_MS / 1_000,
    )
  }
  if ((await countSince(tx, hour, null)) >= MOST_OF_ALL_AN_HOUR) {
    kit.log.warn({ most: MOST_OF_ALL_AN_HOUR }, 'More reports come than an hour may bring.')
    throw failure(
      'too_many',
      'Many people are reporting errors at the moment. Please try again in an hour.',
      null,
      HOUR_MS / 1_000,
    )
  }
}
