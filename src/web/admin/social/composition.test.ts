import { describe, expect, it } from 'vitest'
import { post } from '#tests/support/admin-rows.ts'
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

const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
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

describe('obstacles to posting', () => {
  const HELLO = { x_text: 'Hello' }
  const long = (length: number) => ({ x_text: 'a'.repeat(length), nostr_text: 'a'.repeat(length) })
  it.each([
    ['nothing', ['x'], HELLO, {}, /^null$/],
    ['a blank text', ['x'], { x_text: ' \n' }, {}, 'Please enter tweet text'],
    ['a text for the other network only', ['nostr'], HELLO, {}, 'Please enter tweet text'],
    ['posting', ['x'], HELLO, { isPosting: true }, 'It is being posted now.'],
    ['X that is not connected', ['x'], HELLO, { x: 'error' }, 'X is not connected.'],
    ['Nostr that is not', BOTH, HELLO, { nostr: 'error' }, 'Nostr is not connected.'],
    ['a rate limit', ['x'], HELLO, { rate: RATE }, 'X accepts no more posts for 12 minutes.'],
    ['an upload', ['x'], HELLO, { openPictures: 1 }, 'A picture is not on the server yet.'],
    ['4,001 characters', ['x'], long(4_001), {}, /^The text is too long: 4001 of 4000/],
    ['two cashtags', ['x'], { x_text: '$BTC or $MSTR' }, {}, /^X allows one cashtag per post/],
    ['10,001 on Nostr', ['nostr'], long(10_001), {}, /^The note is too long/],
    ['a secret key', ['nostr'], { nostr_text: NSEC }, {}, /^This text contains a secret Nostr key/],
  ] as const)('a text cannot be sent: %s', (_, aim, texts, state, expected) => {
    const found = obstacle(aim, { ...EMPTY, ...texts }, { ...READY, ...state })
    expect(String(found)).toMatch(expected)
  })

  it('do not include unreachable networks for a scheduled post', () => {
    const away: Readiness = { ...READY, x: 'error', nostr: 'error', rate: RATE }
    expect(obstacle(BOTH, { ...EMPTY, x_text: 'Hello' }, away, true)).toBeNull()
    expect(obstacle(BOTH, EMPTY, away, true)).toBe('Please enter tweet text')
    const halved: Readiness = { ...away, nostr: 'not set up' }
    expect(obstacle(BOTH, { ...EMPTY, x_text: 'Hello' }, halved, true)).toBe('Nostr is not set up.')
    expect(obstacle(['x'], { ...EMPTY, x_text: 'Hello' }, halved, true)).toBeNull()
  })

  it('depend on the text limit of the screen', () => {
    const composition = { ...EMPTY, x_text: 'a'.repeat(4_001) }
    expect(obstacle(['x'], composition, { ...READY, limit: 10_000 })).toBeNull()
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

describe('texts', () => {
  it('state the cost of a link', () => {
    expect(xWarnings('Read https://example.org/a')).toEqual([
      'With a link (https://example.org/a) X charges $0.20 for the post instead of $0.015.',
    ])
    expect(xWarnings('Nothing of it')).toEqual([])
  })

  it.each([
    [0.015, '$0.015'],
    [0.2, '$0.20'],
    [0.02, '$0.02'],
    [0, '$0.00'],
  ])('show %d as %s', (usd, text) => expect(costText(usd)).toBe(text))

  it('counts long waits in hours', () => {
    const texts = ['1 minute', '119 minutes', '2 hours', '3 hours']
    expect([1, 119, 120, 121].map(minutesText)).toEqual(texts)
  })
})

const NOON = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000

describe('a date and time field', () => {
  it('converts local time both ways', () => {
    expect(momentOfField(fieldOfMoment(NOON))).toBe(NOON)
  })

  it.each(['', '2026-11-20', 'soon', '2026-13-45T25:99'])('rejects %j', (text) => {
    expect(momentOfField(text)).toBeNull()
  })
})

it.each([
  [0, 'now'],
  [1, 'in 1 minute'],
  [90, 'in 90 minutes'],
  [180, 'in 3 hours'],
  [36 * 60, 'in 36 hours'],
  [-180, '3 hours ago'],
  [3 * 1_440, 'in 3 days'],
])('relative time shows %d minutes as %s', (minutes, text) => {
  expect(distanceText(NOON + minutes * MINUTE, NOON)).toBe(text)
})

it('shows a zone with its UTC offset at that moment', () => {
  expect(zoneText('Europe/Berlin', NOON)).toBe('Europe/Berlin, GMT+1')
  expect(zoneText('Europe/Berlin', Date.parse('2026-07-01T12:00:00Z'))).toBe('Europe/Berlin, GMT+2')
})
