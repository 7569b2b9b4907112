import { type fileReport } from '#contracts/reports.ts'
import { reportPath } from '#contracts/reports-log.ts'
import { isSameReport } from '#domain/same-report.ts'
import { readReport, type GivenReport, type Report } from '#domain/report.ts'
import { dayOfTime, showDay } from '#domain/day.ts'
import { prefixOf } from '#server/http/network-of.ts'
import { failure } from '#server/kit/failure.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { addressHash } from '#server/kit/tokens.ts'
import { showCount } from '#domain/price-text.ts'
import { checkDeposits, orderDeposit } from '#server/payments/order-deposit.service.ts'
import { type Caller } from '#server/payments/order-payment.service.ts'
import { takeTurn } from '#server/kit/turns.ts'
import { type Db } from '#server/kit/db.ts'
import { type z } from 'zod'
import { type ReportsKit } from './reports-kit.ts'
import { forgetNetworks } from './reports.rows.ts'
import {
  addReport,
  countSince,
  dropUnpaidReport,
  openLike,
  unpaidLike,
  waitAgain,
} from './reports.store.ts'

type Filed = z.input<typeof fileReport.reply>

const TURN = 'proof-of-price reports'
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
 * @param by of whose address only a keyed hash of its prefix is kept, for a day
 * @throws AppError `invalid`, `not_found`, `conflict` for a withdrawn prediction, `too_many`
 */
export async function takeReport(kit: ReportsKit, given: GivenReport, by: Caller): Promise<Filed> {
  const read = readReport(given)
  if (!read.ok) {
    const fields = { ...read.faults }
    throw failure('invalid', Object.values(fields)[0] ?? 'Please check the form.', fields)
  }
  const { report } = read
  checkPredictions(kit, report)
  const network = addressHash(await kit.salt(), prefixOf(by.address))
  return kit.depositSats === 0
    ? takeFree(kit, report, network)
    : takeWithDeposit(kit, report, network, by)
}

async function takeFree(kit: ReportsKit, report: Report, network: string): Promise<Filed> {
  const { number, known } = await kit.db.transaction((tx) => store(kit, tx, report, network))
  return known ? knownAnswer(number) : { ...answer(number), deposit: null }
}

/**
 * The report and the payment of its deposit are written together; it is open once our wallet says that the deposit is paid.
 * Sent again in the same words, after its invoice has ended, it is the same report with another invoice.
 */
async function takeWithDeposit(
  kit: ReportsKit,
  report: Report,
  network: string,
  by: Caller,
): Promise<Filed> {
  const { db, payments, depositSats } = kit
  const waiting = await unpaidLike(db, report)
  if (waiting !== null) await checkDeposits(payments, waiting)
  const same = await sameOpen(db, report)
  if (same !== null) return knownAnswer(same)
  const { number, deposit } = await orderDeposit(
    payments,
    depositSats,
    {
      asked: report,
      write: (tx) => storeUnpaid(kit, tx, report, network),
      drop: dropUnpaidReport,
    },
    by,
  )
  const message = `Report ${String(number)} is open once its deposit of ${showCount(depositSats)} sats has arrived.`
  return { ...answer(number), message, deposit }
}

type Stored = { readonly number: number; readonly known: boolean }

/** Stores a report, unless an open one says the same. */
async function store(kit: ReportsKit, tx: Db, report: Report, network: string): Promise<Stored> {
  await takeTurn(tx, TURN)
  const same = await sameOpen(tx, report)
  if (same !== null) return { number: same, known: true }
  await refuseOverLimit(kit, tx, network)
  const number = await addReport(tx, report, { at: isoNow(kit), network, isPaid: true })
  await forgetNetworks(tx, isoIn(kit, -DAY_MS))
  return { number, known: false }
}

/** Stores a report that waits for its deposit, unless it waits already. */
async function storeUnpaid(
  kit: ReportsKit,
  tx: Db,
  report: Report,
  network: string,
): Promise<Stored> {
  await takeTurn(tx, TURN)
  await refuseOverLimit(kit, tx, network)
  const from = { at: isoNow(kit), network }
  const waiting = await unpaidLike(tx, report)
  if (waiting !== null && (await waitAgain(tx, waiting, from))) {
    return { number: waiting, known: true }
  }
  return { number: await addReport(tx, report, { ...from, isPaid: false }), known: false }
}

async function sameOpen(db: Db, report: Report): Promise<number | null> {
  return (await openLike(db, report)).find((one) => isSameReport(one, report))?.number ?? null
}

function answer(number: number): Omit<Filed, 'deposit'> {
  const message = `Thank you. This is report ${String(number)}.`
  return { success: true, message, number, path: reportPath(number), known: false }
}

function knownAnswer(number: number): Filed {
  const message = `This was reported before: it is report ${String(number)}, which is still open.`
  return { ...answer(number), message, known: true, deposit: null }
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
