import { type Prediction } from '#domain/claim/prediction.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { showCount } from '#domain/price-text.ts'

const PARTS: readonly (readonly [Outcome, one: string, many: string])[] = [
  ['hit', 'came true', 'came true'],
  ['miss', 'missed', 'missed'],
  ['pending', 'is open', 'are open'],
  ['void', 'is void', 'are void'],
]

/**
 * What became of those on a chart: `12 Bitcoin price predictions: 5 came true, 4 missed, 3 are open`. No rate: they may have
 * been chosen by what became of them.
 */
export function drawnText(
  name: string,
  drawn: readonly Pick<Prediction, 'verdicts'>[],
  mode: JudgeMode,
): string {
  const what = `${name} price prediction${drawn.length === 1 ? '' : 's'}`
  if (drawn.length === 0) return `The ${name} price, without predictions`
  const parts = PARTS.flatMap(([outcome, one, many]) => {
    const n = drawn.filter(({ verdicts }) => verdicts[mode].outcome === outcome).length
    if (n === 0) return []
    const said = n === 1 ? one : many
    return [
      n === drawn.length ? (n === 1 ? `it ${said}` : `all ${said}`) : `${showCount(n)} ${said}`,
    ]
  })
  return `${showCount(drawn.length)} ${what}: ${parts.join(', ')}`
}
