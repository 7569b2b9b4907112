import { DIRECTIONS, timingsOf } from '#domain/claim/claim.ts'
import { claimType } from '#domain/claim/fields.ts'
import { addDays, day, isoDay } from '#domain/day.ts'
import { randomOf } from '#domain/scoring/replay.ts'
import { entry } from './builders.ts'

const KINDS = ['target', 'target', 'target', 'range', 'pricetimerange', 'top', 'bottom'] as const

/** The days of a large record, for which `walk` has prices. */
const FIRST = day('2014-06-01')
const DAYS = 3_650

/**
 * Entries of an import file: so many Bitcoin predictions by a twentieth as many people, the same each time.
 *
 * @param name prefix of their ids
 */
export function manyEntries(count: number, name = 'many'): object[] {
  const random = randomOf(name)
  const upTo = (most: number) => Math.floor(random() * most)
  const people = Math.max(3, Math.round(count / 20))
  return Array.from({ length: count }, (_, n) => {
    const made = addDays(FIRST, upTo(DAYS))
    const usd = 1_000 * (1 + upTo(300))
    const prediction_type = KINDS[upTo(KINDS.length)] ?? 'target'
    const isLeast = prediction_type === 'pricetimerange' || prediction_type === 'bottom'
    return entry(`${name}-${String(n)}`, {
      // Some people make many more predictions than others.
      expert_name: `Expert ${String(1 + Math.floor(people * random() ** 2))}`,
      prediction_type,
      ...(n % 5 === 0 && { timing: timingsOf(claimType(prediction_type)).at(-1) }),
      ...(n % 7 === 0 && { direction: DIRECTIONS[n % 2] }),
      ...(n % 11 === 0 && { made_precision: 'month' }),
      price_target: prediction_type === 'target' ? usd : null,
      price_min: prediction_type === 'range' || isLeast ? usd : null,
      price_max: prediction_type === 'range' ? usd * 1.2 : prediction_type === 'top' ? usd : null,
      prediction_made: isoDay(made),
      target_time: isoDay(addDays(made, 30 + upTo(1_500))),
      summary: `Said so for the ${String(n)}th time.`,
      source_url: `https://example.org/${name}/${String(n)}`,
    })
  })
}

/** Closes of all those days, as a price file. */
export function walk(): string {
  const random = randomOf('walk')
  let usd = 1_000
  const rows = Array.from({ length: DAYS }, (_, n) => {
    usd = Math.min(150_000, Math.max(500, usd * (1 + (random() - 0.47) * 0.05)))
    return `${isoDay(addDays(FIRST, n))},${usd.toFixed(2)}`
  })
  return `date,close\n${rows.join('\n')}\n`
}
