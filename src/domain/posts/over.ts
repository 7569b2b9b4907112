import { type Claim } from '#domain/claim/claim.ts'
import { partsOf } from '#domain/day.ts'
import { type PostDate, MONTH_WORDS } from './date-words.ts'
import { type Sentence } from './plain.ts'

/** Past targets, and statements from earlier years. */

const TARGET = '(?:targets?|pts?|predictions?|calls?|forecasts?|goals?|objectives?|estimates?)'
const NEAR_TARGET = new RegExp(String.raw`\b${TARGET}\b`, 'i')
const REACHED =
  '(?:exceeded|surpassed|hit|reached|met|smashed|crushed|achieved|passed|crossed|cleared|obliterated|shattered|topped|overshot|demolished|destroyed|eclipsed)'
const DONE = `(?:${REACHED}|beaten|broken|fulfilled|done|completed|attained|taken out|blown (?:past|through|away|out)|behind us|(?:come|came) true|in the (?:books|bag)|invalidated|withdrawn|cancelled|canceled|no longer (?:valid|mine)|off|dead)`
const DID = `(?:${REACHED}|beat|broke|took out|blew (?:past|through|away|out)|(?:already|now|currently|trading|is) (?:well |far |way )?(?:above|past|beyond|over))`
/** "Will be hit", "has not been reached", "once it was hit". */
const NOT_YET = String.raw`(?<!\b(?:will|to|should|would|could|may|might|can|gonna|not|never|if|once|when|until|till|unless|before|expect|see|think|believe|be|being|\w{0,8}n't|\w{0,5}'ll)(?: \w{1,12}){0,2} )`
const AUXILIARY =
  '(?:has|have|had|was|were|is|got|been|already|now|just|finally|officially|easily|long)'
const CLAUSE = String.raw`(?:(?!(?<!\b(?:for|on) )\b(?:we|it|i|btc|bitcoin|but|and|will|should|would|could|may|might)\b)[^.;,!?\n$\d])`
const AFTER = new RegExp(
  String.raw`^(?: (?:btc|bitcoin|mstr|naka))?${CLAUSE}{0,40}?${NOT_YET}\b(?:(?:${AUXILIARY} ){1,4}(?:${DONE})\b|(?:${DONE})(?=\s*(?:$|[.,;!)]|already|early|today|yesterday|ahead|in (?:under|just|less|only)|\p{Extended_Pictographic})))`,
  'iu',
)
const OF_TARGET = String.raw`(?:my|our|the|his|her|their|its|this|that)(?: [\w'/&-]{1,16}){0,4}?`
const BEFORE = new RegExp(
  String.raw`${NOT_YET}\b${DID} (?:(?:right|straight|through|past) ){0,2}(?:\w+ and )?${OF_TARGET}(?<named> ${TARGET}(?: price)?(?: (?:of|at|for|_{1,24}|bitcoin|btc|mstr)){0,4})?\s{0,2}[:~(]?\s{0,2}$`,
  'i',
)
const FORMER = new RegExp(
  String.raw`\b(?:old|previous|prior|former|earlier) (?:\w+ ){0,2}${TARGET}(?: price)?(?: (?:was|of|at|for))*\s*[:=]?\s*$`,
  'i',
)
/** "I withdraw my target", "cancelled:", "old tweet": no longer valid. */
const ENDED = new RegExp(
  String.raw`\b(?:i|we)(?:'ve| have| hereby)? (?:withdr[ae]w\w*|retract\w*|cancel\w*|abandon\w*|scrap\w*|remov\w*|suspend\w*|drop(?:ped)?) (?:\w+ ){0,4}${TARGET}\b|^[^\p{L}]*(?:withdrawing|retracting|cancel(?:l?ing)?|scrap(?:ping)?|scratch|forget(?: about)?|dropping)\s+(?:(?:my|our|the|that) )?(?:[\w-]+ ){0,2}?(?:of |for |at )?[~$]?$|\b(?:withdrawn|retracted|cancell?ed|mission accomplished|called it|nailed it)\s*[:,-]|\b(?:no longer|stopped) (?:expect|believ|think)\w*\b|\bold (?:tweets?|posts?|calls?)\b`,
  'iu',
)
/** "All targets hit:" applies to each that follows. */
const ALL_DONE = new RegExp(String.raw`\b(?:all|both) (?:\w+ ){0,2}${TARGET} (?:${DONE})\s*:`, 'i')
/** "Surpassed the $35,000 I predicted". */
const PREDICTED = /^ (?:that )?(?:i|we) (?:predicted|forecast|called|promised|projected)\b/i
const SURPASSED = new RegExp(String.raw`${NOT_YET}\b${DID} (?:the |that |those )?$`, 'i')
const SUPPOSED = /\b(?:if|once|when|until|till|unless|after)\b/i
const STILL =
  /\b(?:again|still|stands?|stick\w*|repeat|reiterat\w+|reaffirm\w*|confirm|remains?|maintain\w*)\b/i
