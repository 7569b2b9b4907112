import { sentenceCase, showLevel } from '#domain/price-text.ts'
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

export function labelOf(type: PredictionType): string {
  return LABELS[claimType(type)]
}

/** The level of a claim: `$150,000`, or `$80,000 - $120,000` for a range (public-site.md §5, "Display text"). */
export function showClaim(claim: Claim): string {
  const { min, max } = levelsOf(claim)
  return claim.type === 'range' ? `${showLevel(min)} - ${showLevel(max)}` : showLevel(min)
}

const NEVER = { top: 'never above ', bottom: 'never below ' }
const BEFORE_LEVEL: Readonly<Record<Timing, Partial<Record<ClaimType, string>>>> = {
  by: { ...NEVER, 'by-date': 'above ' },
  at_end: { 'by-date': 'above ', top: 'below ', bottom: 'above ' },
  throughout: { ...NEVER, range: 'stays in ', 'by-date': 'never below ' },
}

/** The words before a level, with a space: `never above `; usually empty for a target and a range. */
export function beforeLevel(type: ClaimType, timing: Timing = timingsOf(type)[0]): string {
  return BEFORE_LEVEL[timing][type] ?? ''
}

/** The claim in words: `Never above $150,000`, `$150,000 at the end`. */
export function claimText(claim: Claim): string {
  return sentenceCase(`${levelText(claim)}${timingOf(claim) === 'at_end' ? ' at the end' : ''}`)
}

function levelText(claim: Claim): string {
  return `${beforeLevel(claim.type, timingOf(claim))}${showClaim(claim).replace(' - ', ' – ')}`
}

export const DATE_WORD: Readonly<Record<Timing, string>> = {
  by: 'by',
  at_end: 'on',
  throughout: 'until',
}

/** A claim with its date: `Never above $150,000 until 31/12/2027`, `$150,000 on 31/12/2027`. */
export function datedClaim(claim: Claim, date: string): string {
  return sentenceCase(`${levelText(claim)} ${DATE_WORD[timingOf(claim)]} ${date}`)
}
