import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyForm, submissionForm } from '#contracts/submissions.ts'
import { rounds } from '#tests/support/deep.ts'
import { day, isoDay } from './day.ts'
import { readContact } from './money/contact.ts'
import { INVOICE_STATUSES, isPaid, mayBePaid, mayBecome, readSats } from './money/invoice.ts'
import { readNpub } from './publishing/nostr.ts'
import {
  MESSAGES,
  payloadOf,
  readSubmission,
  SAID_TODAY,
  type SubmissionFields,
} from './submission.ts'

const TODAY = day('2026-11-20')
const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
const TEXTS = [
  ...(['expert_name', 'twitter_handle', 'nostr_npub'] as const),
  ...(['submitter_email', 'source_url', 'notes'] as const),
]
const FORM: SubmissionFields = {
  asset_type: 'btc',
  expert_name: 'Jane Doe',
  prediction_type: 'target',
  price_target: '150,000',
  target_time: '2027-12-31',
}

function faults(overrides: SubmissionFields): object {
  const read = readSubmission(payloadOf({ ...FORM, ...overrides }), TODAY)
  return read.ok ? {} : read.faults
}

describe('the form', () => {
  const RANGE = { prediction_type: 'range' } as const
  const MSTR = { asset_type: 'mstr' } as const
  const NPUB = 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg'
  it.each<SubmissionFields>([
    {},
    { expert_name: '李' },
    { twitter_handle: 'https://x.com/jane/status/1' },
    { nostr_npub: NPUB },
  ])('is accepted: %j', (input) => {
    expect(faults(input)).toEqual({})
  })

  const NUMBER = 'Please enter a number, such as 100,000.'
  // Fields that are required are in the contract test.
  it.each<[keyof SubmissionFields, string, string, SubmissionFields?]>([
    ['expert_name', ' \u200b\u2060 ', MESSAGES.expert_name],
    ['submitter_email', 'a@b.c, d@e.f', 'Please enter a valid email address.'],
    ['submitter_email', 'evil@x.org\r\nBcc: x@y.org', 'Please enter a valid email address.'],
    ['price_target', 'ten', NUMBER],
    ['price_target', '-5', 'Please enter a price above zero.'],
    ['price_target', '1e3', NUMBER],
    ['price_target', '9'.repeat(13), 'Please enter a price below one trillion dollars.'],
    [
      'price_min',
      '5',
      'The minimum price must be below the maximum price.',
      { ...RANGE, price_max: '5' },
    ],
    ['prediction_made', '2026-11-21', MESSAGES.madeLater],
    ['target_time', '2026-11-22', 'MSTR does not trade between 21/11/2026 and 22/11/2026.', MSTR],
    ['twitter_handle', 'jane doe', MESSAGES.twitter_handle],
    ['source_url', 'javascript:alert(1)', MESSAGES.source_url],
    ['nostr_npub', NPUB.replace(/g$/, 'q'), MESSAGES.npub],
    ['notes', 'x'.repeat(2_001), 'Please use at most 2000 characters.'],
  ])('is refused at %s for %j: %s', (field, value, message, more = {}) => {
    expect(faults({ ...more, [field]: value })).toEqual({ [field]: message })
  })

  it.each([
    ['10,000,000,000,000', 'Please enter a price below one trillion dollars.'],
    ['€150.000', 'Please enter a number, such as 100,000.'],
  ])('a level that is only written out, as %s, is refused by its reason', (level, price_target) => {
    const input = { ...FORM, price_target: '', price_prediction: level }
    expect(readSubmission(input, TODAY)).toMatchObject({ ok: false, faults: { price_target } })
  })

  const NO_LEVELS = { price_target: null, price_min: null, price_max: null }
  const ENDS = { price_min: 80_000, price_max: 120_000 }
  const WHOLE = { timing: 'throughout' } as const
  // The texts of the levels are in the contract test.
  it.each<[SubmissionFields, object]>([
    [{}, { ...NO_LEVELS, price_target: 150_000, price_prediction: '$150,000' }],
    [
      { ...RANGE, price_min: '80.000', price_max: '$120 000' },
      { ...NO_LEVELS, ...ENDS },
    ],
    [
      { prediction_type: 'pricetimerange', price_min: '9,000' },
      { price_min: 9e3, price_max: 9e3 },
    ],
    [{ prediction_type: 'top' }, { ...NO_LEVELS, price_max: 150_000 }],
    [{ prediction_type: 'bottom' }, { ...NO_LEVELS, price_min: 150_000, timing: 'throughout' }],
    [{ timing: 'at_end' }, { timing: 'at_end' }],
    [WHOLE, { timing: 'by' }],
    [
      { ...WHOLE, price_target: '' },
      { timing: 'by', price_prediction: null },
    ],
  ])('sends %j as the specification maps it', (input, expected) => {
    expect(payloadOf({ ...FORM, ...input })).toMatchObject(expected)
  })

  it.each(TEXTS)('never keeps a secret key in %s', (field) => {
    const message = expect.stringMatching(/secret key/)
    expect(faults({ [field]: NSEC.toUpperCase() })).toMatchObject({ [field]: message })
  })

  it('accepts any text without throwing', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '1', '-', '.', '1,2.3', '１２', '٣', '\u0000'),
    )
    const fields = [...TEXTS, 'price_target', 'price_min', 'price_max', 'target_time']
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
})

