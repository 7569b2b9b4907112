import { type fileReport } from '#contracts/reports.ts'
import { reportPath } from '#contracts/reports-log.ts'
import { isSameReport } from '#domain/same-report.ts'
import { readReport, type GivenReport, type Report } from '#domain/report.ts'
import { dayOfTime, showDay } from '#domain/day.ts'
import { failure } from '#server/kit/failure.ts'
import { DAY_MS, HOUR_MS, type Door } from '#server/kit/limiter.ts'
import { isoNow } from '#server/kit/now.ts'
import { showCount } from '#domain/price-text.ts'
import { checkDeposits, orderDeposit } from '#server/payments/order-deposit.service.ts'
import { type Caller } from '#server/payments/order-payment.service.ts'
import { takeTurn } from '#server/kit/turns.ts'
import { type Db } from '#server/kit/db.ts'
import { type z } from 'zod'
import { type ReportsKit } from './reports-kit.ts'
import { addReport, dropUnpaidReport, openLike, unpaidLike, waitAgain } from './reports.store.ts'

type Filed = z.input<typeof fileReport.reply>

const TURN = 'proof-of-price reports'
/** Those with a deposit are limited by their invoices. */
const FREE: Door = {
  name: 'reports',
  shares: [
    {
      of: 'prefix',
      most: 10,
      withinMs: HOUR_MS,
      said: 'Many reports have come from your network. Please try again in an hour.',
    },
    {
      of: 'prefix',
      most: 30,
      withinMs: DAY_MS,
      said: 'Many reports have come from your network today. Please try again tomorrow.',
    },
    {
      of: 'all',
      most: 120,
      withinMs: HOUR_MS,
      said: 'Many people are reporting errors at the moment. Please try again in an hour.',
    },
  ],
}

/**
 * Stores a report, or finds the open one that says the same.
 *
 * @throws AppError `invalid`, `not_found`, `conflict` for a withdrawn prediction, `too_many`
 */
export async function takeReport(kit: ReportsKit, given: GivenReport, by: Caller): Promise<Filed> {
  const read = readReport(given)
  if (!read.ok) {
    const fields = { ...read.faults }
    throw failure('invalid', Object.values(fields)[0] ?? 'Please check the form.', fields)
  }
  const { report } = read
  await checkPredictions(kit, report)
  return kit.depositSats === 0
    ? takeFree(kit, report, by.address)
    : takeWithDeposit(kit, report, by)
}

async function takeFree(kit: ReportsKit, report: Report, address: string): Promise<Filed> {
  const { number, known } = await kit.db.transaction((tx) => store(kit, tx, report, address))
  return known ? knownAnswer(number) : { ...answer(number), deposit: null }
}

/**
 * The report and the payment of its deposit are written together; it is open once our wallet says that the deposit is paid.
 * Sent again in the same words, after its invoice has ended, it is the same report with another invoice.
 */
async function takeWithDeposit(kit: ReportsKit, report: Report, by: Caller): Promise<Filed> {
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
      write: (tx) => storeUnpaid(kit, tx, report),
      drop: dropUnpaidReport,
    },
    by,
  )
  const message = `Report ${String(number)} is open once its deposit of ${showCount(depositSats)} sats has arrived.`
  return { ...answer(number), message, deposit }
}

type Stored = { readonly number: number; readonly known: boolean }

/** Stores a report, unless an open one says the same. */
async function store(kit: ReportsKit, tx: Db, report: Report, address: string): Promise<Stored> {
  await takeTurn(tx, TURN)
  const same = await sameOpen(tx, report)
  if (same !== null) return { number: same, known: true }
  await kit.limiter.enter(tx, FREE, { address })
  return { number: await addReport(tx, report, { at: isoNow(kit), isPaid: true }), known: false }
}

/** Stores a report that waits for its deposit, unless it waits already. */
async function storeUnpaid(kit: ReportsKit, tx: Db, report: Report): Promise<Stored> {
  await takeTurn(tx, TURN)
  const from = { at: isoNow(kit) }
  const waiting = await unpaidLike(tx, report)
  if (waiting !== null && (await waitAgain(tx, waiting, from.at))) {
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

async function checkPredictions(
  { record }: ReportsKit,
  { prediction, other }: Report,
): Promise<void> {
  const found = await record.find(prediction)
  if (!found) throw failure('not_found', 'There is no such prediction.')
  const { withdrawn: gone } = found
  if (gone) {
    throw failure(
      'conflict',
      `This prediction was withdrawn on ${showDay(dayOfTime(Date.parse(gone.at)))}: it counts in no list or track record any more, and takes no reports.`,
    )
  }
  if (other === null) return
  const second = await record.find(other)
  if (!second || second.withdrawn) {
    const message = 'There is no such prediction on this site.'
    throw failure('invalid', message, { other: message })
  }
}
