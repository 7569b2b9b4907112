import { ASSETS } from '#domain/asset.ts'
import { showDay } from '#domain/day.ts'
import { type Caution, type NoPrediction, type PostPrediction } from './read-post.ts'
import { showClaim, typeLabel } from '#domain/claim/text.ts'

/** Why a post holds no prediction that prices could decide, in a sentence. */
export const NO_PREDICTION: Readonly<Record<NoPrediction, string>> = {
  question: 'The post asks and does not say.',
  poll: 'The post is a poll or a guessing game.',
  joke: 'The post does not mean it.',
  past: 'The post speaks of what has been.',
  condition: 'The post says it only for the case that something else happens first.',
  reported: 'The post tells what somebody else has said.',
  alternatives: 'The post names several outcomes and settles on none.',
  doubted: 'The post doubts it.',
  vague:
    'The post says it too vaguely for prices to decide: without a deadline, and without a firm word.',
  'foreign-currency': 'The only price is in another currency than the US dollar.',
  coins: 'The only amount is a number of coins.',
  size: 'The only amount is the size of something, such as a market cap or an inflow.',
  trade: 'The post is a plan of a trade, with its entry, target and stop.',
  origin: 'The only price is where it comes from, not where it goes.',
  other: 'The numbers in the post are no prices.',
  'other-asset': 'The post is about another asset than BTC, MSTR and NAKA.',
  'no-asset': 'The post does not say which asset it means.',
  'no-level': 'The post names no price.',
  unread: 'This post could not be read in time.',
  'to-machines': 'The post tells machines what to read; nothing of that is believed.',
}

/** What to look at, in a sentence. */
export const CAUTION: Readonly<Record<Caution, string>> = {
  hedged: 'The post hedges ("could", "maybe").',
  'standing-condition': 'The post ties it to a condition that nobody can test.',
  secondary: 'The post calls it a second case, such as the worst one.',
  aftermath: 'The post says it of what follows after a peak.',
  'asset-assumed': 'The post names no asset; Bitcoin is assumed.',
  'scale-assumed': 'The post writes the level in thousands without saying so.',
  'deadline-apart': 'The deadline stands in another sentence or beside another level.',
  'no-deadline': 'The post names no deadline, so the field stays empty.',
}

/** How the text parser came to its reading. */
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