describe('the day it was said', () => {
  const madeOf = (...input: Parameters<typeof readSubmission>) => {
    const read = readSubmission(...input)
    return read.ok && [isoDay(read.submission.made), read.submission.madePrecision]
  }
  it.each([
    [SAID_TODAY, '2026-11-20', 'day'],
    [null, '2026-11-20', 'day'],
    ['2026-11-20', '2026-11-20', 'day'],
    ['2024-08-08', '2024-08-08', 'day'],
    ['2024-02', '2024-02-29', 'month'],
    ['2024-2', '2024-02-29', 'month'],
    ['2024', '2024-12-31', 'year'],
    // A month that is not over yet may mean today.
    ['2026-11', '2026-11-20', 'month'],
    ['2026', '2026-11-20', 'year'],
  ])('the day %j counts as %s, known to the %s', (prediction_made, made, precision) => {
    expect(madeOf(payloadOf({ ...FORM, prediction_made }), TODAY)).toEqual([made, precision])
  })

  it.each([
    ['2026-11-21', MESSAGES.madeLater],
    ['2026-12', MESSAGES.madeLater],
    ['2027', MESSAGES.madeLater],
    ['2024-13', MESSAGES.date],
    ['2024-02-30', MESSAGES.date],
    ['24', MESSAGES.date],
    ['0000', MESSAGES.date],
    ['long ago', MESSAGES.date],
  ])('the day %j is refused', (prediction_made, message) => {
    expect(faults({ prediction_made })).toEqual({ prediction_made: message })
  })

  it('is required if the form has lost it', () => {
    const filled = { expert_name: 'Jane', price_target: '1', target_time: '2027-12-31' }
    const form = { ...emptyForm('btc'), ...filled }
    expect(submissionForm(TODAY).safeParse(form).success).toBe(true)
    const read = submissionForm(TODAY).safeParse({ ...form, prediction_made: ' ' })
    const issue = { path: ['prediction_made'], message: MESSAGES.made }
    expect(read.error?.issues).toMatchObject([issue])
  })

  it('a deadline that is past now but was not when said is accepted', () => {
    expect(faults({ prediction_made: '2024', target_time: '2025-06-30' })).toEqual({})
    const target_time =
      'The target date (31/12/2024) must be after the day the prediction was made (31/12/2024).'
    const of = { prediction_made: '2024', target_time: '2024-12-31' }
    expect(faults(of)).toEqual({ target_time })
  })

  it('keeps the stored precision', () => {
    const stored = { ...FORM, prediction_made: '2026-11-20', made_precision: 'year' as const }
    expect(madeOf(stored, day('2027-01-05'))).toEqual(['2026-11-20', 'year'])
  })
})

