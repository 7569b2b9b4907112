import { table } from './table.mjs'

/** What stands before the line that `bench/all.mjs` reads aims from. */
export const AIMS_MARK = 'aims: '

/**
 * Prints which aims a bench met; `npm run bench` gathers those of all benches in one table.
 *
 * @param {readonly (readonly [aim: string, measured: number, is: 'at least' | 'at most', limit: number])[]} rows
 */
export function aims(rows) {
  const read = rows.map(([aim, measured, is, limit]) => ({
    aim,
    measured,
    wanted: `${is} ${limit}`,
    // What is measured to three digits is compared to three.
    met: is === 'at least' ? measured >= limit * 0.995 : measured <= limit * 1.005,
  }))
  table('Aims', [
    ['aim', 'measured', 'wanted', 'met'],
    ...read.map(({ aim, measured, wanted, met }) => [aim, short(measured), wanted, metWord(met)]),
  ])
  if (process.env.BENCH_AIMS === 'on') console.log(AIMS_MARK + JSON.stringify(read))
}

/** @param {number} value */
export function short(value) {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}

/** @param {boolean} met */
export function metWord(met) {
  return met ? 'yes' : 'NO'
}
