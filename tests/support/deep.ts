import { randomOf } from '#domain/scoring/replay.ts'

/** Whether `npm test -- deep` runs: more rounds, and the files of `tests/deep` and `e2e/deep`. */
const DEEP = process.env['DEEP'] === '1'

/** How often a property or a kill round is repeated: `few` in `npm test`, `many` in `npm test -- deep`. */
export function rounds(few: number, many: number): number {
  return DEEP ? many : few
}

/**
 * Numbers from 0 to 1, repeatable by a seed. Prints the seed to reproduce a failed run.
 *
 * @param setting the environment variable of the seed
 * @returns makes a separate stream for each name, so that parallel runs do not affect each other
 */
export function seededRandom(setting: string): (name: string) => () => number {
  const input = process.env[setting]
  const seed = input ?? String(Math.floor(Math.random() * 2 ** 32))
  process.stdout.write(`${setting}=${seed} makes the same choices and pauses again\n`)
  return (name) => randomOf(`${seed} ${name}`)
}
