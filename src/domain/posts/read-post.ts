import { type AssetKey } from '#domain/asset.ts'
import { levelsOf, makeClaim, scaleClaim, timingsOf } from '#domain/claim/claim.ts'
import { assetsIn, isCompany, isCompared, isOwned, type AssetMention } from './asset-words.ts'
import { claimOf, deniedBy, type QuotedClaim, termsOf } from './claim-words.ts'
import { datesIn, type DateMention } from './dates.ts'
import { readable } from './full-words.ts'
import { instructionsIn } from './instructions.ts'
import { levelsIn, type Level } from './levels.ts'
import { answerTo, claimOfNo, isOver, withoutVow, listsPastYears } from './over.ts'
import { nearest, subjectAround, timeSettingFor } from './pairing.ts'
import {
  firstEndingAfter,
  quote,
  type Quote,
  type Span,
  sentencesOf,
  type Sentence,
} from './plain.ts'
import {
  type Caution,
  type NoPrediction,
  type PostContext,
  type PostPrediction,
  type PostReading,
} from './post-reading.ts'
import { outerCases, beforeSplit } from './splits.ts'
import { laughs, stanceOf, unsaidByPost } from './stance.ts'

/** More prices than any real post has; later ones are ignored to limit the time. */
const MOST_LEVELS = 500
/** Levels below this are not assumed to be bitcoin's. */
const LEAST_ASSUMED_USD = 1_000

/** The same for posts about another asset's bitcoin holdings. */
const LEAST_OWNED_USD = 20_000

/** Distance from a level within which timing words are searched. */
const SAID_BEFORE = 120
const SAID_BEHIND = 60

const BELOW = /^(?!.*\b(?:stay|remain|keep|cap|stuck|hold|trad|range)).*\b(?:below|under|beneath)$/i

/** "Key levels for March: 78k, 84k, 91k". */
const KEY_LEVELS = /\b(?:key|important|major) (?:levels|zones|areas)\b|\blevels to watch\b/i
const TRADE_PLAN = /\b(?:long|short|entry|entries|stop|sl|tp\d?|invalidation|buy zone)\b/gi

type Candidate = {
  readonly prediction: PostPrediction
  readonly own: boolean
  /** "Will not reach": an alternative that the author predicts takes precedence. */
  readonly denied: boolean
  readonly near: boolean
  readonly at: number
}

type Text = {
  /** The words of the post for a span of `plain`. */
  readonly quote: (span: Span) => Quote
  readonly plain: string
  readonly sentences: readonly Sentence[]
  readonly dates: readonly DateMention[]
  readonly assets: readonly AssetMention[]
  readonly levels: readonly Level[]
  readonly deadlines: readonly DateMention[]
  /** Spans of double-quoted text. */
  readonly quoteMarks: readonly Span[]
  readonly laughs: boolean
  /** Lists past years, up to this one. */
  readonly looksBack: boolean
  /** Partly hidden, or addressed to machines. */
  readonly isSuspicious: boolean
  /** Bear and bull cases beside a base case, or beside each other. */
  readonly outer: ReadonlySet<Level>
  /** Prices from before a stock split. */
  readonly former: ReadonlySet<Level>
  readonly context: PostContext
}

/**
 * Reads what a post predicts. Pure, never throws, linear time. A field without words in the post is null.
 *
 * Of several predictions, the main one is chosen: with a deadline before without; the author's plain call before a
 * "worst case" or the crash after a peak; a level with its own deadline before one that shares it; then "I predict",
 * the latest deadline, and the first in the text.
 *
 * @see decisions.md §6, protocols.md §6, docs/decisions/0015-assistant.md
 */
