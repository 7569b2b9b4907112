import { describe, expect, it } from 'vitest'
import { distanceText, fieldOfMoment, momentOfField, zoneText } from './moments.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000

describe('a field for date and time', () => {
  it('a field for date and time holds the local time, and gives it back', () => {
    expect(momentOfField(fieldOfMoment(NOON))).toBe(NOON)
  })

  it.each(['', '2026-11-20', 'soon', '2026-13-45T25:99'])(
    'a field for date and time is empty for %j',
    (text) => {
      expect(momentOfField(text)).toBeNull()
    },
  )
})

describe('a distance', () => {
  it.each([
    [0, 'now'],
    [1, 'in 1 minute'],
    [90, 'in 90 minutes'],
    [180, 'in 3 hours'],
    [36 * 60, 'in 36 hours'],
    [-180, '3 hours ago'],
    [3 * 1_440, 'in 3 days'],
  ])('a distance of %d minutes is %s', (minutes, text) => {
    expect(distanceText(NOON + minutes * MINUTE, NOON)).toBe(text)
  })
})

it('a zone is named with its distance to UTC at that moment', () => {
  expect(zoneText('Europe/Berlin', NOON)).toBe('Europe/Berlin, GMT+1')
  expect(zoneText('Europe/Berlin', Date.parse('2026-07-01T12:00:00Z'))).toBe('Europe/Berlin, GMT+2')
})