const OF_THEN = new RegExp(
  String.raw`\b(?:my|our) (?:20\d\d (?:\w+ )?${TARGET}|(?:\w+ ){0,2}?${TARGET} (?:from|of|in|back in) (?:\w+ )?20\d\d)\b`,
  'i',
)
const SAID =
  /(?<!\b(?:as|like|what|since) )\b(?:i|we)(?:'d|'ve| had| have)?(?: (?!don'?t|never)\w+)? ?(?:said|predicted|called|tweeted|forecast(?:ed)?|wrote|posted|promised|projected|told \w+)\b/i
const THEN = new RegExp(
  String.raw`\b(?:back (?:in|when|then)|at the time|once|originally|previously|initially|in ${MONTH_WORDS}(?:,? 20\d\d)?(?=,? (?:i|we)\b))\b`,
  'i',
)

/** "My call of 90k by February did not play out." */
const FAILED = new RegExp(
  String.raw`^${CLAUSE}{0,40}?\b(?:did(?: not|n'?t)|never) (?:play(?:ed)? out|work(?:ed)? out|come true|came true|materiali[sz]ed?|happen(?:ed)?)\b`,
  'iu',
)

/** Whether a level is a target already reached, or one from long before the post. */
export function isOver(around: {
  readonly segment: string
  readonly after: string
  readonly sentence: string
  /** The sentence names a time before the post. */
  readonly hasPast: boolean
}): boolean {
  const { segment, after, sentence } = around
  const near = `${segment.slice(-60)} ${after.slice(0, 40)}`
  if (NEAR_TARGET.test(near) && AFTER.test(after) && !SUPPOSED.test(segment)) return true
  if (NEAR_TARGET.test(near) && FAILED.test(after)) return true
  const reached = BEFORE.exec(segment.slice(-120))
  if (reached && (reached.groups?.['named'] !== undefined || NEAR_TARGET.test(after.slice(0, 32))))
    return true
  if (STILL.test(sentence)) return false
  if (
    ALL_DONE.test(sentence) ||
    ENDED.test(segment) ||
    (PREDICTED.test(after) && SURPASSED.test(segment))
  )
    return true
  if (FORMER.test(segment) || (around.hasPast && OF_THEN.test(sentence))) return true
  const isReported = SAID.test(`${segment} ${/^[^$\d]*/.exec(after)?.[0] ?? ''}`)
  return isReported && (around.hasPast || THEN.test(sentence))
}

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

/** "If it is not at 150k by May I eat my hat": phrased as a condition, meant as a promise. */
const VOW =
  /^(?<lead>[^\p{L}]{0,20}(?:and |but |so )?if )(?<claim>[^.;!?\n]{0,60}?)\b(?<not>(?:does|is|are|has|do)(?:n't| not)|fails to)(?<rest>\b[^.;!?\n]{0,90}?\b(?:i'll|i will|i'm going to|i am going to|i promise to|i swear to|i)\s+(?:\w+\s+){0,2}?(?:eat|shave|delete|tattoo|resign|quit|deactivate|run naked|donate|give|pay|send|dye|wear|jump)\b)/iu

/** "Everyone who says 150k is impossible will be in shock": the author contradicts them, and so predicts it. */
const CONTRADICTED =
  /^(?<lead>[^\p{L}]{0,20}(?:and |but |so |to |for )?(?:everyone|everybody|anyone|anybody|those|people|all (?:of you|those|you|the people)|all|(?:the )?(?:bears|haters|doubters|skeptics|critics))(?: (?:who|that|still|currently|is|are|who's|who are|who is))* (?:say|claim|think|believ|call|tell|scream|insist)\w*(?: (?:me|us|that))*)(?<claim> (?:[^.;!?\n]|\.\d){0,60}?)\b(?<not>(?:(?:is|are|as|was|would be|looks|seems) )?(?:impossible|crazy|insane|not possible|unrealistic|(?:won't|will not|will never|can't|cannot|never) (?:ever )?happen(?:s|ing)?|not happening))(?<rest>\b(?:[^.;!?\n]|\.\d){0,30}?\b(?:will|are going to|is going to|are gonna|are in for|is in for|you'll|you're going to)\b(?:[^.;!?\n]|\.\d){0,24}?\b(?:shock\w*|surpris\w*|wrong|regret\w*|stunned|humbled|speechless)\b)/iu

/**
 * Replaces the condition and negation of such a promise with `_`, leaving the author's expectation. Offsets are
 * unchanged.
 */
export function withoutVow(plain: string, sentence: Sentence) {
  const found = VOW.exec(sentence.text) ?? CONTRADICTED.exec(sentence.text)
  const { lead, claim, not, rest } = found?.groups ?? {}
  if (lead === undefined || claim === undefined || not === undefined) return { plain, sentence }
  const negated = `${blotted(lead)}${claim}${blotted(not)}${rest ?? ''}`
  const text = negated + sentence.text.slice(negated.length)
  return {
    plain: plain.slice(0, sentence.start) + text + plain.slice(sentence.start + text.length),
    sentence: { ...sentence, text },
  }
}

function blotted(words: string): string {
  return words.replace(/\S/g, '_')
}

/** "2024: $69k": an item in a list of yearly prices. */
const ENTRY = /\b(?<year>20\d\d)\b ?(?:[:=|]|->|→|-) ?~?\$?\d/gu
const AHEAD =
  /\b(?:will|predict\w*|targets?|forecasts?|expect\w*|outlook|projection\w*|calls?|going to|gonna|next|by)\b/i

/**
 * Whether a post lists past prices: of past years up to the year of the post, and of no later one. Any word about the
 * future rules this out.
 */
export function listsPastYears(plain: string, posted: PostDate | null): boolean {
  if (posted === null) return false
  const years = [...plain.matchAll(ENTRY)].map(({ groups }) => Number(groups?.['year']))
  const { year: now } = partsOf(posted.day)
  const past = new Set(years.filter((year) => year < now))
  return past.size >= 2 && Math.max(...years) === now && !AHEAD.test(plain)
}
