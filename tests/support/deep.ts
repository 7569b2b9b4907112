/** Whether `npm test -- deep` runs: more rounds, and the files of `tests/deep` and `e2e/deep`. */
const DEEP = process.env['DEEP'] === '1'

/** How often a property or a kill round is repeated: `few` in `npm test`, `many` in `npm test -- deep`. */
export function rounds(few: number, many: number): number {
  return DEEP ? many : few
}
