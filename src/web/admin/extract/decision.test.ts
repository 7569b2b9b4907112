import { expect, it } from 'vitest'
import { day } from '#domain/day.ts'
import { extractionOf } from '#tests/support/admin-rows.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
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

type Sent = ReturnType<typeof submissionOf>
const TODAY = day('2026-11-20')
const DRAFT = draftOf(extractionOf())
const RANGE = { prediction_type: 'range', price_min: '80,000', price_max: '120,000' } as const

const faultsOf = (input: Decision) => refusalOf(input, TODAY)?.faults

function decision(changed: Partial<Decision>): Decision {
  return { ...DRAFT, ...changed }
}
const levelsOf = ({ price_target, price_min, price_max, ...sent }: Sent) => {
  const { price_prediction, timing, direction, extraction_id } = sent
  return { price_target, price_min, price_max, price_prediction, timing, direction, extraction_id }
}
const sentOf = (changed: Partial<Decision>) => submissionOf(decision(changed), extractionOf())

it('drafts and decisions are read as stored', () =>
  storedCases('decision', {
    'a draft of what was read': (read) => draftOf(extractionOf(jsonPart(read))),
    'the refusal of a decision': (changed) => refusalOf(decision(jsonPart(changed)), TODAY),
    'a sent decision': (changed) => levelsOf(sentOf(jsonPart(changed))),
    'a sent draft of what was read': (read) => {
      const extraction = extractionOf(jsonPart(read))
      return levelsOf(submissionOf(draftOf(extraction), extraction))
    },
    'the changed fields': (changed) => changedFields(DRAFT, decision(jsonPart(changed))),
  }))

it('faults are shown at their field, including those found by the server', () => {
  const top = decision({ prediction_type: 'top' })
  const faults = placed({ price_max: 'Too high.', asset: 'No field.' }, top)
  expect(faults).toEqual({ price_prediction: 'Too high.' })
})

it("a sent decision carries the assistant's notes with the chosen confidence", () => {
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
