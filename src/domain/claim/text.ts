import { sentenceCase } from '#domain/sentence-case.ts'
import { showLevel } from '#domain/price-text.ts'
import { levelsOf, timingOf, timingsOf, type Claim, type ClaimType, type Timing } from './claim.ts'
import { claimType, type PredictionType } from './fields.ts'

const LABELS: Readonly<Record<ClaimType, string>> = {
  target: 'Target',
  range: 'Range',
  'by-date': 'Price by',
  top: 'Top',
  bottom: 'Bottom',
}

/** The label of a date line on a card: Target, Top, Bottom, Price by or Range (public-site.md §9). */
export function typeLabel(type: ClaimType): string {
  return LABELS[type]
}

/** The same for the type's name in calls. */
export function labelOf(type: PredictionType): string {
  return LABELS[claimType(type)]
}

/** The level of a claim: `$150,000`, or `$80,000 - $120,000` for a range (public-site.md §5, "Display text"). */
export function showClaim(claim: Claim): string {
  const { min, max } = levelsOf(claim)
  return claim.type === 'range' ? `${showLevel(min)} - ${showLevel(max)}` : showLevel(min)
}

const BEFORE_LEVEL: Readonly<Record<ClaimType, string>> = {
  target: '',
  range: '',
  'by-date': 'above ',
  top: 'never above ',
  bottom: 'never below ',
}

/** The words before a level, with a space: `never above `; empty for a target and a range. */
export function beforeLevel(type: ClaimType, timing: Timing = timingsOf(type)[0]): string {
  if (timing === 'at_end')
    return { top: 'below ', bottom: 'above ' }[type as string] ?? BEFORE_LEVEL[type]
  if (timing === 'by') return BEFORE_LEVEL[type]
  return { range: 'stays in ', 'by-date': 'never below ' }[type as string] ?? BEFORE_LEVEL[type]
}

/** The claim in words: `Never above $150,000`. */
export function claimText(claim: Claim): string {
  const level = showClaim(claim).replace(' - ', ' – ')
  const end = timingOf(claim) === 'at_end' ? ' at the end' : ''
  return sentenceCase(`${beforeLevel(claim.type, timingOf(claim))}${level}${end}`)
}
