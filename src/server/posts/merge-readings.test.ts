import { expect, it } from 'vitest'
import { day, isoDay } from '#domain/day.ts'
import { readPost } from '#domain/posts/read-post.ts'
import { assistantSays } from '#tests/support/reading-assistant.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
import { mergeReadings, textReading } from './merge-readings.ts'

const POSTED = day('2026-03-10')
const iso = (at: Parameters<typeof isoDay>[0] | null) => (at === null ? null : isoDay(at))

it('two readings of a post are merged as stored', () =>
  storedCases('merge-readings', {
    'a post, and how the assistant reads it': (text, assistant) => {
      const reading = readPost(text, { posted: { day: POSTED, precision: 'day' } })
      const merged = mergeReadings(reading, assistantSays(jsonPart(assistant)), POSTED)
      const { view, reason, confidence, isByAssistant, challenges, spans } = merged
      const dated = view && { ...view.claim, from: iso(view.from), by: iso(view.by) }
      const due = spans.target_time?.text
      return { ...(dated ?? { reason }), due, confidence, isByAssistant, challenges }
    },
  }))

it('a clear post is read with high confidence by the rules alone', () => {
  const reading = readPost('My call: Bitcoin hits $150k by the end of 2026.', { posted: null })
  expect(textReading(reading).confidence).toBe('high')
})
