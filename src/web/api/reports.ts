// First, before any schema is made.
import './without-eval.ts'
import { fileReport } from '#contracts/reports.ts'
import { type z } from 'zod'
import { call, type CallInput } from './call.ts'

export type FiledReport = z.infer<typeof fileReport.reply>

export function sendReport(
  body: NonNullable<CallInput<typeof fileReport>['body']>,
): Promise<FiledReport> {
  return call(fileReport, { body })
}
