import {
  isFault,
  LEVEL_FIELDS,
  levelsAt,
  readClaim,
  type ClaimFields,
  type Levels,
  type PredictionType,
} from '#domain/claim/fields.ts'
import { formFieldOf, levelTexts } from '#domain/claim/given.ts'
import { readNumber, showLevel } from '#domain/price-text.ts'

/** The fields that say the claim together. */
const CLAIM_FIELDS = [
  'prediction_type',
  'price_prediction',
  ...LEVEL_FIELDS,
  'timing',
  'direction',
] as const

/** The levels of a stored claim as the texts of a form; empty where they cannot be read. */
export function levelValues(fields: ClaimFields): Levels<string> {
  const claim = readClaim(fields)
  return isFault(claim) ? levelsAt(() => '') : levelTexts(claim)
}

/** Fields that differ from the stored ones; a reverted field is no change. */
export function changedIn<Values extends object>(
  stored: Values,
  values: Partial<Values>,
): Partial<Values> {
  const before = new Map<string, unknown>(Object.entries(stored))
  // As JSON, for the lists that a form holds.
  const isSame = (one: unknown, other: unknown): boolean =>
    one === other || JSON.stringify(one) === JSON.stringify(other)
  const changed = Object.entries(values).filter(
    ([field, value]) => !isSame(value, before.get(field)),
  )
  return Object.fromEntries(changed) as Partial<Values>
}

/** Whether any of these fields says the level. */
export function hasClaim(fields: Iterable<string>): boolean {
  return [...fields].some((field) => CLAIM_FIELDS.some((one) => one === field))
}

/** These fields, with all that say the level where one of them does: half of one level and half of another say neither. */
export function withClaim(fields: Iterable<string>): ReadonlySet<string> {
  const all = new Set(fields)
  return hasClaim(all) ? new Set([...all, ...CLAIM_FIELDS]) : all
}

/** The values of some fields, or of all others. */
export function onlyFields<Values extends object>(
  values: Values,
  isWanted: (field: string) => boolean,
): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([field]) => isWanted(field)),
  ) as Partial<Values>
}

/** `read as $100,000`, so that a misread separator is seen; null while it is no number. */
export function levelHint(text: string): string | null {
  const usd = readNumber(text)
  return usd === null ? null : `read as ${showLevel(usd)}`
}

/** Messages by field of a call, at the fields of a form; where two are one there, the first. */
export function faultsAt(
  faults: Readonly<Record<string, string>>,
  type: PredictionType,
): Readonly<Record<string, string>> {
  const placed = Object.entries(faults).map(([field, text]) => [formFieldOf(field, type), text])
  return Object.fromEntries(placed.toReversed())
}
