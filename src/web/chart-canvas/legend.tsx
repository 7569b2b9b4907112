import { OUTCOME_WORDS, type Mark } from '#chart/marks.ts'
import { type MedianTarget } from '#chart/open-targets.ts'
import { type RangePicture } from '#chart/ranges.ts'
import { plural } from '#domain/day.ts'
import { OUTCOMES, type Outcome } from '#domain/judging/verdict.ts'
import { Row } from '#web/ui/primitives.tsx'
import { VerdictSign } from '#web/ui/verdict-badge.tsx'

/** Outcomes of the drawn marks; without marks, all except void. */
export function drawnOutcomes(marks: readonly Pick<Mark, 'outcome'>[]): readonly Outcome[] {
  const drawn = new Set(marks.map(({ outcome }) => outcome))
  return OUTCOMES.filter((one) => (drawn.size === 0 ? one !== 'void' : drawn.has(one)))
}

export function Legend({
  marks,
  count,
  seen,
  median,
  ranges,
}: {
  readonly marks: readonly Mark[]
  readonly count: number
  /** Number of marks in view; null before the first scene. */
  readonly seen: number | null
  readonly median: MedianTarget | null
  readonly ranges: RangePicture | null
}) {
  return (
    <Row gap={4} tight justify="between" className="price-chart-legend muted">
      <Row as="ul" gap={4} tight aria-label="Signs on the chart">
        {drawnOutcomes(marks).map((outcome) => (
          <li key={outcome} className="outcome" data-outcome={outcome}>
            <VerdictSign outcome={outcome} /> {OUTCOME_WORDS[outcome]}
          </li>
        ))}
      </Row>
      <p className="by-script">
        {drawnText(count, seen)}
        {median && ` · ${median.label} (${String(median.count)} pending)`}
        {ranges && rangesText(ranges)}
      </p>
    </Row>
  )
}

/** Legend for bars and the shaded area, with the number of days in view without them. */
function rangesText({ kind, known }: RangePicture): string {
  if (!known || known.days === 0) return ''
  const { ranged, days } = known
  if (ranged === 0) return ' · only closes are known for these days'
  const what = kind === 'areas' ? 'shaded from low to high' : 'bars from low to high'
  if (ranged === days) return ` · ${what} of each day`
  return ` · ${what} on ${String(ranged)} of ${String(days)} days, only closes are known for the others`
}

export function drawnText(count: number, seen: number | null): string {
  if (count === 0) return 'No predictions drawn'
  if (seen !== null && seen < count)
    return `${String(seen)} of ${String(count)} drawn predictions in view`
  return `${plural(count, 'prediction')} ${seen === null ? 'to draw' : 'drawn'}`
}
