import { describe, expect, it } from 'vitest'
import {
  afterSending,
  afterTryingAgain,
  askOf,
  costText,
  draftAskOf,
  EMPTY,
  minutesText,
  obstacle,
  planObstacle,
  textFor,
  xWarnings,
  type Readiness,
} from './composition.ts'
import { keepComposition, keyOf, readComposition } from './device-draft.ts'
import { result } from './testing.ts'

const KEY = keyOf('Admin A')
const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
const READY: Readiness = {
  x: 'connected',
  nostr: 'connected',
  bluesky: 'connected',
  isPartly: false,
  rate: undefined,
  isPosting: false,
  openPictures: 0,
  limit: 4_000,
}
const RATE = {
  success: true,
  canPost: false,
  remaining: 0,
  limit: 100,
  minutesUntilReset: 12,
  error: null,
  told_at: null,
}

const BOTH = ['x', 'nostr'] as const

describe('what keeps a post from being sent', () => {
  it.each([
    ['nothing', ['x'], { x: 'Hello' }, {}, /^null$/],
    ['a blank text', ['x'], { x: ' \n' }, {}, 'Please enter tweet text'],
    ['a text for the other network only', ['nostr'], { x: 'Hello' }, {}, 'Please enter tweet text'],
    ['posting', ['x'], { x: 'Hello' }, { isPosting: true }, 'It is being posted.'],
    ['X that is not connected', ['x'], { x: 'Hello' }, { x: 'error' }, 'X is not connected.'],
    ['Nostr that is not', BOTH, { x: 'Hello' }, { nostr: 'error' }, 'Nostr is not connected.'],
    [
      'X that takes none',
      ['x'],
      { x: 'Hello' },
      { rate: RATE },
      'X takes no more posts for 12 minutes.',
    ],
    [
      'a picture on its way',
      ['x'],
      { x: 'Hello' },
      { openPictures: 1 },
      'A picture is not on the server yet.',
    ],
    [
      '4,001 characters',
      ['x'],
      { x: 'a'.repeat(4_001) },
      {},
      /^The text is too long: 4001 of 4000/,
    ],
    ['two cashtags', ['x'], { x: '$BTC or $MSTR' }, {}, /^X takes one cashtag a post/],
    ['10,001 on Nostr', ['nostr'], { nostr: 'a'.repeat(10_001) }, {}, /^The note is too long/],
    ['a secret key', ['nostr'], { nostr: NSEC }, {}, /^This text contains a secret Nostr key/],
  ] as const)('a text is kept from being sent: %s', (_, aim, texts, state, expected) => {
    const found = obstacle(aim, { ...EMPTY, ...texts }, { ...READY, ...state })
    expect(String(found)).toMatch(expected)
  })

  it('less keeps a post from being sent at a time to come: a network may be back by then', () => {
    const away: Readiness = { ...READY, x: 'error', nostr: 'error', rate: RATE }
    expect(planObstacle(BOTH, { ...EMPTY, x: 'Hello' }, away)).toBeNull()
    expect(planObstacle(BOTH, EMPTY, away)).toBe('Please enter tweet text')
    const halved: Readiness = { ...away, nostr: 'not set up' }
    expect(planObstacle(BOTH, { ...EMPTY, x: 'Hello' }, halved)).toBe('Nostr is not set up.')
    expect(planObstacle(['x'], { ...EMPTY, x: 'Hello' }, halved)).toBeNull()
  })

  it('the limit that keeps a post from being sent is given by each screen', () => {
    const composition = { ...EMPTY, x: 'a'.repeat(4_001) }
    expect(obstacle(['x'], composition, { ...READY, limit: 10_000 })).toBeNull()
  })
})

describe('a post to several networks', () => {
  it('a post to several networks has one text where the others are blank', () => {
    expect(textFor('nostr', BOTH, { ...EMPTY, x: 'One', nostr: ' ' })).toBe('One')
    expect(textFor('x', BOTH, { ...EMPTY, nostr: 'Two' })).toBe('Two')
    expect(textFor('nostr', ['nostr'], { ...EMPTY, x: 'One' })).toBe('')
    expect(askOf(BOTH, { ...EMPTY, x: 'One' })).toMatchObject({
      x_text: 'One',
      nostr_text: 'One',
    })
    expect(askOf(['x'], { ...EMPTY, x: 'One', nostr: 'Two' })).toMatchObject({
      networks: ['x'],
      nostr_text: '',
    })
  })

  it('a post to several networks is kept as a draft with its texts as they are', () => {
    expect(draftAskOf(BOTH, { ...EMPTY, nostr: 'Two' })).toMatchObject({
      networks: BOTH,
      x_text: '',
      nostr_text: 'Two',
    })
  })
})

