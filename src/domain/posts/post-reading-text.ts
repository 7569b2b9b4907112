import { showClaim, typeLabel } from '#domain/claim/text.ts'
import { ASSETS } from '#domain/asset.ts'
import { type Timing } from '#domain/claim/claim.ts'
import { showDay } from '#domain/day.ts'
import {
  type Caution,
  type NoPrediction,
  type PostPrediction,
  type PostReading,
} from './post-reading.ts'

const NO_PREDICTION: Readonly<Record<Exclude<NoPrediction, 'language'>, string>> = {
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
  'foreign-currency': 'The only price is in another currency than the US dollar.',
  coins: 'The only amount is a number of coins.',
  several: 'The only price is that of several coins, or of a part of one.',
  change: 'The only amount is by how much the price changes, not where it goes.',
  size: 'The only amount is the size of something, such as a market cap or an inflow.',
  zero: 'A price of nothing cannot be read as a level.',
  trade:
    'The prices are those of a trade or of a place on the chart, such as an entry or a support.',
  origin: 'The only price is the one it comes from, not one it goes to.',
  other: 'The numbers in the post could not be read as prices.',
  'other-asset': 'The post is not about BTC, MSTR or NAKA.',
  'no-asset': 'No asset could be read.',
  'pre-split': 'The only price is from before a split of the stock.',
  'no-level': 'No price could be read.',
  'to-machines': 'This post tries to instruct the reader software; that part is ignored.',
}

/** Why a post contains no prediction that prices could decide, as a sentence. */
export function whyNone({ why, language }: Extract<PostReading, { found: false }>): string {
  return why === 'language'
    ? `This post is in ${language ?? 'another language'}; not read without an assistant.`
    : NO_PREDICTION[why]
}

/** Warnings as sentences. */
export const CAUTION: Readonly<Record<Caution, string>> = {
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
}

/** When a claim must be true, for the end of a sentence. */
export const WHEN: Readonly<Record<Timing, string>> = {
  by: 'at any time until then',
  at_end: 'on that day',
  throughout: 'the whole time',
}

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
