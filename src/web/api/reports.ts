// First, before any schema is made.
import './without-eval.ts'
import { IDEMPOTENCY_HEADER } from '#contracts/payments.ts'
import { fileReport } from '#contracts/reports.ts'
import { type z } from 'zod'
import { call, type CallInput } from './call.ts'

/** A wallet may take its time over an invoice. */
const PATIENCE_MS = 25_000

export type FiledReport = z.infer<typeof fileReport.reply>

/** @param key asked again after a lost answer, the same key gets the same report and invoice */
export function sendReport(
  body: NonNullable<CallInput<typeof fileReport>['body']>,
  key: string,
): Promise<FiledReport> {
  return call(fileReport, { body, headers: { [IDEMPOTENCY_HEADER]: key }, patienceMs: PATIENCE_MS })
}
