import { type AssetKey, ASSETS } from '#domain/asset.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { showClaim, typeLabel } from '#domain/claim/text.ts'
import { type Day, showDay } from '#domain/day.ts'
import { type PostDate } from './date-words.ts'
import { type Quote } from './plain.ts'

/** Warnings about a reading. */
export type Caution = keyof typeof CAUTION

/** A prediction in a post, each field with the words it came from. */
export type PostPrediction = {
  readonly asset: AssetKey
  readonly claim: Claim
  /** The first day that counts, if stated. */
  readonly from: Day | null
  /** The last day that counts, if stated. */
  readonly by: Day | null
  readonly quotes: {
    /** Null if the asset is not named. */
    readonly asset: Quote | null
    /** The words that gave the type; the level's words if the price alone implies it. */
    readonly type: Quote
    /** Both ends of a range; otherwise the same words twice. */
    readonly low: Quote
    readonly high: Quote
    readonly deadline: Quote | null
    /** The words that give the timing and direction. */
    readonly timing: Quote | null
    readonly direction: Quote | null
  }
  readonly cautions: readonly Caution[]
  readonly confidence: 'low' | 'medium' | 'high'
}

export type NoPrediction = keyof typeof NO_PREDICTION | 'language'

export type PostReading =
  | {
      readonly found: true
      readonly prediction: PostPrediction
      /** Other predictions of the post, best first. */
      readonly others: readonly PostPrediction[]
    }
  | {
      readonly found: false
      readonly why: NoPrediction
      /** English name of the post's language; null for English. */
      readonly language: string | null
      /** The asset that the post is about nevertheless. */
      readonly asset: { readonly key: AssetKey; readonly quote: Quote } | null
    }

export type PostContext = {
  /** When it was posted; relative dates are ignored if null. */
  readonly posted: PostDate | null
  /** Bitcoin's price at the time, USD, needed to read "150-200" as thousands. */
  readonly bitcoinUsd?: number | null
  /** English name of another language; such a post is not read. */
  readonly language?: string | null
}

const NO_PREDICTION = {
  question: 'The post asks a question.',
  poll: 'The post is a poll or a guessing game.',
  joke: 'The post does not mean it seriously.',
  past: 'The post is about the past.',
  condition: 'The post says it only if something else happens first.',
  reported: 'The post reports what another person has said.',
  alternatives: 'The post names several outcomes without choosing one.',
  doubted: 'The post doubts it.',
  vague:
    'The post is too vague for prices to decide: no deadline and no firm statement could be read.',
  'foreign-currency': 'The only price is in a currency other than the US dollar.',
  coins: 'The only amount is a number of coins.',
  several: 'The only price is that of several coins, or of a part of one.',
  change: 'The only amount is by how much the price changes, not where it goes.',
  size: 'The only amount is the size of something, such as a market cap or an inflow.',
  zero: 'A price of zero cannot be read as a level.',
  trade:
    'The prices are those of a trade or of a place on the chart, such as an entry or a support.',
  origin: 'The only price is the one it comes from, not one it goes to.',
  other: 'The numbers in the post could not be read as prices.',
  'other-asset': 'The post is not about BTC, MSTR or NAKA.',
  'no-asset': 'No asset could be read.',
  'pre-split': 'The only price is from before a split of the stock.',
  'no-level': 'No price could be read.',
  'to-machines': 'This post tries to instruct the reader software; that part is ignored.',
} as const

/** Why a post contains no prediction that prices could decide, as a sentence. */
export function whyNone({ why, language }: Extract<PostReading, { found: false }>): string {
  return why === 'language'
    ? `This post is in ${language ?? 'another language'}; not read without an assistant.`
    : NO_PREDICTION[why]
}

export const CAUTION = {
  hedged: 'The post hedges ("could", "maybe").',
  'standing-condition': 'The post ties it to a condition that cannot be tested.',
  secondary: 'The post calls it another case, such as the worst one.',
  aftermath: 'The post says it about the time after a peak.',
  'asset-assumed': 'The post names no asset; Bitcoin is assumed.',
  'scale-assumed': 'The post seems to give the level in thousands without saying so.',
  'deadline-apart': 'The deadline is in another sentence or beside another level.',
  'date-order': 'The day and the month of the deadline may be the other way round.',
  'day-or-year': 'The number after the month may be the day or the year.',
  namesake: 'NAKA is Nakamoto Games here; the post seems to mean the company Nakamoto.',
  'to-machines':
    'Another part of the post is hidden or instructs the reader software; it is ignored.',
  'no-deadline': 'No deadline could be read, so the field stays empty.',
} as const

/** How the text parser got its reading. */
export function rulesSentence({ asset, claim, by, quotes }: PostPrediction): string {
  const level = `${typeLabel(claim.type)} ${showClaim(claim)} for ${ASSETS[asset].symbol}`
  const words = quotes.low.words === quotes.high.words ? '' : ` to "${quotes.high.words}"`
  const from = `from "${quotes.low.words}"${words}`
  const deadline =
    by === null || quotes.deadline === null
      ? 'no deadline'
      : `deadline ${showDay(by)} from "${quotes.deadline.words}"`
  return `Read by rules: ${level} ${from}, ${deadline}.`
}
