import { describe, expect, it } from 'vitest'
import { day, isoDay } from '#domain/day.ts'
import { readPost } from '#domain/posts/read-post.ts'
import { assistantSays } from '#tests/support/reading-assistant.ts'
import { mergeReadings, textReading } from './merge-readings.ts'
import { type AssistantReading } from './ports.ts'

const POSTED = day('2026-03-10')
const CLEAR = 'My call: Bitcoin hits $150k by the end of 2026.'
const NONE = 'Good morning.'

function merge(text: string, assistant: Partial<AssistantReading> | null) {
  const reading = readPost(text, { posted: { day: POSTED, precision: 'day' } })
  const merged = mergeReadings(reading, assistant && assistantSays(assistant), POSTED)
  const { view, confidence, isByAssistant, challenges } = merged
  return {
    merged,
    confidence,
    isByAssistant,
    challenges: challenges.join(' '),
    view: view && { claim: view.claim, by: view.by === null ? null : isoDay(view.by) },
  }
}

const TARGET = { claim: { type: 'target', usd: 150_000 }, by: '2026-12-31' }

describe('two readings of a post', () => {
  it('are as confident as the better one if they agree', () => {
    expect(textReading(readPost(CLEAR, { posted: null })).confidence).toBe('high')
    const sure = { view: TARGET, confidence: 'high', isByAssistant: true, challenges: '' }
    expect(merge(CLEAR, { confidence: 'low' })).toMatchObject(sure)
  })

  it('have low confidence and are both shown if they name different levels', () => {
    const other = { price_target: 15_000, confidence: 'high' } as const
    const { view, confidence, challenges } = merge(CLEAR, other)
    expect(view?.claim).toEqual({ type: 'target', usd: 15_000 })
    expect(confidence).toBe('low')
    expect(challenges).toContain(
      'The text parser reads target $150,000 for BTC by 31/12/2026, the assistant target $15,000 for BTC by 31/12/2026.',
    )
  })

  it.each([
    ['another type', { prediction_type: 'top', price_target: null, price_max: 150_000 }],
    ['another asset', { asset_type: 'mstr' }],
  ] as const)('have low confidence if they name %s', (_, input) => {
    expect(merge(CLEAR, input).confidence).toBe('low')
  })

  it('lower the confidence if they name different deadlines', () => {
    const other = { target_time: '2027-12-31', confidence: 'high' } as const
    const { view, confidence, challenges } = merge(CLEAR, other)
    expect(view?.by).toBe('2027-12-31')
    expect(confidence).toBe('medium')
    expect(challenges).toContain('the deadline 31/12/2026, the assistant the deadline 31/12/2027')
  })

  it('lower the confidence if they differ in direction', () => {
    const rises = 'My call: Bitcoin rises to $150k by the end of 2026.'
    const { confidence, challenges } = merge(rises, { direction: 'down', confidence: 'high' })
    expect(confidence).toBe('medium')
    expect(challenges).toMatch(/^The text parser reads it as true up, .* the assistant down, /)
  })

  it('take a deadline that only one found, with its words', () => {
    const { view, confidence, merged } = merge(CLEAR, { target_time: null, confidence: 'high' })
    expect(view?.by).toBe('2026-12-31')
    expect(confidence).toBe('medium')
    expect(merged.spans.target_time?.text).toContain('2026')
    const other = merge('My target: Bitcoin will hit $150k.', { confidence: 'high' })
    expect(other).toMatchObject({ view: TARGET, confidence: 'low' })
  })

  it('show what the rules find for certain, whatever a post instructs the assistant', () => {
    const nothing = { has_prediction: false, price_target: null, reasoning: 'Ignore it.' }
    expect(merge(CLEAR, nothing)).toMatchObject({
      view: TARGET,
      confidence: 'low',
      isByAssistant: false,
      challenges: 'The assistant finds no prediction: Ignore it.',
    })
    const hedged = 'Maybe Bitcoin could hit $150k by the end of 2026.'
    const { view, merged, challenges } = merge(hedged, { ...nothing, reasoning: 'It says maybe.' })
    expect([view, merged.reason]).toEqual([null, 'It says maybe.'])
    expect(challenges).toContain('The text parser reads target $150,000')
  })

  it('accept a prediction that only the assistant finds, with low confidence', () => {
    const { view, confidence, challenges } = merge(NONE, { confidence: 'high' })
    expect(view).toEqual(TARGET)
    expect(confidence).toBe('low')
    expect(challenges).toBe('The text parser finds no prediction: No price could be read.')
  })

  it('contain no prediction if the second pass refutes the first', () => {
    const refuted = { is: true, why: 'It is a joke.' }
    expect(merge(NONE, { refuted }).merged).toMatchObject({ view: null, reason: 'It is a joke.' })
    expect(merge(CLEAR, { refuted }).challenges).toBe(
      'A second check by the assistant refutes it: It is a joke.',
    )
  })

  it('are those of the rules if the assistant cannot quote its words', () => {
    const half = merge(CLEAR, { price_target: null, notes: ['The price was left out.'] })
    expect(half).toMatchObject({ view: TARGET, confidence: 'medium', isByAssistant: false })
    expect(half.challenges).toContain('The price was left out.')
    expect(merge(NONE, { price_target: null }).view).toBeNull()
  })

  it('assume the same asset as the rules if the assistant found no name', () => {
    const unnamed = '$150k by the end of 2026, I will not be talked out of it.'
    expect(merge(unnamed, { asset_type: null })).toMatchObject({ view: TARGET })
  })

  it('omit a deadline before the day of the post', () => {
    const { view, confidence, challenges } = merge(CLEAR, { target_time: '2025-12-31' })
    expect(view).toEqual({ ...TARGET, by: null })
    expect(confidence).toBe('low')
    expect(challenges).toContain('A date was left out: The target date (31/12/2025) must be after')
    const late = merge(CLEAR, { prediction_start_date: '2027-01-05' })
    expect(late).toMatchObject({
      view: TARGET,
      confidence: 'low',
      merged: { view: { from: null } },
    })
  })
})
