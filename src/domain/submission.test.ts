import fc from 'fast-check'
import { expect, it } from 'vitest'
import { emptyForm, submissionForm } from '#contracts/submissions.ts'
import { rounds } from '#tests/support/deep.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
import { words } from '#tests/support/words.ts'
import { day, isoDay } from './day.ts'
import { readContact } from './money/contact.ts'
import { INVOICE_STATUSES, isPaid, mayBePaid, mayBecome, readSats } from './money/invoice.ts'
import { readNpub } from './publishing/nostr.ts'
import { MESSAGES, payloadOf, readSubmission, type SubmissionFields } from './submission.ts'

const TODAY = day('2026-11-20')
const FORM: SubmissionFields = {
  asset_type: 'btc',
  expert_name: 'Jane Doe',
  prediction_type: 'target',
  price_target: '150,000',
  target_time: '2027-12-31',
}

it('submissions are read as stored', () =>
  storedCases('submission', {
    'the fault of a form': (fields) => {
      const read = readSubmission(payloadOf({ ...FORM, ...jsonPart<object>(fields) }), TODAY)
      return read.ok ? null : read.faults
    },
    'the fault of a level that is only written out': (price_prediction) => {
      const read = readSubmission({ ...FORM, price_target: '', price_prediction }, TODAY)
      return read.ok || read.faults
    },
    'what a form sends': (fields) => payloadOf({ ...FORM, ...jsonPart<object>(fields) }),
    'the day it was said': (said) => {
      const form = { ...FORM, prediction_made: said || null }
      const read = readSubmission(payloadOf(form), TODAY)
      return read.ok ? [isoDay(read.submission.made), read.submission.madePrecision] : read.faults
    },
    sats: (sats, text?: string) =>
      readSats(text === undefined ? jsonPart(sats) : sats, { min: 1, max: 100_000 }),
    'a contact': (text, lightning?: string) => readContact(text, lightning !== undefined),
    'a public key': (text) => readNpub(text) !== null,
    'the text kept of a form': (fields) => {
      const read = readSubmission(payloadOf({ ...FORM, ...jsonPart<object>(fields) }), TODAY)
      if (!read.ok) return read.faults
      const { expertName, notes, sources } = read.submission
      return { expertName, notes, sources }
    },
  }))

it('accepts any text without throwing', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '1', '-', '.', '1,2.3', '１２', '٣', '\u0000'),
  )
  const fields = words(`
    expert_name twitter_handle nostr_npub submitter_email source_url notes price_target price_min
    price_max target_time
  `)
  const texts = fc.record(Object.fromEntries(fields.map((field) => [field, text])))
  const types = fc.constantFrom('target' as const, 'range' as const, 'top' as const)
  fc.assert(
    fc.property(texts, types, (form, prediction_type) => {
      const read = readSubmission(payloadOf({ ...form, prediction_type }), TODAY)
      expect(read.ok || Object.keys(read.faults).length > 0).toBe(true)
    }),
    { numRuns: rounds(20, 5_000) },
  )
})

it('is required if the form has lost it', () => {
  const filled = { expert_name: 'Jane', price_target: '1', target_time: '2027-12-31' }
  const form = { ...emptyForm('btc'), ...filled }
  expect(submissionForm(TODAY).safeParse(form).success).toBe(true)
  const read = submissionForm(TODAY).safeParse({ ...form, prediction_made: ' ' })
  const issue = { path: ['prediction_made'], message: MESSAGES.made }
  expect(read.error?.issues).toMatchObject([issue])
})

it('keeps the stored precision', () => {
  const stored = { ...FORM, prediction_made: '2026-11-20', made_precision: 'year' as const }
  const read = readSubmission(stored, day('2027-01-05'))
  expect(read).toMatchObject({
    submission: { made: day('2026-11-20'), madePrecision: 'year' },
  })
})

it('an invoice stays unchanged once paid, and may still be paid before unless no payer has seen it', () => {
  for (const from of INVOICE_STATUSES) {
    const isFinal = INVOICE_STATUSES.every((to) => !mayBecome(from, to))
    expect([from, isFinal]).toEqual([from, isPaid(from) || from === 'failed'])
    expect([from, mayBePaid(from)]).toEqual([from, !isFinal && from !== 'creating'])
  }
})
