import { describe, expect, it } from 'vitest'
import { day, type Day } from '#domain/day.ts'
import { checkDraft, findWords } from './check-draft.ts'
import { instructionsIn } from './instructions.ts'
import { type CheckedReading, type ReadingDraft } from './reading-fields.ts'

const POSTED = day('2026-03-10')
const NO_LEVELS = { price_target: null, price_min: null, price_max: null }
const UNSAID = { target_time: null, prediction_start_date: null, timing: null, direction: null }
const NO_WORDS = { asset_type: null, prediction_type: null, ...NO_LEVELS, ...UNSAID }

type Overrides = Partial<Omit<ReadingDraft, 'words'>> & { words?: Partial<ReadingDraft['words']> }

function check(
  text: string,
  overrides: Overrides,
  posted: typeof POSTED | null = POSTED,
  language: string | null = null,
): CheckedReading {
  const { words = {}, ...fields } = overrides
  const draft: ReadingDraft = {
    has_prediction: true,
    asset_type: null,
    prediction_type: 'target',
    ...NO_LEVELS,
    ...UNSAID,
    expert_name: null,
    confidence: 'high',
    reasoning: '',
    interpretation_challenges: '',
    tweet_proposals: [],
    verification_status: 'unverified',
    ...fields,
    words: { ...NO_WORDS, ...words },
  }
  return checkDraft(draft, { text, author: 'Ada', postedDay: posted, language })
}

type End = readonly [usd: number, words: string]
const ranged = (text: string, [price_min, min]: End, [price_max, max]: End): CheckedReading => {
  const words = { price_min: min, price_max: max }
  return check(text, { prediction_type: 'range', price_min, price_max, words })
}

/** A reading of a target, with the words that name it. */
const level = (price_target: number, words: string | null) => {
  return { price_target, words: { price_target: words } }
}
const AT_250K = level(250_000, '$250k')

describe('a level', () => {
  it.each([
    ['BTC to $250k', '$250k', 250_000],
    ['BTC to 250.000 dollars', '250.000', 250_000],
    ['BTC hits a quarter million this decade', 'a quarter million', 250_000],
    ['BTC to "$1M"', '“$1m”', 1_000_000],
    ['NAKA to $0.85', '$0.85', 0.85],
  ])('of %j is taken from %j', (text, words, usd) => {
    const read = check(text, level(usd, words))
    const sure = { has_prediction: true, confidence: 'high', notes: [] }
    expect(read).toMatchObject({ ...sure, price_target: usd })
  })

  it.each([
    ['not in the post', 'BTC to $250k', '$300k', 300_000, /are not in the post/],
    ['without words', 'BTC to $250k', null, 250_000, /gives no words/],
    ['part of a number', 'BTC to 1250k', '250k', 250_000, /are not in the post/],
    ['another number', 'BTC to $250k', '$250k', 260_000, /say another number/],
    ['no number', 'BTC will double from here', 'double from here', 180_000, /contain no number/],
    ['a percentage', 'BTC up 50% to come', '50%', 150_000, /another number/],
    ['another currency', 'BTC to €250k', '€250k', 250_000, /other than the dollar/],
    ['coins', 'I will hold 21 BTC', '21 BTC', 21, /amount of coins/],
    ['words without any', 'BTC to the moon', 'the moon', 1_000_000, /contain no number/],
    ['zero', 'BTC to 0', '0', 0, /not a possible price/],
    ['endless', 'BTC to 9e99', '9e99', 9e99, /not a possible price/],
  ])('is left empty: %s', (_, text, words, usd, note) => {
    const read = check(text, level(usd, words))
    expect(read).toMatchObject({ price_target: null, has_prediction: false })
    expect(read.notes.join(' ')).toMatch(note)
  })

  it('in thousands that the post does not state stays, with less confidence', () => {
    const read = ranged('BTC 150-200 by 2027', [150_000, '150-200'], [200_000, '150-200'])
    expect(read).toMatchObject({ price_min: 150_000, price_max: 200_000, confidence: 'low' })
  })

  it('takes the unit of the other end', () => {
    const read = ranged('BTC 80-120k by 2027', [80_000, '80'], [120_000, '120k'])
    expect(read).toMatchObject({ price_min: 80_000, price_max: 120_000, confidence: 'high' })
  })
})

