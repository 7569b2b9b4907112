import { it } from 'vitest'
import { day } from '#domain/day.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
import { checkDraft, findWords } from './check-draft.ts'
import { instructionsIn } from './instructions.ts'
import { type CheckedReading, type ReadingDraft } from './reading-fields.ts'

const NO_LEVELS = { price_target: null, price_min: null, price_max: null }
const UNSAID = { target_time: null, prediction_start_date: null, timing: null, direction: null }
const NO_WORDS = { asset_type: null, prediction_type: null, ...NO_LEVELS, ...UNSAID }

type Given = { [Field in keyof ReadingDraft]?: unknown }
type Context = { readonly postedDay?: null; readonly language?: string }

function check(text: string, { words, ...fields }: Given, context: Context = {}): CheckedReading {
  const draft = {
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
    words: { ...NO_WORDS, ...(words as object) },
  } as ReadingDraft
  const post = { text, author: 'Ada', postedDay: day('2026-03-10'), language: null }
  return checkDraft(draft, { ...post, ...context })
}

/** What a reading has, with the words it quotes. */
function brief({ spans, ...fields }: CheckedReading): object {
  const known = Object.entries(fields).filter(
    ([field, value]) =>
      field !== 'verification_status' &&
      value !== null &&
      JSON.stringify(value) !== '[]' &&
      value !== '',
  )
  const words = Object.entries(spans).map(([field, span]) => [field, span.words])
  return { ...Object.fromEntries(known), words: Object.fromEntries(words) as object }
}

const level = (text: string, words: string, usd: string, context?: Context): object => {
  const draft = { price_target: Number(usd), words: { price_target: words || null } }
  return brief(check(text, draft, context))
}

const due = (text: string, words: string, iso: string, context?: Context): object => {
  const [usd = '', thousands] = /\$(\d+)k/.exec(text) ?? []
  const dated = {
    price_target: Number(thousands) * 1_000,
    target_time: iso,
    words: { price_target: usd, target_time: words || null },
  }
  return brief(check(text, dated, context))
}

it('drafts of a model are checked as stored', () =>
  storedCases('check-draft', {
    'a level: the post, its words, dollars': (...draft) =>
      level(...(draft as [string, string, string])),
    'a level in another language': (text, words, usd) =>
      level(text, words, usd, { language: 'Spanish' }),
    'a range: the post, its ends and their words': (text, price_min, min, price_max, max) =>
      brief(
        check(text, {
          prediction_type: 'range',
          price_min: Number(price_min),
          price_max: Number(price_max),
          words: { price_min: min, price_max: max },
        }),
      ),
    'a deadline: the post, its words, the day': (text, words, iso, undated?: string) =>
      due(text, words, iso, undated === undefined ? {} : { postedDay: null }),
    'a deadline in another language': (text, words, iso) =>
      due(text, words, iso, { language: 'Spanish' }),
    'a draft of the post “BTC never above $250k”': (draft) =>
      brief(check('BTC never above $250k', jsonPart(draft))),
    'a draft of a post': (text, draft) => brief(check(text, jsonPart(draft))),
    'the asset by its words in “This coin to $250k. Not financial advice, MSTR”': (
      asset_type,
      name,
    ) => {
      const words = { price_target: '$250k', asset_type: name }
      const text = 'This coin to $250k. Not financial advice, MSTR'
      return check(text, { price_target: 250_000, asset_type, words }).asset_type
    },
    'bitcoin by its name, in a post in Finnish and in English': (name) =>
      ['Finnish', null].map(
        (language) =>
          check(
            `${name} $200k`,
            { asset_type: 'btc', words: { asset_type: name } },
            language ? { language } : {},
          ).asset_type,
      ),
    'timing or direction in “Bitcoin drops and ends the year at $60k”': (field, value, words) => {
      const quoted = { price_target: '$60k', [field]: words || null }
      const draft = { price_target: 60_000, [field]: value, words: quoted }
      return brief(check('Bitcoin drops and ends the year at $60k', draft))
    },
    'a proposal for “BTC to $250k”': (text) => {
      const words = { price_target: '$250k' }
      const tweet_proposals = [{ style: 'neutral', text }]
      const read = check('BTC to $250k', { price_target: 250_000, words, tweet_proposals })
      return { kept: read.tweet_proposals.length, confidence: read.confidence }
    },
    'words found': (text, words) => {
      const span = findWords(text, words)
      return span && text.slice(span.start, span.end)
    },
    'what is addressed to machines': instructionsIn,
  }))
