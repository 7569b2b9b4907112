import { z } from 'zod'
import { DECLINE_REASONS, LONGEST_REPORT, REPORT_KINDS, REPORT_STATES } from '#domain/report.ts'
import { textIn, Done, PageNumber, paging } from './fields.ts'
import { get, post, put } from './route.ts'

const NO_PREDICTION = 'There is no such prediction.'
const PredictionId = textIn(NO_PREDICTION)
/** Longer texts are parsed, too, so that the domain's message about their length is shown. */
const LOOSE = 4

export const fileReport = post('/api/v1/reports', 'public', {
  callsAMinute: 20,
  summary:
    'Reports an error in the record. Returns the number of the report and its public page; an identical open report is not stored twice.',
  body: z.strictObject({
    prediction: PredictionId,
    kind: z.enum(REPORT_KINDS),
    explanation: z.string().max(LONGEST_REPORT.explanation * LOOSE),
    /** https address of a public page with evidence; not needed for duplicates. */
    source: z
      .string()
      .max(LONGEST_REPORT.source * LOOSE)
      .nullish(),
    /** For a duplicate: the id of the other prediction, or the address of its page. */
    other: z.string().max(LONGEST_REPORT.source).nullish(),
  }),
  reply: Done.extend({ number: z.int(), path: z.string(), known: z.boolean() }),
})

const moment = z.iso.datetime()
const Entry = z.object({
  id: z.string(),
  name: z.string(),
  statement: z.string(),
  withdrawn: z.boolean(),
})

const Change = z.object({ number: z.int(), at: moment, text: z.string() })

/** A report with the fields only administrators see before it is decided. */
export const AdminReport = z
  .object({
    number: z.int(),
    at: moment,
    kind: z.enum(REPORT_KINDS),
    state: z.enum(REPORT_STATES),
    prediction: Entry,
    other: Entry.nullable(),
    source: z.string().nullable(),
    explanation: z.string(),
    withheld: z.boolean(),
    decided: z
      .object({
        at: moment,
        by: z.string(),
        reason: z.enum(DECLINE_REASONS).nullable(),
        answer: z.string().nullable(),
      })
      .nullable(),
    /** Resulting corrections, oldest first. */
    corrections: z.array(Change),
    /** Corrections since an open report arrived, newest first. */
    since: z.array(Change),
  })
  .meta({ id: 'AdminReport' })
export type AdminReport = z.infer<typeof AdminReport>

export const listReports = get('/api/v1/admin/reports', 'read', {
  summary: 'Reported errors with their texts, the oldest open ones first, 50 a page.',
  query: z.object({
    state: z.enum([...REPORT_STATES, 'all']).default('open'),
    prediction: PredictionId.optional(),
    page: PageNumber,
  }),
  reply: z.object({
    ...paging,
    counts: z.object({ open: z.int(), accepted: z.int(), declined: z.int() }),
    rows: z.array(AdminReport),
  }),
})

const NumberParams = z.object({ number: z.coerce.number().int().min(1).max(2_000_000_000) })

export const declineReport = post('/api/v1/admin/reports/:number/decline', 'review', {
  summary: 'Declines an open report with a reason and a sentence, both public.',
  params: NumberParams,
  body: z.strictObject({
    reason: z.enum(DECLINE_REASONS),
    answer: z.string().trim().max(LONGEST_REPORT.answer),
    /** Whether its text and source are withheld; unchanged if omitted. */
    withheld: z.boolean().optional(),
  }),
  reply: Done,
})

export const reopenReport = post('/api/v1/admin/reports/:number/reopen', 'review', {
  summary: 'Reopens a declined report.',
  params: NumberParams,
  reply: Done,
})

export const withholdReport = put('/api/v1/admin/reports/:number/text', 'review', {
  summary: 'Withholds the text and source of a report from its page, or shows them.',
  params: NumberParams,
  body: z.strictObject({ withheld: z.boolean() }),
  reply: Done,
})

export const acceptReport = post('/api/v1/admin/reports/:number/accept', 'publish', {
  summary:
    'Accepts an open report by a later correction of its prediction, such as a merge of two people.',
  params: NumberParams,
  body: z.strictObject({
    /** The number of the correction, as in the list of corrections. */
    correction: z.int().min(1),
  }),
  reply: Done,
})