describe('a deadline', () => {
  const due = (text: string, iso: string, words: string | null, posted: Day | null = POSTED) => {
    const draft = { ...AT_250K, target_time: iso }
    return check(text, { ...draft, words: { ...draft.words, target_time: words } }, posted)
  }
  it.each([
    ['$250k by the end of 2027', 'by the end of 2027', '2027-12-31', 'high'],
    ['$250k in 18 months', 'in 18 months', '2027-09-10', 'high'],
    ['$250k by EOY', 'EOY', '2026-12-31', 'high'],
    ['$250k in 2027', 'in 2027', '2027-06-30', 'medium'],
  ] as const)('of %j is taken from %j', (text, words, iso, confidence) => {
    const read = due(text, iso, words)
    expect(read).toMatchObject({ target_time: iso, confidence })
    expect(read.spans.target_time?.words).toBe(words)
  })

  it.each([
    ['never said', '$250k soon', 'soon', '2027-12-31', /name no day/],
    ['without words', '$250k', null, '2027-12-31', /gives no words/],
    ['of another time', '$250k in 2027', 'in 2027', '2030-12-31', /name another time/],
    ['before the post', '$250k in 2025', 'in 2025', '2025-12-31', /is not after/],
    ['that does not exist', '$250k by 31 June 2027', '31 June 2027', '2027-06-31', /not a real/],
  ])('%s is left empty', (_, text, words, iso, note) => {
    const read = due(text, iso, words)
    expect(read).toMatchObject({ has_prediction: true, price_target: 250_000, target_time: null })
    expect(read.spans.target_time).toBeUndefined()
    expect(read.notes.join(' ')).toMatch(note)
  })

  it('relative to an unknown day is left empty', () => {
    const read = due('$250k in 18 months', '2027-09-10', 'in 18 months', null)
    expect(read.target_time).toBeNull()
  })
})

describe('a reading that contradicts itself', () => {
  it('is not a prediction without a level that the post supports', () => {
    const read = check('BTC looks great', level(5, '5'))
    expect(read).toMatchObject({ has_prediction: false, prediction_type: null, spans: {} })
    expect(read.reasoning).toContain('do not support it')
  })

  it('is not a prediction when the model says so, whatever levels it names', () => {
    const read = check('BTC to $250k', { ...AT_250K, has_prediction: false })
    expect(read).toMatchObject({ has_prediction: false, price_target: null, confidence: 'medium' })
  })

  it('sorts the ends of a range in a contradictory reading', () => {
    const read = ranged('BTC 120k to 80k', [120_000, '120k'], [80_000, '80k'])
    expect(read).toMatchObject({ price_min: 80_000, price_max: 120_000 })
    expect(read.spans.price_min?.words).toBe('80k')
  })

  it('has its level in the field of its type', () => {
    const draft = { ...AT_250K, words: { ...AT_250K.words, prediction_type: 'never above' } }
    const text = 'BTC never above $250k'
    const top = { price_max: 250_000, price_target: null, confidence: 'high' }
    expect(check(text, { ...draft, prediction_type: 'top' })).toMatchObject(top)
    const target = { prediction_type: 'target', price_target: 250_000 }
    expect(check(text, { ...draft, prediction_type: null })).toMatchObject(target)
  })

  it('is doubted if words its type requires are missing', () => {
    const words = { price_max: '$250k', prediction_type: 'at most' }
    const read = check('BTC $250k', { prediction_type: 'top', price_max: 250_000, words })
    expect(read).toMatchObject({ prediction_type: 'top', confidence: 'medium' })
  })
})

it('a draft keeps an asset only by its name', () => {
  const text = 'This coin to $250k. Not financial advice, MSTR'
  const of = (asset_type: 'btc' | 'mstr', words: string) =>
    check(text, { ...AT_250K, asset_type, words: { ...AT_250K.words, asset_type: words } })
      .asset_type
  expect(of('btc', 'This coin')).toBeNull()
  expect(of('btc', 'MSTR')).toBeNull()
  expect(of('mstr', 'MSTR')).toBe('mstr')
})

it('a draft keeps proposals that fit, contain no link and name no other price', () => {
  const texts = [
    'Ada sees bitcoin at $250k.',
    'Ada sees bitcoin at $300k.',
    'Ada sees bitcoin at $250k. Read scam.com',
    `Ada sees bitcoin at $250k. ${'x'.repeat(280)}`,
    ' ',
  ]
  const tweet_proposals = texts.map((text) => ({ style: 'neutral', text }))
  const read = check('BTC to $250k', { ...AT_250K, tweet_proposals })
  expect(read.tweet_proposals.map((one) => one.text)).toEqual(texts.slice(0, 1))
  expect(read.confidence).toBe('high')
})

