import { type AssetKey, ASSETS } from '#domain/asset.ts'
import { type DatePrecision, type Day, endOfPrecision, showDay } from '#domain/day.ts'
import { type Verdict, decidesAtEnd } from '#domain/judging/verdict.ts'
import { isolatedName } from '#domain/people/name.ts'
import { type Odds } from '#domain/scoring/touch.ts'
import { type Claim, timingOf } from './claim.ts'
import { type Source } from './source.ts'
import { showClaim, typeLabel } from './text.ts'

/** Everything that decides a prediction; not its author or sources. */
export type Statement = {
  readonly asset: AssetKey
  /** Levels to compare with prices, adjusted for later splits. */
  readonly claim: Claim
  readonly made: Day
  /** Precision of `made`, which is a placeholder for a month or year. Default: day. */
  readonly madePrecision?: DatePrecision
  /** The first day that counts, if stated; null means the day after it was made. */
  readonly from: Day | null
  readonly by: Day
}

/** A statement with its date and sources, as stored on the public record. */
export type Recorded = Required<Omit<Statement, 'claim'>> & {
  /** Levels as stated, not adjusted for splits. */
  readonly statedClaim: Claim
  readonly byPrecision: DatePrecision
  readonly deadlineAssumed: boolean
  readonly summary: string
  readonly sources: readonly Source[]
}

/** A published prediction with its verdicts, as pages and charts use it. */
export type Prediction = Statement &
  Recorded & {
    readonly id: string
    readonly expert: {
      readonly id: number
      readonly name: string
      readonly slug: string
      readonly handle: string | null
    }
    /** Today's units per unit of that day: 10 for a level stated before a ten-for-one split, otherwise 1. */
    readonly splitFactor: number
    readonly voteScore: number
    /** The id of the first statement of the same thesis; only that one is scored. */
    readonly repeats?: string | null
    readonly createdAt: string
    /** A level an administrator chose for drawing only, USD; null draws the claim itself. */
    readonly chartValue: number | null
    readonly excludeFromChart: boolean
    readonly verdicts: { readonly touch: Verdict; readonly close: Verdict }
    readonly odds?: { readonly touch: Odds; readonly close: Odds } | undefined
  }

/** A prediction without texts, sources and evidence: enough to draw it. */
export type Drawn = Omit<
  Prediction,
  'summary' | 'sources' | 'createdAt' | 'voteScore' | 'repeats' | 'odds' | 'expert' | 'verdicts'
> & {
  readonly expert: Omit<Prediction['expert'], 'id'>
  readonly verdicts: { readonly touch: DrawnVerdict; readonly close: DrawnVerdict }
}

export type DrawnVerdict = Pick<Verdict, 'outcome' | 'reason' | 'day' | 'direction' | 'level'> & {
  readonly bar: { readonly close: number } | null
}

/** The day to draw the deadline at: the end of its known period; an assumed deadline is exact. */
export function dueDay({
  by,
  byPrecision,
  deadlineAssumed,
}: Pick<Prediction, 'by' | 'byPrecision' | 'deadlineAssumed'>): Day {
  return deadlineAssumed ? by : endOfPrecision(by, byPrecision)
}

/** Shown for a prediction without a name (public-site.md §8). */
const UNKNOWN = 'Unknown'

export function expertName({ expert }: Drawn): string {
  return expert.name.trim() === '' ? UNKNOWN : expert.name
}

/** `Target 31/12/2026`; the label depends on the prediction's type. */
export function dateLine(prediction: Drawn): { label: string; date: string } {
  return {
    label: typeLabel(prediction.statedClaim.type),
    date: showDay(prediction.by, prediction.byPrecision),
  }
}

export function madeText({ made, madePrecision }: Drawn): string {
  return `Made ${showDay(made, madePrecision)}`
}

/**
 * The claim with its asset: `Bitcoin at $25,000 by the end of 2018`. Claims decided by the last close say so, because
 * `by` would make a miss hard to understand.
 */
export function statementText(prediction: Drawn): string {
  const { statedClaim, by, byPrecision, verdicts } = prediction
  const { name } = ASSETS[prediction.asset]
  const day = showDay(by, byPrecision)
  const end = `${byPrecision === 'day' ? '' : 'the end of '}${day}`
  const until = decidesAtEnd(verdicts.touch.direction) ? `at the end of ${day}` : `by ${end}`
  const level = showClaim(statedClaim).replace(' - ', ' and ')
  const isWhole = timingOf(statedClaim) === 'throughout'
  switch (statedClaim.type) {
    case 'target':
      return `${name} at ${level} ${until}`
    case 'range':
      return `${name} ${isWhole ? 'staying ' : ''}between ${level} ${isWhole ? `until ${end}` : until}`
    case 'top':
      return isWhole
        ? `${name} never above ${level} until ${end}`
        : `${name} below ${level} ${until}`
    case 'by-date':
    case 'bottom':
      return isWhole
        ? `${name} never below ${level} until ${end}`
        : `${name} above ${level} ${until}`
  }
}

/** The headline of a prediction: `Tom Lee: Bitcoin at $25,000 by the end of 2018`. */
export function headline(prediction: Drawn): string {
  return `${isolatedName(expertName(prediction))}: ${statementText(prediction)}`
}

export const PUBLIC_TEXT_KINDS = ['summary', 'said'] as const
export type PublicTextKind = (typeof PUBLIC_TEXT_KINDS)[number]

export type PublicText =
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'said'; readonly text: string; readonly speaker: string }

export const PUBLIC_TEXT_HEADINGS: Readonly<Record<PublicTextKind | 'none', string>> = {
  summary: 'Our summary',
  said: 'As it was said',
  none: 'Where it was said',
}

export const LONGEST_PUBLIC_TEXT: Readonly<Record<PublicTextKind, number>> = {
  summary: 2_000,
  said: 400,
}

export function writePublicText(parts: PublicText): string {
  const text = parts.text.trim()
  if (text === '' || parts.kind === 'summary') return text
  const words = text.replace(/^[“”„"«»]+\s*/, '').replace(/\s*[“”„"«»]+$/, '')
  return `“${words.replaceAll(/[“„]/g, '‘').replaceAll('”', '’')}” – ${parts.speaker}`
}

export function readPublicText(stored: string): PublicText | null {
  if (stored === '') return null
  const [, text, speaker] = /^“([^“”]+)” – ([^\n]+)$/.exec(stored) ?? []
  return text === undefined || speaker === undefined
    ? { kind: 'summary', text: stored }
    : { kind: 'said', text, speaker }
}

/** A level from before a split in today's units: `said $1,800 = $180 today`; null if there was no split. */
export function splitNote(prediction: Drawn): string | null {
  return prediction.splitFactor === 1
    ? null
    : `said ${showClaim(prediction.statedClaim)} = ${showClaim(prediction.claim)} today`
}
