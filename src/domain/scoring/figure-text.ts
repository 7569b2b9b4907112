import { showCount } from '#domain/price-text.ts'
import { type Band } from './band.ts'
import { type Undated } from './person-score.ts'

export function showShare(share: number): string {
  return `${String(Math.round(100 * share))} %`
}

/** `1.7`, of a logarithm of odds. */
export function showOdds(log: number): string {
  return Math.exp(log).toFixed(1)
}

/** `6 of 9 came true` */
export function cameTrueText({ hits, n }: { readonly hits: number; readonly n: number }): string {
  return n === 0 ? 'None decided yet' : `${showCount(hits)} of ${showCount(n)} came true`
}

/** Whether somebody can be told from luck; null with too few decided calls. */
export function bandText(band: Band | null): string {
  switch (band) {
    case 'above':
      return 'better than luck'
    case 'below':
      return 'worse than luck'
    case 'unclear':
      return 'cannot be told from luck'
    case null:
      return 'too few decided calls'
  }
}

/** `20 of 100 replays`. @param p the chance that luck does as well */
export function asWellText(p: number): string {
  const times = Math.round(100 * p)
  return times < 1 ? 'fewer than 1 of 100 replays' : `${String(times)} of 100 replays`
}

/** `1.4 to 3.5, as 5 of the calls are dated to a month or year only`; null where all days are known. */
export function undatedText({ calls, low, high }: Undated): string | null {
  const [least, most] = [low.toFixed(1), high.toFixed(1)]
  if (calls === 0 || least === most) return null
  const some = calls === 1 ? 'one of the calls is' : `${showCount(calls)} of the calls are`
  return `${least} to ${most}, as ${some} dated to a month or year only`
}

/** `6 of 9 came true, luck expects 4.1` */
export function againstLuckText({
  calls,
  hits,
  expected,
}: {
  readonly calls: number
  readonly hits: number
  readonly expected: number
}): string {
  if (calls === 0) return 'No call to compare yet'
  return `${cameTrueText({ hits, n: calls })}, luck expects ${expected.toFixed(1)}`
}
