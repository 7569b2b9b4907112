import { describe, expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { extractionOf } from '#tests/support/admin-rows.ts'
import { segmentsOf } from './analysis.tsx'
import {
  changedFields,
  draftOf,
  edited,
  placed,
  refusalOf,
  submissionOf,
  type Decision,
} from './decision.ts'

const TODAY = day('2026-11-20')
const DRAFT = draftOf(extractionOf())
const NONE = { has_prediction: false, price_prediction: null, target_time: null }
const RANGE = { prediction_type: 'range', price_min: '80,000', price_max: '120,000' } as const
const LEAST = { prediction_type: 'pricetimerange', price_min: '80,000' } as const

const faultsOf = (input: Decision) => refusalOf(input, TODAY)?.faults

function decision(changed: Partial<Decision>): Decision {
  return { ...DRAFT, ...changed }
}
const sentOf = (changed: Partial<Decision>) => submissionOf(decision(changed), extractionOf())

describe('the draft', () => {
  it('holds only what was read', () => {
    expect(DRAFT).toMatchObject({
      expert_name: 'Expert A',
      asset_type: 'btc',
      prediction_type: 'target',
      price_prediction: '$250,000',
      price_min: '',
      target_time: '2027-12-31',
      prediction_made: '2026-03-10',
      confidence: 'high',
      status: 'pending',
    })
    expect(draftOf(extractionOf({ target_time: null })).target_time).toBe('')
    expect(draftOf(extractionOf(NONE))).toMatchObject({
      price_prediction: '',
      target_time: '',
      confidence: 'medium',
    })
  })

  it('names the matching influencer on record', () => {
    expect(draftOf(extractionOf({ existing_influencer_name: 'Ada E.' })).expert_name).toBe('Ada E.')
  })

  it('holds the levels of a range in their fields', () => {
    const levels = { price_target: null, price_min: 80_000, price_max: 120_000.5 }
    const draft = draftOf(extractionOf({ prediction_type: 'range', ...levels }))
    expect(draft).toMatchObject({ price_min: '80,000', price_max: '120,000.5' })
  })
})

describe('required fields', () => {
  it.each([
    [{ expert_name: ' ' }, 'Expert Name'],
    [
      { price_prediction: '', target_time: '', source_url: '' },
      'Price Prediction, Target Date, Source URL',
    ],
    [{ ...RANGE, price_min: '', price_max: '' }, 'Price Minimum, Price Maximum'],
    [{ prediction_type: 'pricetimerange' }, 'Price Minimum'],
  ] as const)('are reported missing in a draft with %j', (changed, fields) => {
    const message = `Please fill in required fields: ${fields}`
    expect(refusalOf(decision(changed), TODAY)?.message).toBe(message)
  })

  it('are all present in a full draft', () => {
    expect(refusalOf(DRAFT, TODAY)).toBeNull()
  })
})

describe('faults', () => {
  it.each([
    [{ price_prediction: 'soon' }, 'price_prediction', /number/],
    [{ price_prediction: '$80k - $120k' }, 'price_prediction', /number/],
    [{ ...RANGE, price_min: '130,000' }, 'price_min', /below the maximum/],
    [{ target_time: '2026-03-01' }, 'target_time', /must be after/],
    [{ prediction_made: '2026-12-24' }, 'prediction_made', /in the future/],
    [{ source_url: 'javascript:alert(1)' }, 'source_url', /web address/],
    [{ email: 'nobody' }, 'email', /./],
  ] as const)('what is wrong with %j shows at %s', (changed, field, message) => {
    expect(faultsOf(decision(changed))?.[field]).toMatch(message)
  })

  it('are shown at their field, including those found by the server', () => {
    const top = decision({ prediction_type: 'top' })
    const faults = placed({ price_max: 'Too high.', asset: 'No field.' }, top)
    expect(faults).toEqual({ price_prediction: 'Too high.' })
  })
})

describe('the sent decision', () => {
  it.each([
    ['target', { price_target: 250_000, price_min: null, price_max: null }],
    ['top', { price_target: null, price_min: null, price_max: 250_000 }],
    ['bottom', { price_target: null, price_min: 250_000, price_max: null }],
  ] as const)('carries the level of a %s where calls expect it', (prediction_type, levels) => {
    const sent = sentOf({ prediction_type })
    expect(sent).toMatchObject({ ...levels, price_prediction: '$250,000', extraction_id: 7 })
  })

  it('carries timing and direction as they were read', () => {
    const drafted = draftOf(extractionOf({ timing: 'at_end', direction: 'up' }))
    const said = { timing: 'at_end', direction: 'up' }
    expect(submissionOf(drafted, extractionOf())).toMatchObject(said)
    const { timing } = draftOf(extractionOf({ timing: null, prediction_type: 'top' }))
    expect(timing).toBe('throughout')
  })

  it('accepts levels as people write them', () => {
    const range = { price_min: 80_000, price_max: 120_000, price_prediction: '$80,000 - $120,000' }
    const written = { ...RANGE, price_max: '120.000', price_prediction: 'whatever' }
    expect(sentOf(written)).toMatchObject(range)
    expect(sentOf({ price_prediction: '250k' })).toMatchObject({ price_target: 250_000 })
    const least = sentOf({ ...LEAST, price_min: '$250,000' })
    expect(least).toMatchObject({ price_min: 250_000, price_max: 250_000 })
  })

  it("carries the assistant's notes with the chosen confidence", () => {
    const { ai_metadata: metadata } = sentOf({ confidence: 'low' })
    expect(typeof metadata === 'string' && JSON.parse(metadata)).toEqual({
      tweet_proposals: extractionOf().tweet_proposals,
      accuracy_confidence: 'low',
      accuracy_reasoning: 'The post names asset, level and deadline.',
      interpretation_challenges: '',
      verification_status: 'unverified',
      grok_used: true,
      extraction_method: 'grok_ai',
    })
  })
})

it('derives the display text from the levels until it is edited', () => {
  let now = decision({ prediction_type: 'range', price_prediction: '' })
  now = edited(now, 'price_min', '80,000')
  now = edited(now, 'price_max', '120,000')
  expect(now.price_prediction).toBe('$80,000 - $120,000')
  now = edited(now, 'price_max', '130,000')
  expect(now.price_prediction).toBe('$80,000 - $130,000')
  now = edited(now, 'price_prediction', 'eighty to one thirty')
  now = edited(now, 'price_max', '140,000')
  expect(now.price_prediction).toBe('eighty to one thirty')
})

it('takes levels typed into the display text', () => {
  const range = decision({ ...RANGE, price_prediction: '$80,000 - $120,000' })
  const typed = edited(range, 'price_prediction', '90k - 130k')
  expect(typed).toMatchObject({ price_min: '90,000', price_max: '130,000' })
  expect(faultsOf(typed)).toBeUndefined()
  expect(sentOf(typed)).toMatchObject({ price_min: 90_000, price_max: 130_000 })
  expect(edited(typed, 'price_min', '95,000').price_prediction).toBe('$95,000 - $130,000')
  const least = edited(DRAFT, 'prediction_type', 'pricetimerange')
  expect(least.price_min).toBe('250,000')
  expect(edited(least, 'price_prediction', '260k').price_min).toBe('260,000')
})

it('refuses a decision when the display text of a range contradicts its levels', () => {
  for (const price_prediction of ['$90k', '90k - 120k', 'whatever']) {
    const faults = faultsOf(decision({ ...RANGE, price_prediction }))
    expect(faults).toEqual({ price_prediction: expect.stringMatching(/same prices/) })
  }
  const faults = faultsOf(decision({ ...LEAST, price_prediction: '$90k' }))
  expect(faults).toEqual({ price_prediction: expect.stringMatching(/same price as/) })
})

it('lists the differences from the draft', () => {
  expect(changedFields(DRAFT, decision({ price_prediction: '$260,000 ', notes: 'x' }))).toEqual([
    'price_prediction',
    'notes',
  ])
  expect(changedFields(DRAFT, decision({ expert_name: 'Expert A ' }))).toEqual([])
})

it('splits a text at the spans of its fields and ignores invalid spans', () => {
  const text = 'BTC 80-120k by 2027'
  const found = segmentsOf(text, {
    price_min: { start: 4, end: 11, text: '80-120k' },
    price_max: { start: 7, end: 11, text: '120k' },
    asset_type: { start: 0, end: 3, text: 'BTC' },
    target_time: { start: 12, end: 99, text: 'x' },
  })
  expect(found.map(({ text, fields, ends }) => [text, fields, ends])).toEqual([
    ['BTC', ['asset_type'], ['asset_type']],
    [' ', [], []],
    ['80-', ['price_min'], []],
    ['120k', ['price_min', 'price_max'], ['price_min', 'price_max']],
    [' by 2027', [], []],
  ])
  expect(segmentsOf('', {})).toEqual([])
})
