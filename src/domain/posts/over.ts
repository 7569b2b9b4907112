import { MONTH_WORDS } from './date-words.ts'

/** Targets that are over, and what the author said in former years. */

const TARGET = '(?:targets?|pts?|predictions?|calls?|forecasts?|goals?|objectives?|estimates?)'
const NEAR_TARGET = new RegExp(String.raw`\b${TARGET}\b`, 'i')
const REACHED =
  '(?:exceeded|surpassed|hit|reached|met|smashed|crushed|achieved|passed|crossed|cleared|obliterated|shattered|topped|overshot|demolished|destroyed|eclipsed)'
const DONE = `(?:${REACHED}|beaten|broken|fulfilled|done|completed|attained|taken out|blown (?:past|through|away|out)|behind us|(?:come|came) true|in the (?:books|bag)|invalidated|withdrawn|cancelled|canceled|no longer (?:valid|mine))`
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
/** "I withdraw my target", "cancelled:", "old tweet": no longer meant. */
const ENDED = new RegExp(
  String.raw`\b(?:i|we)(?:'ve| have| hereby)? (?:withdr[ae]w\w*|retract\w*|cancel\w*|abandon\w*|scrap\w*|remov\w*|suspend\w*|drop(?:ped)?) (?:\w+ ){0,4}${TARGET}\b|^[^\p{L}]*(?:withdrawing|retracting|cancel(?:l?ing)?|scrap(?:ping)?|scratch|forget(?: about)?|dropping)\s+(?:(?:my|our|the|that) )?(?:[\w-]+ ){0,2}?(?:of |for |at )?[~$]?$|\b(?:withdrawn|retracted|cancell?ed|mission accomplished|called it|nailed it)\s*[:,-]|\bno longer (?:expect|believe|think)\b|\bold (?:tweets?|posts?|calls?)\b`,
  'iu',
)
/** "All targets hit:" is said of each that follows. */
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

/** Whether a level is that of a target that has been reached, or was said long before the post. */
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
  const said = SAID.test(`${segment} ${/^[^$\d]*/.exec(after)?.[0] ?? ''}`)
  return said && (around.hasPast || THEN.test(sentence))
}
