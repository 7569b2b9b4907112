import { type Day } from '#domain/day.ts'
import { type Direction } from '#domain/judging/verdict.ts'
import { type Side } from './call-filter.ts'

/** What decides whether two statements of one person say the same. */
export type StatedCall = {
  readonly id: string
  readonly asset: string
  readonly direction: Direction
  readonly made: Day
  readonly window: { readonly from: Day; readonly to: Day }
  /** ln of the level that has to be reached. */
  readonly logLevel: number
  /** How far the price may be expected to move until the deadline, σ√τ; null when that is not known. */
  readonly spread: number | null
}

/**
 * Finds calls of one person that say again what an earlier one said: on the same side of the same asset, with an
 * overlapping window and a level nearer than half of what the price may be expected to move (the smaller of both). A
 * call is compared with first statements alone: small steps over years are not one statement.
 *
 * @param calls by the day they were made
 * @returns by id the first statement that a call repeats
 */
export function repeatsOf(calls: readonly StatedCall[]): ReadonlyMap<string, string> {
  const firsts = new Map<string, StatedCall[]>()
  const repeats = new Map<string, string>()
  for (const call of calls) {
    const key = `${call.asset} ${String(sideOf(call))}`
    const known = firsts.get(key) ?? []
    if (known.length === 0) firsts.set(key, known)
    const first = known.find((one) => isRepeated(one, call))
    if (first) repeats.set(call.id, first.id)
    else known.push(call)
  }
  return repeats
}

/** Whether a call is for a rising price or for a falling one; null for neither. */
export function sideOf({ direction }: Pick<StatedCall, 'direction'>): Side | null {
  switch (direction) {
    case 'up':
    case 'above':
    case 'never-below':
      return 'bull'
    case 'down':
    case 'below':
    case 'never-above':
      return 'bear'
    case 'inside':
    case 'stays':
      return null
  }
}

function isRepeated(a: StatedCall, b: StatedCall): boolean {
  if (a.window.from > b.window.to || b.window.from > a.window.to) return false
  const apart = Math.abs(a.logLevel - b.logLevel)
  return apart === 0 || apart < Math.min(a.spread ?? 0, b.spread ?? 0) / 2
}
