import { ASSETS } from '#domain/asset.ts'
import { showDay } from '#domain/day.ts'
import { isolatedName } from '#domain/people/name.ts'
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
 * What was said, about which asset: `Bitcoin at $25,000 by the end of 2018`. When the price was there already, the last
 * close decides; with the word `by` a reader would not understand a miss.
 */
export function statementText(prediction: Drawn): string {
  const { said, by, byPrecision, verdicts } = prediction
  const { name } = ASSETS[prediction.asset]
  const level = showClaim(said)
  const end = `${byPrecision === 'day' ? '' : 'the end of '}${showDay(by, byPrecision)}`
  const until =
    verdicts.touch.direction === 'inside'
      ? `at the end of ${showDay(by, byPrecision)}`
      : `by ${end}`
  switch (said.type) {
    case 'target':
      return `${name} at ${level} by ${end}`
    case 'range':
      return `${name} between ${level.replace(' - ', ' and ')} ${until}`
    case 'by-date':
      return `${name} above ${level} ${until}`
    case 'top':
      return `${name} never above ${level} until ${end}`
    case 'bottom':
      return `${name} never below ${level} until ${end}`
  }
}

/** The headline of a prediction: `Tom Lee: Bitcoin at $25,000 by the end of 2018`. */
export function headline(prediction: Drawn): string {
  return `${isolatedName(expertName(prediction))}: ${statementText(prediction)}`
}
