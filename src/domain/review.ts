import { splitNote } from '#domain/claim/prediction.ts'
import {
  readLevel,
  editedLevels,
  namesLevel,
  fieldsOfLevels,
  LEVEL_MESSAGES,
} from './claim/claim-input.ts'
import { levelsOf, timingOf, type Claim } from './claim/claim.ts'
import { isFault, readClaim, type PredictionType, NO_LEVELS, levelsAt } from './claim/fields.ts'
import { type Prediction } from './claim/prediction.ts'
import { showClaim } from './claim/text.ts'
import { readPrice } from './claim/written.ts'
import { addDays, dayOfTime, isoDay, showDay, type Day, readDayInput } from './day.ts'
import { sideText } from './judging/verdict-text.ts'
import { goalOf, mustHold, type Verdict } from './judging/verdict.ts'
import { slugOf } from './people/name.ts'
import { showUsd } from './price-text.ts'
import { MESSAGES, type Submission, type SubmissionFields } from './submission.ts'

/** An administrator's changes to a submission: absent fields stay, null and empty clear. */
export type SubmissionChange = SubmissionFields & { readonly email?: string | null | undefined }

/**
 * Merges an edit into a submission, to be validated by `readSubmission`. A range keeps a level that is not given; other
 * types have one level, which is replaced. If only the display text changes, the level is parsed from it.
 */
export function mergeChange(stored: SubmissionFields, change: SubmissionChange) {
  const { email, ...rest } = change
  const changed = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  ) as SubmissionFields
  // A given day is exact unless its precision is given, too.
  const precision = changed.prediction_made === undefined ? stored.made_precision : null
  const type = changed.prediction_type ?? stored.prediction_type ?? 'target'
  const levels = mergeLevels(stored, changed, type)
  return {
    fields: {
      ...stored,
      ...changed,
      made_precision: changed.made_precision ?? precision,
      ...(email === undefined || changed.submitter_email !== undefined
        ? {}
        : { submitter_email: email }),
      asset_type: changed.asset_type ?? stored.asset_type,
      prediction_type: type,
      // Changing the type resets the timing.
      timing: changed.timing ?? (type === stored.prediction_type ? stored.timing : null),
      ...(levels ?? NO_LEVELS),
      price_prediction: null,
    },
    faults: levels ? {} : { price_prediction: LEVEL_MESSAGES.number },
  }
}

/** @returns null if the new display text contains no price */
function mergeLevels(stored: SubmissionFields, changed: SubmissionFields, type: PredictionType) {
  const before = stored.prediction_type ?? 'target'
  const levels = levelsAt((field) => readLevel(stored[field]))
  if (namesLevel(changed)) return editedLevels(type, type === before ? levels : null, changed)
  const text = String(changed.price_prediction ?? '').trim()
  if (text !== '' && text !== stored.price_prediction) {
    const price = readPrice(text)
    return price && fieldsOfLevels(type, price)
  }
  if (type === before) return levels
  const claim = readClaim({ prediction_type: before, ...levels })
  if (isFault(claim) || claim.type === 'range') return NO_LEVELS
  return fieldsOfLevels(type, { min: claim.usd, max: NaN })
}

const MOST_WORDS = 8
const LONGEST_WORD = 60

/**
 * The words of a search as prefixes, without case, accents and signs; a number typed with separators also matches
 * without them.
 *
 * @returns for PostgreSQL's `to_tsquery`; null if nothing is left to search for
 */
export function searchWords(text: string): string | null {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => `'${word.slice(0, LONGEST_WORD)}':*`)
  // Each word once, as PostgreSQL would look up a repeated one again.
  return words.length === 0 ? null : [...new Set(words)].slice(0, MOST_WORDS).join(' & ')
}

/** A readable id for a prediction: `jane-doe-150000-2027`, with the asset if it is not Bitcoin. */
export function predictionIdOf(
  submission: Pick<Submission, 'expertName' | 'asset' | 'claim' | 'by'>,
): string {
  const { expertName, asset, claim, by } = submission
  const { min, max } = levelsOf(claim)
  const levels = [...new Set([min, max])].map((usd) => String(usd).replace('.', '-'))
  const person = slugOf(expertName).slice(0, 60)
  const year = isoDay(by).slice(0, 4)
  return [person, ...(asset === 'btc' ? [] : [asset]), ...levels, year].join('-')
}

