import { describe, expect, it } from 'vitest'
import { post } from '#tests/support/admin-rows.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
import {
  afterSending,
  aimOf,
  askOf,
  compositionOf,
  costText,
  EMPTY,
  obstacle,
  textFor,
  xWarnings,
  type Readiness,
  distanceText,
  fieldOfMoment,
  minutesText,
  momentOfField,
  zoneText,
} from './composition.ts'

const READY: Readiness = {
  x: 'connected',
  nostr: 'connected',
  bluesky: 'connected',
  rate: undefined,
  isPosting: false,
  openPictures: 0,
  limit: 4_000,
}
const LIMIT = { canPost: false, remaining: 0, limit: 100, minutesUntilReset: 12 }
const RATE = { success: true, ...LIMIT, error: null, told_at: null }

const BOTH = ['x', 'nostr'] as const
const NOON = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000

describe('obstacles to posting', () => {
  it('do not include unreachable networks for a scheduled post', () => {
    const away: Readiness = { ...READY, x: 'error', nostr: 'error', rate: RATE }
    expect(obstacle(BOTH, { ...EMPTY, x_text: 'Hello' }, away, true)).toBeNull()
    expect(obstacle(BOTH, EMPTY, away, true)).toBe('Please enter tweet text')
    const halved: Readiness = { ...away, nostr: 'not set up' }
    expect(obstacle(BOTH, { ...EMPTY, x_text: 'Hello' }, halved, true)).toBe('Nostr is not set up.')
    expect(obstacle(['x'], { ...EMPTY, x_text: 'Hello' }, halved, true)).toBeNull()
  })
})

describe('a post to several networks', () => {
  it('goes to those set up unless others are selected, even while one cannot be reached', () => {
    const found = { x: 'error', nostr: 'not set up', bluesky: 'connected' } as const
    expect(aimOf(EMPTY, found)).toEqual(['x', 'bluesky'])
    expect(aimOf({ networks: ['nostr'] }, found)).toEqual(['nostr'])
  })

  it('fills blank texts from the other networks', () => {
    expect(textFor('nostr', BOTH, { ...EMPTY, x_text: 'One', nostr_text: ' ' })).toBe('One')
    expect(textFor('x', BOTH, { ...EMPTY, nostr_text: 'Two' })).toBe('Two')
    expect(textFor('nostr', ['nostr'], { ...EMPTY, x_text: 'One' })).toBe('')
    const one = { ...EMPTY, x_text: 'One' }
    expect(askOf(BOTH, one)).toMatchObject({ x_text: 'One', nostr_text: 'One' })
    const sent = askOf(['x'], { ...one, nostr_text: 'Two' })
    expect(sent).toMatchObject({ networks: ['x'], nostr_text: '' })
  })

  it('keeps blank texts in a draft', () => {
    const kept = { x_text: '', nostr_text: 'Two' }
    expect(askOf(BOTH, { ...EMPTY, ...kept }, true)).toMatchObject({ networks: BOTH, ...kept })
  })
})

it('after sending, the composer keeps only the text of networks that were not included', () => {
  const written = { ...EMPTY, x_text: 'One', nostr_text: 'Two', event_id: 7 }
  expect(afterSending(written, BOTH, 'p')).toEqual({ ...EMPTY, sent: 'p' })
  const left = { x_text: '', nostr_text: 'Two', event_id: null, sent: 'p' }
  expect(afterSending(written, ['x'], 'p')).toMatchObject(left)
})

it('reusing a post creates a new one, linked to its submission while that is pending', () => {
  const approval = { state: 'waiting', error: null } as const
  const failed = post({ submission_id: 's', event_id: 7, approval })
  const again = { editing: null, event_id: null, submission_id: 's', x_text: 'One' }
  expect(compositionOf(failed)).toMatchObject(again)
  const done = post({ submission_id: 's', approval: { state: 'done', error: null } })
  expect(compositionOf(done).submission_id).toBeNull()
})

it('composers say what is stored', () =>
  storedCases('composition', {
    'what keeps a text from being sent': (aim, texts, state) => {
      const ready = { ...READY, ...jsonPart<object>(state) }
      const composition = { ...EMPTY, ...jsonPart<object>(texts) }
      return obstacle(aim.split(' ') as ('x' | 'nostr')[], composition, ready)
    },
    'warnings about X': xWarnings,
    'a cost': (usd) => costText(Number(usd)),
    'minutes from noon': (minutes) => distanceText(NOON + Number(minutes) * MINUTE, NOON),
    'a number of minutes': (minutes) => minutesText(Number(minutes)),
    'a zone, with its offset at that moment': (zone, at) => zoneText(zone, Date.parse(at)),
    'a moment of a field': momentOfField,
  }))

it('a date and time field converts local time both ways', () => {
  expect(momentOfField(fieldOfMoment(NOON))).toBe(NOON)
})
