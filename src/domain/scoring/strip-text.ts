import { type Outcome } from '#domain/judging/verdict.ts'
import { showChance } from './odds-text.ts'

/** What the marks of a strip of calls mean. */
export const STRIP_WORDS: Readonly<Record<Outcome, string>> = {
  hit: 'came true',
  miss: 'missed',
  pending: 'open',
  void: 'void',
}

/** `Bitcoin at $100,000 by 31/12/2024: came true, luck said 12 %` */
export function stripMarkText(call: {
  readonly text: string
  readonly deadline: string
  readonly outcome: Outcome
  readonly luck: number
}): string {
  const { text, deadline, luck, outcome } = call
  return `${text} by ${deadline.split('-').toReversed().join('/')}: ${STRIP_WORDS[outcome]}, luck said ${showChance(luck)}`
}

/** A whole strip in words: `Calls of PlanB: 8 decided, 3 came true (luck said 12 %, 40 %, 71 %); 2 open`. */
export function stripText(
  name: string,
  calls: readonly { readonly outcome: Outcome; readonly luck: number }[],
): string {
  const decided = calls.filter(({ outcome }) => outcome !== 'pending')
  const hits = decided.filter(({ outcome }) => outcome === 'hit')
  const open = calls.length - decided.length
  const luck = hits.map((call) => showChance(call.luck)).join(', ')
  return [
    `Calls of ${name}: ${String(decided.length)} decided, ${String(hits.length)} came true`,
    luck === '' ? '' : ` (luck said ${luck})`,
    open > 0 ? `; ${String(open)} open` : '',
  ].join('')
}
