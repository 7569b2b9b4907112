import { randomOf } from '#domain/scoring/replay.ts'

/**
 * Numbers from 0 to 1 that a seed repeats. Prints the seed, so that a run that failed can be had again.
 *
 * @param setting the environment variable that names the seed
 * @returns makes a stream of its own for each name: several that run side by side do not take each other's numbers
 */
export function seededRandom(setting: string): (name: string) => () => number {
  const input = process.env[setting]
  const seed = input ?? String(Math.floor(Math.random() * 2 ** 32))
  process.stdout.write(`${setting}=${seed} makes the same choices and pauses again\n`)
  return (name) => randomOf(`${seed} ${name}`)
}