/** UTC−12 and UTC+14. */
const FURTHEST_WEST_MS = 12 * 3_600_000
const FURTHEST_EAST_MS = 14 * 3_600_000

/**
 * The first day that counts, if really stated. The approval form offers today as a default, which says nothing about the
 * prediction: stored, it would cut the days between statement and approval from the window. Scripts may send today's
 * date in any time zone.
 *
 * @param now in milliseconds since 1970
 * @returns null for the default window, which begins on the day after the prediction was made
 */
export function namedStart(start: Day | null, made: Day, now: number): Day | null {
  if (start === null) return null
  const isToday =
    start >= dayOfTime(now - FURTHEST_WEST_MS) && start <= dayOfTime(now + FURTHEST_EAST_MS)
  if (isToday) return null
  return start > addDays(made, 1) ? start : null
}

/** Reads an optional day. @returns null if empty, a message if invalid */
export function readOptionalDay(text: string | null | undefined): Day | null | string {
  const trimmed = (text ?? '').trim()
  if (trimmed === '') return null
  return readDayInput(trimmed) ?? MESSAGES.date
}

export type ReviewWarning = {
  readonly code:
    | 'already-true'
    | 'already-broken'
    | 'window-over'
    | 'no-reference'
    | 'split'
    | 'start-shortens'
  readonly message: string
}

export function reviewWarnings(prediction: Prediction, today: Day): ReviewWarning[] {
  const { touch } = prediction.verdicts
  const { made, by, claim } = prediction
  const level = showClaim(claim)
  const reference = touch.reference ? showUsd(touch.reference.usd) : ''
  const split = splitNote(prediction)
  const warnings: (ReviewWarning | false)[] = [
    isAlreadyTrue(touch, claim) && {
      code: 'already-true',
      message: `At ${reference} it was already true when it was said: it will be published as void (already true).`,
    },
    isAlreadyBroken(touch, claim) && {
      code: 'already-broken',
      message: `The price was at ${reference}, ${sideText(touch)} ${level}, when this was said: it will be published as void (already broken).`,
    },
    by < today && {
      code: 'window-over',
      message: `Its window ended on ${showDay(by)}: it will be published together with its outcome.`,
    },
    touch.reference === null && {
      code: 'no-reference',
      message: `We have no price up to ${showDay(made)}, so we assume the level was above the price.`,
    },
    split !== null && {
      code: 'split',
      message: `It was said before a split: ${split}. Please check that the level is the one that was said.`,
    },
    prediction.from !== null && {
      code: 'start-shortens',
      message: `The start date leaves out the days from ${showDay(addDays(made, 1))} to ${showDay(addDays(prediction.from, -1))}: a price of those days will not count.`,
    },
  ]
  return warnings.filter((one) => one !== false)
}

export function isAlreadyTrue({ reason, reference }: Verdict, claim: Claim): boolean {
  if (reason === 'already-true') return true
  return claim.type === 'target' && timingOf(claim) === 'by' && reference?.usd === claim.usd
}

export function isAlreadyBroken({ reason, reference, direction }: Verdict, claim: Claim): boolean {
  if (reason === 'already-broken') return true
  const { min, max } = goalOf(direction, levelsOf(claim))
  return mustHold(direction) && reference !== null && (reference.usd < min || reference.usd > max)
}

export const REJECTION_REASONS = [
  'Spam or advertising',
  'No checkable price or date',
  'Not said by this person',
  'The source does not show it',
  'Already on record',
  'A test',
] as const
export type RejectionReason = (typeof REJECTION_REASONS)[number]

/** The known reason at the start of an administrator's words; null for free text, which may name people. */
export function rejectionReason(words: string): RejectionReason | null {
  const folded = words.trim().toLowerCase()
  return (
    REJECTION_REASONS.find((reason) => {
      const known = reason.toLowerCase()
      // More words may follow, but not a longer word.
      return folded.startsWith(known) && !/^[\p{L}\p{N}]/u.test(folded.slice(known.length))
    }) ?? null
  )
}
