/**
 * Numbers from 0 to 1 that a seed repeats. Prints the seed, so that a run that failed can be had again.
 *
 * @param setting the environment variable that names the seed
 * @returns makes a stream of its own for each name: several that run side by side do not take each other's numbers
 */
export function seededRandom(setting: string): (name: string) => () => number {
  const given = process.env[setting]
  const seed = given ?? String(Math.floor(Math.random() * 2 ** 32))
  process.stdout.write(`${setting}=${seed} makes the same choices and pauses again\n`)
  return (name) => {
    let state = digest(`${seed} ${name}`)
    // Mulberry32, https://github.com/bryc/code/blob/master/jshash/PRNGs.md
    return () => {
      state = (state + 0x6d_2b_79_f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    }
  }
}

/** FNV-1a, https://datatracker.ietf.org/doc/html/draft-eastlake-fnv */
function digest(text: string): number {
  let hash = 0x81_1c_9d_c5
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  }
  return hash
}
