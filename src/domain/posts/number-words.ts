const TO_NINETEEN = [
  'zero one two three four five six seven eight nine ten',
  'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
]
  .join(' ')
  .split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** A pattern of the words `wordNumber` knows, for use in a longer one. */
export const NUMBER_WORDS = `(?:(?:${TENS.join('|')})(?:[ -](?:${TO_NINETEEN.slice(1, 10).join('|')}))?|${TO_NINETEEN.slice(1).toReversed().join('|')}|an?)`

/** "five", "twenty-five", "a": 1 to 99, or null. */
export function wordNumber(words: string): number | null {
  const [first = '', second] = words.trim().toLowerCase().split(/[ -]+/)
  if (first === 'a' || first === 'an') return second === undefined ? 1 : null
  const tens = TENS.indexOf(first)
  const ones = second === undefined ? 0 : TO_NINETEEN.indexOf(second)
  if (tens >= 0) return ones >= 0 && ones < 10 ? (tens + 2) * 10 + ones : null
  const small = TO_NINETEEN.indexOf(first)
  return small > 0 && second === undefined ? small : null
}
