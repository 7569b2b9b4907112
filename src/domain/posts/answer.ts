import { type Claim } from '#domain/claim/claim.ts'
import { type Sentence } from './plain.ts'

const YES =
  /^[^\p{L}]*(?:yes|yep|yup|yeah(?!,? right)|absolutely|of course|definitely|no doubt|easily|easy|for sure|guaranteed|i (?:think|say|believe) (?:so|yes)|i do|you bet)\b/iu
const NO =
  /^[^\p{L}]*(?:no(?!,? (?:idea|doubt|clue|one|comment))|nope|nah|never|not? (?:happening|a chance|way|chance)|i (?:doubt|don'?t think|highly doubt)|(?:won'?t|will not) happen|ain'?t happening)\b/iu
const DOWN = /\b(?:below|under|fall|drop|dip|sink|crash|dump|lose|back to|down to|return to)/i

/** The author's own answer right after a question: "Will it be 150k by May? Yes." */
export function answerTo(sentence: Sentence, next: Sentence | undefined): 'yes' | 'no' | null {
  if (!sentence.asks || !next) return null
  if (YES.test(next.text)) return 'yes'
  return NO.test(next.text) ? 'no' : null
}

/**
 * The claim that a "no" makes: "150k this year? Not happening."
 *
 * @returns null when it is unclear, as in "Is 150k the top? No."
 */
export function claimOfNo(claim: Claim, segment: string): Claim | null {
  switch (claim.type) {
    case 'target':
      return { type: DOWN.test(segment) ? 'bottom' : 'top', usd: claim.usd }
    case 'by-date':
      return { type: 'top', usd: claim.usd }
    case 'range':
    case 'top':
    case 'bottom':
      return null
  }
}