describe('the composer after sending', () => {
  const written = { ...EMPTY, x: 'One', nostr: 'Two', submissionId: 's' }
  const sent = (x: object, nostr: object) => ({
    id: 'p',
    results: [result('x', x), result('nostr', nostr)],
  })

  it('the composer after sending is empty once both are out', () => {
    const left = afterSending(written, BOTH, sent({}, {}))
    expect(left).toEqual({ ...EMPTY, sent: 'p' })
  })

  it('the composer after sending keeps the text that was refused, to be mended', () => {
    const proposed = { ...written, eventId: 7 }
    const left = afterSending(proposed, BOTH, sent({ state: 'failed' }, {}))
    expect(left).toMatchObject({ x: 'One', nostr: '', sent: 'p', submissionId: 's' })
    // A new post of it would be the second one about the same.
    expect(left.eventId).toBeNull()
  })

  it('the composer after sending keeps no text that may be out, or will be', () => {
    const later = { state: 'failed', next_try_at: '2026-11-20T12:00:00Z' }
    expect(afterSending(written, BOTH, sent({ state: 'unknown' }, later))).toMatchObject({
      x: '',
      nostr: '',
    })
  })

  it('the composer after sending keeps the text of the network that was not meant', () => {
    const post = { id: 'p', results: [result('x', {})] }
    expect(afterSending(written, ['x'], post)).toMatchObject({ x: '', nostr: 'Two' })
  })

  it('the composer after sending loses a text that is out after another try, and no other', () => {
    const post = { x_text: 'One', nostr_text: '', bluesky_text: '', results: [result('x', {})] }
    expect(afterTryingAgain(written, post)).toMatchObject({ x: '', nostr: 'Two' })
    const mended = { ...written, x: 'One and more' }
    expect(afterTryingAgain(mended, post)).toBe(mended)
  })
})

describe('words', () => {
  it('the words about a link say what it costs', () => {
    expect(xWarnings('Read https://example.org/a')).toEqual([
      'With a link (https://example.org/a) X takes $0.20 for the post instead of $0.015.',
    ])
    expect(xWarnings('Nothing of it')).toEqual([])
  })

  it.each([
    [0.015, '$0.015'],
    [0.2, '$0.20'],
    [0.02, '$0.02'],
    [0, '$0.00'],
  ])('%d is shown as %s', (usd, text) => expect(costText(usd)).toBe(text))

  it('long waits are counted in hours', () => {
    expect([1, 119, 120, 121].map(minutesText)).toEqual([
      '1 minute',
      '119 minutes',
      '2 hours',
      '3 hours',
    ])
  })
})

describe('what is kept in the browser', () => {
  const store = (): Storage & { text: () => string | null } => {
    const map = new Map<string, string>()
    return {
      getItem: (key) => map.get(key) ?? null,
      setItem: (key, value) => void map.set(key, value),
      removeItem: (key) => void map.delete(key),
      clear: () => map.clear(),
      key: () => null,
      length: 0,
      text: () => [...map.values()][0] ?? null,
    }
  }

  it('what is kept in the browser comes back as it was', () => {
    const device = store()
    const composition = { ...EMPTY, x: 'Half a tho', when: '2026-11-27T09:30' }
    keepComposition(device, KEY, composition)
    expect(readComposition(device, KEY)).toEqual(composition)
    keepComposition(device, KEY, EMPTY)
    expect(device.text()).toBeNull()
  })

  it('what is kept in the browser is never a secret key', () => {
    const device = store()
    keepComposition(device, KEY, { ...EMPTY, x: 'Fine', nostr: `My key is ${NSEC}` })
    expect(device.text()).not.toContain('nsec1')
    expect(readComposition(device, KEY)).toMatchObject({ x: 'Fine', nostr: '' })
    const pictures = [
      { id: 'a', url: '/p', type: 'image/png' as const, width: 1, height: 1, alt: NSEC },
    ]
    keepComposition(device, KEY, { ...EMPTY, pictures })
    expect(device.text()).not.toContain('nsec1')
  })

  it('what is kept in the browser is nothing where it cannot be read', () => {
    const device = store()
    device.setItem(KEY, '{"x": 1}')
    expect(readComposition(device, KEY)).toEqual(EMPTY)
    device.setItem(KEY, '{')
    expect(readComposition(device, KEY)).toEqual(EMPTY)
    expect(readComposition(null, KEY)).toEqual(EMPTY)
  })
})
