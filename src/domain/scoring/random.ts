/**
 * Numbers from 0 to below 1 that a seed repeats.
 *
 * @see Mulberry32, https://github.com/bryc/code/blob/master/jshash/PRNGs.md
 */
export function randomOf(seed: string): () => number {
  let state = digest(seed)
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
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
