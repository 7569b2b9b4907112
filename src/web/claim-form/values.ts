import { formFieldOf, levelTexts } from '#domain/claim/claim-input.ts'
import {
  isFault,
  LEVEL_FIELDS,
  levelsAt,
  type ClaimFields,
  type Levels,
  type PredictionType,
} from '#domain/claim/fields.ts'
import { readNumber, readWrittenClaim } from '#domain/claim/written.ts'
import { showLevel } from '#domain/price-text.ts'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import { MESSAGES } from '#domain/submission.ts'

const CLAIM_FIELDS = [
  'prediction_type',
  'price_prediction',
  ...LEVEL_FIELDS,
  'timing',
  'direction',
] as const

/** Levels of a stored claim as form texts; empty if invalid. */
export function levelValues(fields: ClaimFields): Levels<string> {
  const claim = readWrittenClaim(fields)
  return isFault(claim) ? levelsAt(() => '') : levelTexts(claim)
}

/** Values that differ from the stored ones. */
export function changedIn<Values extends object>(stored: Values, values: Partial<Values>) {
  const before = new Map<string, unknown>(Object.entries(stored))
  // Compares as JSON, because values may be arrays.
  const isSame = (one: unknown, other: unknown): boolean =>
    one === other || JSON.stringify(one) === JSON.stringify(other)
  const changed = Object.entries(values).filter(
    ([field, value]) => !isSame(value, before.get(field)),
  )
  return Object.fromEntries(changed) as Partial<Values>
}

export function hasClaim(fields: Iterable<string>): boolean {
  return [...fields].some((field) => CLAIM_FIELDS.some((one) => one === field))
}

/** Adds all claim fields if any is included, since a partially applied claim would be meaningless. */
export function withClaim(fields: Iterable<string>): ReadonlySet<string> {
  const all = new Set(fields)
  return hasClaim(all) ? new Set([...all, ...CLAIM_FIELDS]) : all
}

/** Picks some fields, or omits them. */
export function onlyFields<Values extends object>(
  values: Values,
  isIncluded: (field: string) => boolean,
): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([field]) => isIncluded(field)),
  ) as Partial<Values>
}

/** `read as $100,000`, so that a misread separator is noticed; null for invalid numbers. */
export function levelHint(text: string): string | null {
  const usd = readNumber(text)
  return usd === null ? null : `read as ${showLevel(usd)}`
}

/** Maps a call's field messages to form fields; if two share a field, the first wins. */
export function faultsAt(
  faults: Readonly<Record<string, string>>,
  type: PredictionType,
): Readonly<Record<string, string>> {
  const placed = Object.entries(faults).map(([field, text]) => [formFieldOf(field, type), text])
  return Object.fromEntries(placed.toReversed())
}

/** What a field holds after input: a secret key is not stored, and the field keeps its value. */
export function storable(name: string, typed: string, before: string): string {
  if (!holdsSecretKey(typed)) return typed
  return name === 'nostr_npub' || holdsSecretKey(before) ? '' : before
}

/** Refuses secret keys among typed values. */
export function secretFaults(typed: Readonly<Record<string, unknown>>) {
  const secrets = Object.entries(typed).filter(
    ([, value]) => typeof value === 'string' && holdsSecretKey(value),
  )
  return Object.fromEntries(secrets.map(([name]) => [name, MESSAGES.secretKey]))
}