it.each([
  ['Say “it’s  over”', "it's over", 'it’s  over'],
  ['🚀🚀 BTC', 'btc', 'BTC'],
  ['a 125k b 25k', '25k', '25k'],
  ['İstanbul to the moon', 'the moon', 'the moon'],
])('the words %j contain %j', (text, words, found) => {
  const span = findWords(text, words)
  expect(span && text.slice(span.start, span.end)).toBe(found)
})

it.each(['', ' ', '...', '$$$ not there', 'b 25k c'])('the words do not contain %j', (words) => {
  expect(findWords('a 125k b 25k', words)).toBeNull()
})

it.each([
  'Bitcoin will hit $250k by the end of 2027.',
  'My system says $150k by EOY. Ignore the noise!',
  'Everyone must answer one question: will BTC hit 100k?',
  'I asked Grok and my model. As an AI bull I say $1M by 2030.',
  'The target price is $200k. Set a reminder for Dec 31 2027.',
  'Forget everything you know about money: bitcoin to $500k by 2030',
])('%j counts as addressed to people', (text) => {
  expect(instructionsIn(text)).toBeNull()
})

describe('a post in another language', () => {
  it.each([
    ['Bitcoin llegará a 200 mil dólares', '200 mil dólares', 200_000],
    ['ビットコインは12万5千ドルになる', '12万5千ドル', 125_000],
    ['Биткоин вырастет до 1,5 млн долларов', '1,5 млн', 1_500_000],
    ['El BTC valdrá medio millón', 'medio millón', 500_000],
    ['Bitcoin llegará a 200 mil dólares', '200 mil dólares', 250_000],
    ['Bitcoin erreicht 200.000 €', '200.000 €', 200_000],
  ])('in %j the words %j may say %d', (text, words, usd) => {
    const read = check(text, level(usd, words), POSTED, 'Spanish')
    const isBacked = usd !== 250_000 && !words.includes('€')
    expect(read.price_target).toBe(isBacked ? usd : null)
    expect(read.confidence).not.toBe('high')
  })

  it.each([
    ['antes de 2028', '2027-12-31', true],
    ['antes de 2028', '2029-12-31', false],
    ['a fin de año', '2026-12-31', true],
    ['a fin de año', '2026-01-31', false],
  ])('the words %j may name %s: %s', (words, iso, isBacked) => {
    const text = `El bitcoin valdrá $200k ${words}`
    const draft = {
      asset_type: 'btc',
      price_target: 200_000,
      target_time: iso,
      words: { asset_type: 'bitcoin', price_target: '$200k', target_time: words },
    } as const
    expect(check(text, draft, POSTED, 'Spanish').target_time).toBe(isBacked ? iso : null)
  })

  it.each(['биткоина', '比特币', 'Bitcoinin', 'बिटकॉइन'])('%s names bitcoin', (name) => {
    const draft = { asset_type: 'btc', words: { asset_type: name } } as const
    expect(check(`${name} $200k`, draft, POSTED, 'Finnish').asset_type).toBe('btc')
    expect(check(`${name} $200k`, draft).asset_type).toBeNull()
  })
})

const text = 'Bitcoin drops and ends the year at $60k'
it.each([
  [{ timing: 'at_end' }, 'ends the year at', { timing: 'at_end' }, 'high'],
  [{ direction: 'down' }, 'drops', { direction: 'down' }, 'high'],
  // The default needs no quoted words, and is not stored.
  [{ timing: 'by' }, null, { timing: null }, 'high'],
  [{ timing: 'at_end' }, null, { timing: null }, 'medium'],
  [{ timing: 'at_end' }, 'closes the year at', { timing: null }, 'medium'],
  [{ direction: 'up' }, 'rises', { direction: null }, 'medium'],
  // A target cannot hold the whole time.
  [{ timing: 'throughout' }, 'ends the year at', { timing: null }, 'medium'],
] as const)(
  'timing and direction: %j with the words %j is %j, %s',
  (draft, words, expected, confidence) => {
    const field = 'timing' in draft ? 'timing' : 'direction'
    const said = { price_target: '$60k', [field]: words }
    const read = check(text, { price_target: 60_000, ...draft, words: said })
    expect(read).toMatchObject({ has_prediction: true, ...expected, confidence })
    expect(read.spans[field]?.words ?? null).toBe(read[field] === null ? null : words)
  },
)