export function readPost(original: string, context: PostContext): PostReading {
  const language = context.language ?? null
  if (language !== null) {
    const why = instructionsIn(original) === null ? 'language' : 'to-machines'
    return { found: false, why, language, asset: null }
  }
  const { plain, inPost } = readable(original)
  const sentences = sentencesOf(plain)
  const dates = datesIn(plain, context.posted)
  const assets = assetsIn(plain).filter((one) => !isCompared(plain, one))
  const { levels: written, refused } = levelsIn(plain, dates)
  const machine = written.length === 0 ? null : instructionsIn(original)
  const levels = written
    .slice(0, MOST_LEVELS)
    .filter((one) => machine === null || inPost(one).end <= machine.start)
  const text: Text = {
    quote: (span) => quote(original, inPost(span)),
    plain,
    sentences,
    dates,
    assets,
    levels,
    deadlines: dates.filter((one) => one.kind !== 'after'),
    quoteMarks: [...plain.matchAll(/"/g)].map(({ index }) => ({ start: index, end: index + 1 })),
    laughs: laughs(plain),
    looksBack: listsPastYears(plain, context.posted),
    isSuspicious: machine !== null,
    outer: outerCases(plain, sentences, levels),
    former: beforeSplit(sentences, levels, (one) => blotted(one.text, one.start, dates)),
    context,
  }
  const mine = assets.find((one) => one.asset !== 'other')
  const none = (why: NoPrediction): PostReading => ({
    found: false,
    why,
    language,
    asset: mine && mine.asset !== 'other' ? { key: mine.asset, quote: text.quote(mine) } : null,
  })
  const whole = unsaidByPost(plain)
  if (levels.length < written.length && levels.length === 0) return none('to-machines')
  if (levels.length === 0) return none(whole ?? refusalOf(refused) ?? 'no-level')
  if (whole !== null) return none(whole)

  const read = levels.map((level, index) => candidateOf(text, level, index))
  const found = read.filter((one) => typeof one === 'object').toSorted(better)
  const [best, ...rest] = found
  if (!best) {
    return none(read.find((one) => typeof one === 'string') ?? 'no-level')
  }
  return { found: true, prediction: best.prediction, others: rest.map((one) => one.prediction) }
}

/** The first reason that concerns a price; counts of coins or other things may stand beside one. */
function refusalOf(refused: readonly { readonly why: NoPrediction }[]): NoPrediction | undefined {
  return (refused.find(({ why }) => why !== 'coins' && why !== 'other') ?? refused[0])?.why
}

function candidateOf(text: Text, level: Level, index: number): Candidate | NoPrediction {
  const { sentences, context, dates } = text
  const at = firstEndingAfter(sentences, level.start)
  const spoken = sentences[at]
  if (!spoken) return 'no-level'
  const { plain, sentence } = withoutVow(text.plain, spoken)
  const previous = text.levels[index - 1]
  const cut = previous && previous.end > sentence.start ? previous.end : sentence.start
  const before = plain.slice(Math.max(sentence.start, level.start - 400), level.start)
  const segment = plain.slice(Math.max(cut, level.start - 400), level.start)
  const after = plain.slice(level.end, Math.min(sentence.end, level.end + 200))

  if (text.outer.has(level)) return 'alternatives'
  if (text.former.has(level)) return 'pre-split'
  const dateless = {
    segment: blotted(segment, level.start - segment.length, dates),
    after: blotted(after, level.end, dates),
  }
  const posted = context.posted?.day ?? null
  const isPast = ({ kind, by, start }: DateMention): boolean =>
    kind === 'past' || (posted !== null && by < posted && plain.startsWith('from', start))
  const hasPast = dates.some(
    (one) => one.start >= sentence.start && one.end <= sentence.end && isPast(one),
  )
  if (isOver({ ...dateless, sentence: sentence.text, hasPast })) return 'past'

  const asset = assetOf(text, level, sentence)
  if (typeof asset === 'string') return asset
  const scale = scaleOf(level, asset.key, text)
  if (scale === null) return 'no-level'
  if (asset.mention === null && level.max * scale < LEAST_ASSUMED_USD) return 'no-asset'

  const deadline = deadlineOf(text, level, sentence)
  const isPlan = (deadline === null || deadline.apart) && isTradePlan(sentence.text)
  if (isPlan || KEY_LEVELS.test(before)) return 'trade'
  if (deadline?.mention.kind === 'past') return 'past'
  const begun =
    posted !== null &&
    deadline !== null &&
    deadline.mention.begins <= posted &&
    !isByThen(plain, deadline.mention)
  if (text.looksBack && begun) return 'past'
  // A level for today may be today's price.
  const dated = deadline !== null && (posted === null || deadline.mention.by > posted)
  const answer = answerTo(spoken, sentences[at + 1])
  const plainly = fallsBy(
    text.plain,
    level,
    deadline?.mention ?? null,
    claimOf(level, dateless.segment, dateless.after),
  )
  const no = answer === 'no' ? claimOfNo(plainly.claim, segment) : null
  const quoted = no === null ? plainly : { claim: no, words: sentences[at + 1] ?? null }
  const denied = no !== null || deniedBy(segment.slice(-72)) !== null
  const next = text.levels[index + 1]
  const isAlone = cut === sentence.start && !(next && next.start < sentence.end)
  const extreme = isAlone && quoted.words !== null && isExtreme(plain, quoted.words)
  const stance = stanceOf({
    sentence,
    segment,
    before,
    after,
    dated,
    current: begun,
    denied,
    extreme,
    answered: answer === 'yes' || no !== null,
    laughs: text.laughs,
    quoted: isQuoted(text, level),
  })
  if (stance.unsaid !== null) return stance.unsaid
  if (asset.mention === null && deadline === null && !extreme) return 'no-asset'

  const terms = termsOf({
    type: quoted.claim.type,
    segment: segment.slice(-SAID_BEFORE),
    from: level.start - Math.min(segment.length, SAID_BEFORE),
    after: after.slice(0, SAID_BEHIND),
    to: level.end,
    typeWords: quoted.words,
    deadline: deadline && {
      ...deadline.mention,
      words: plain.slice(deadline.mention.start, deadline.mention.end),
    },
  })
  const timing =
    terms.timing && timingsOf(quoted.claim.type).includes(terms.timing.value) ? terms.timing : null
  const { direction } = terms
  const claim = makeClaim(quoted.claim.type, levelsOf(scaleClaim(quoted.claim, scale)), {
    ...(timing && { timing: timing.value }),
    ...(direction && { direction: direction.value }),
  })
  const cautions: Caution[] = [
    ...stance.doubts,
    ...(asset.mention === null ? (['asset-assumed'] as const) : []),
    ...(scale === 1 ? [] : (['scale-assumed'] as const)),
    ...(deadline === null ? (['no-deadline'] as const) : []),
    ...(deadline?.mention.unsure ? [deadline.mention.unsure] : []),
    ...(asset.key === 'naka' && isCompany(text.plain) ? (['namesake'] as const) : []),
    ...(text.isSuspicious ? (['to-machines'] as const) : []),
    ...(deadline?.apart === true ? (['deadline-apart'] as const) : []),
  ]
  const prediction: PostPrediction = {
    asset: asset.key,
    claim,
    from: deadline?.mention.from ?? null,
    by: deadline?.mention.by ?? null,
    quotes: {
      asset: asset.mention === null ? null : text.quote(asset.mention),
      type: text.quote(quoted.words ?? level),
      low: text.quote(level.low),
      high: text.quote(level.high),
      deadline: deadline === null ? null : text.quote(deadline.mention),
      timing: timing && text.quote(timing.words),
      direction: direction && text.quote(direction.words),
    },
    cautions,
    confidence: confidenceOf(cautions),
  }
  return {
    prediction,
    own: stance.own,
    denied,
    near: deadline !== null && !deadline.apart,
    at: level.start,
  }
}

function isByThen(plain: string, { start, end }: Span): boolean {
  return /^(?:by|before)\b/i.test(plain.slice(start, end))
}

/** "Under 60k by May": where the price will go by then, unless something says that it stays there. */
function fallsBy(
  plain: string,
  level: Level,
  deadline: Span | null,
  quoted: QuotedClaim,
): QuotedClaim {
  const { claim, words } = quoted
  const isBelow =
    claim.type === 'top' && BELOW.test(words ? plain.slice(words.start, words.end) : '')
  return isBelow && deadline !== null && isByThen(plain, deadline)
    ? { claim: { type: 'target', usd: level.min }, words }
    : quoted
}

/** "The bottom is in at", "was the top": said of a market, whether or not it is named. */
function isExtreme(plain: string, words: Span): boolean {
  return /\b(?:floor|bottom|low|holds?\b(?! (?:above|over))|top|peak|high|happen)/i.test(
    plain.slice(words.start, words.end),
  )
}

/** "Long from 91k, target 97k, stop 89k": a plan for a trade, not a prediction. */
function isTradePlan(words: string): boolean {
  const found = words.slice(0, 600).match(TRADE_PLAN) ?? []
  return new Set(found.map((word) => word.toLowerCase().slice(0, 4))).size > 1
}

/** Replaces the dates in the words with `_`. @param at their position in the post */
function blotted(words: string, at: number, dates: readonly DateMention[]): string {
  let plain = words
  for (let i = firstEndingAfter(dates, at); i < dates.length; i += 1) {
    const date = dates[i]
    if (!date || date.start >= at + words.length) break
    const [from, to] = [Math.max(0, date.start - at), Math.min(words.length, date.end - at)]
    plain = plain.slice(0, from) + '_'.repeat(to - from) + plain.slice(to)
  }
  return plain
}

function confidenceOf(cautions: readonly Caution[]): PostPrediction['confidence'] {
  if (cautions.includes('no-deadline') || cautions.includes('scale-assumed')) return 'low'
  return cautions.length === 0 ? 'high' : 'medium'
}

/** Best first; see `readPost`. */
function better(a: Candidate, b: Candidate): number {
  return (
    Number(b.prediction.by !== null) - Number(a.prediction.by !== null) ||
    Number(isAside(a)) - Number(isAside(b)) ||
    Number(a.denied) - Number(b.denied) ||
    Number(b.near) - Number(a.near) ||
    Number(b.own) - Number(a.own) ||
    (b.prediction.by ?? 0) - (a.prediction.by ?? 0) ||
    a.at - b.at
  )
}

function isAside({ prediction }: Candidate): boolean {
  return prediction.cautions.some((one) => one === 'secondary' || one === 'aftermath')
}

/** The asset of a level: the nearest name in its sentence, else the subject of preceding, then following sentences. */
function assetOf(
  text: Text,
  level: Level,
  sentence: Sentence,
): { key: AssetKey; mention: AssetMention | null } | 'other-asset' {
  const { assets, sentences } = text
  const near = nearest(text.plain, level, assets, text.levels, sentence)
  const named = near ?? subjectAround(text.plain, assets, sentences, sentence)
  if (named === null) return { key: 'btc', mention: null }
  const others = assets.filter((one) => one.asset !== 'btc')
  if (named.asset === 'btc' && !level.small) {
    const owned = isOwned(text.plain, named)
    const isLittle = level.max < (owned ? LEAST_OWNED_USD : LEAST_ASSUMED_USD)
    if (isLittle && others.length > 0) return assetOf({ ...text, assets: others }, level, sentence)
    if (owned && level.max < LEAST_ASSUMED_USD) return 'other-asset'
  }
  if (named.asset === 'naka' && isCompany(text.plain) && !/\bNAKA\b/i.test(text.plain))
    return 'other-asset'
  return named.asset === 'other' ? 'other-asset' : { key: named.asset, mention: named }
}

/** Scale of a level: 1, or 1,000 for "150-200" if that is near the price; null if it is not a level. */
function scaleOf(level: Level, asset: AssetKey, { context, levels }: Text): number | null {
  if (asset !== 'btc' || !level.small) return 1
  const price = context.bitcoinUsd ?? null
  // If another price is written in full, this one does not omit thousands: "is 18 in 2039, a coin $3,000,000".
  if (!level.short || price === null || levels.some((one) => !one.small)) return null
  return level.min * 1_000 >= price / 10 && level.max * 1_000 <= price * 20 ? 1_000 : null
}

/** The nearest date in the sentence, or one set by a neighbouring sentence ("The year is 2035."). */
function deadlineOf(text: Text, level: Level, sentence: Sentence) {
  const dates = text.deadlines
  const near = nearest(text.plain, level, dates, text.levels, sentence)
  if (near) return { mention: near, apart: isBehindAnother(near, level, text.levels) }
  const set = timeSettingFor(text.sentences, sentence, dates, text.levels, text.assets)
  return set === null ? null : { mention: set, apart: true }
}

function isBehindAnother(date: Span, level: Level, levels: readonly Level[]): boolean {
  const [from, to] = date.start < level.start ? [date.end, level.start] : [level.end, date.start]
  return levels.some((one) => one.start >= from && one.end <= to)
}

/** Whether a level is in double quotes that do not span the whole post. */
function isQuoted({ plain, quoteMarks }: Text, level: Level): boolean {
  const before = firstEndingAfter(quoteMarks, level.start)
  if (before % 2 === 0) return false
  const open = quoteMarks[before - 1]?.start ?? 0
  const close = quoteMarks[before]?.start ?? plain.length
  // "…" followed by a dash and the name of the person quoted.
  if (/^"\s*[-~]/.test(plain.slice(close, close + 8))) return true
  return close - open < plain.length * 0.8
}
