import { z } from 'zod'
import { SubmissionRow } from '#contracts/review.ts'
import { type SignedInBrowser } from './sign-in.ts'
import { type TestApp } from './test-app.ts'

/** A Bitcoin target of $150 by 2027, made on New Year's Day 2026. */
export const HANDED_IN = {
  expert_name: 'Expert A',
  twitter_handle: '@experta',
  prediction_type: 'target',
  price_target: 150,
  prediction_made: '2026-01-01',
  target_time: '2027-12-31',
  source_url: 'https://example.org/said',
  notes: 'Said so.',
}

const ApprovedReply = z.object({
  success: z.literal(true),
  message: z.string(),
  submission: SubmissionRow,
  prediction_id: z.string(),
  influencer: z.object({ id: z.int(), name: z.string(), created: z.boolean() }),
})
export const Refused = z.object({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
})

/** Submits a prediction as an administrator. @returns its id */
export async function handIn(
  admin: SignedInBrowser,
  overrides: Readonly<Record<string, unknown>> = {},
  path = '/api/submissions',
): Promise<string> {
  const answer = await admin.call('POST', path, { ...HANDED_IN, ...overrides })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return z.object({ submission: z.object({ id: z.string() }) }).parse(answer.body).submission.id
}

/** Rejects a submission, by default with a reason. */
export function reject(admin: SignedInBrowser, id: string, admin_comment: unknown = 'No.') {
  const url = `/api/admin/prediction_submissions/${id}`
  return admin.call('PUT', url, { status: 'rejected', admin_comment })
}

export function undo(admin: SignedInBrowser, id: string) {
  return admin.call('POST', `/api/v1/admin/submissions/${id}/undo`)
}

export async function approve(admin: SignedInBrowser, id: string, body: object = {}) {
  const answer = await admin.call('POST', `/api/admin/prediction_submissions/${id}/approve`, body)
  return ApprovedReply.parse(answer.body, { error: () => JSON.stringify(answer.body) })
}

export async function count(world: TestApp, table: string): Promise<number> {
  const rows = await world.sql(`select count(*)::int n from ${table}`)
  return rows[0]?.n ?? NaN
}

/** Entries of the audit log that meet a condition, oldest first. */
export async function audited({ database }: Pick<TestApp, 'database'>, where: string) {
  const rows = await database.sql(`select * from audit_log where ${where} order by id`)
  return rows
}

export const NOON = '2026-11-20T12:00:00Z'

export function movingClock(start = NOON) {
  const clock = {
    ms: Date.parse(start),
    now: () => clock.ms,
    pass: (by: number) => void (clock.ms += by),
    set: (to: string) => void (clock.ms = Date.parse(to)),
  }
  return clock
}
