import { ASSETS } from '#domain/asset.ts'
import { showDay } from '#domain/day.ts'
import { isolatedName } from '#domain/people/name.ts'
import { decidesAtEnd } from '#domain/judging/verdict.ts'
import { timingOf } from './claim.ts'
import { type Drawn } from './prediction.ts'
import { showClaim, typeLabel } from './text.ts'

/** Shown for a prediction without a name (public-site.md §8). */
const UNKNOWN = 'Unknown'

export function expertName({ expert }: Drawn): string {
  return expert.name.trim() === '' ? UNKNOWN : expert.name
}

/** `Target 31/12/2026`; the label says the type of the prediction. */
export function dateLine(prediction: Drawn): { label: string; date: string } {
  return {
    label: typeLabel(prediction.said.type),
    date: showDay(prediction.by, prediction.byPrecision),
  }
}

export function madeText({ made, madePrecision }: Drawn): string {
  return `Made ${showDay(made, madePrecision)}`
}

/**
 * What was said, about which asset: `Bitcoin at $25,000 by the end of 2018`. Where the last close decides it says so: with
 * the word `by` a reader would not understand a miss.
 */
export function statementText(prediction: Drawn): string {
  const { said, by, byPrecision, verdicts } = prediction
  const { name } = ASSETS[prediction.asset]
  const day = showDay(by, byPrecision)
  const end = `${byPrecision === 'day' ? '' : 'the end of '}${day}`
  const until = decidesAtEnd(verdicts.touch.direction) ? `at the end of ${day}` : `by ${end}`
  const level = showClaim(said).replace(' - ', ' and ')
  const isWhole = timingOf(said) === 'throughout'
  switch (said.type) {
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
