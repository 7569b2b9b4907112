import { type Outcome } from '#domain/judging/verdict.ts'
import { type Theme } from './theme.ts'

/** From bottom to top: decided predictions are drawn above open ones. */
export const OUTCOME_ORDER: readonly Outcome[] = ['void', 'pending', 'miss', 'hit']

/** The colour of an outcome; a void prediction is grey, as it does not count. */
export function outcomeColour(theme: Theme, outcome: Outcome): string {
  return theme[outcome === 'void' ? 'ink2' : outcome]
}