it('an invoice stays unchanged once paid, and may still be paid before unless no payer has seen it', () => {
  for (const from of INVOICE_STATUSES) {
    const isFinal = INVOICE_STATUSES.every((to) => !mayBecome(from, to))
    expect([from, isFinal]).toEqual([from, isPaid(from) || from === 'failed'])
    expect([from, mayBePaid(from)]).toEqual([from, !isFinal && from !== 'creating'])
  }
})

it.each([
  [1, 1],
  ['21', 21],
  [' 100000 ', 100_000],
  [1.5, expect.stringMatching(/whole/)],
  ['1.5', expect.stringMatching(/whole/)],
  [null, expect.stringMatching(/whole/)],
  [Number.NaN, expect.stringMatching(/whole/)],
  [0, expect.stringMatching(/from 1 to 100,000/)],
  [100_001, expect.stringMatching(/from 1 to 100,000/)],
])('an invoice over %j sats is validated', (input, expected) => {
  expect(readSats(input, { min: 1, max: 100_000 })).toEqual(expected)
})

const LUD01 =
  'LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPNXSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS'
const SERVICE =
  'https://service.com/api?q=3fc3645b439ce8e7f2553a69e5267081d96dcd340693afabe04be7b0ccd178df'
const NO_ADDRESS = expect.stringMatching(/email address, a Lightning/)
it.each<[string, boolean, object]>([
  ['a@b.org', false, { kind: 'email', address: 'a@b.org' }],
  ['Satoshi@Bitcoin.org', true, { kind: 'lightning-address', address: 'satoshi@bitcoin.org' }],
  ['lightning:me@wallet.org', false, { kind: 'lightning-address', address: 'me@wallet.org' }],
  [LUD01, false, { kind: 'lnurl', address: SERVICE }],
  [`lightning:${LUD01.toLowerCase()}`, false, { kind: 'lnurl', address: SERVICE }],
  [`https://wallet.org/?lightning=${LUD01}`, false, { kind: 'lnurl', address: SERVICE }],
  ['lnurlp://wallet.org/pay/1', false, { kind: 'lnurl', address: 'https://wallet.org/pay/1' }],
  ['lnurlw://wallet.org/1', false, expect.stringMatching(/can be paid/)],
  [`${LUD01.slice(0, -1)}q`, false, NO_ADDRESS],
  [LUD01.slice(0, 40) + LUD01.slice(40).toLowerCase(), false, NO_ADDRESS],
  ['lnurlp://127.0.0.1/pay', false, NO_ADDRESS],
  ['lnurlp://user:pass@wallet.org/pay', false, expect.stringMatching(/valid|address/)],
  ['a@b.org, c@d.org', false, expect.stringMatching(/valid email/)],
  ['a@b.org\nBcc: c@d.org', false, expect.stringMatching(/valid email/)],
  ['', false, NO_ADDRESS],
])('a contact is checked: %s', (text, isLightning, expected) => {
  expect(readContact(text, isLightning)).toEqual(expected)
})

it.each([
  ['npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg', true],
  ['nostr:NPUB10ELFCS4FR0L0R8AF98JLMGDH9C8TCXJVZ9QKW038JS35MP4DMA8QZVJPTG', true],
  ['7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e', false],
  [NSEC, false],
])('a contact is read: %s as a public key', (text, isOne) => {
  expect(readNpub(text) !== null).toBe(isOne)
})

it('a text keeps no invisible characters, except line breaks in notes', () => {
  const form = {
    expert_name: 'Jane\0\n\u202EDoe\u2066',
    notes: ' a\0b\r\nc\td\u007F\u200F\ne ',
    source_url: 'https://example.org/\0said',
  }
  const read = readSubmission(payloadOf({ ...FORM, ...form }), TODAY)
  expect(read.ok && read.submission).toMatchObject({
    expertName: 'Jane Doe',
    notes: 'ab\nc d\ne',
    sources: [{ kind: 'report', url: 'https://example.org/said' }],
  })
  const hidden = NSEC.replace('nsec', 'ns\u200Eec')
  expect(faults({ notes: hidden })).toMatchObject({ notes: expect.stringMatching(/secret key/) })
})
