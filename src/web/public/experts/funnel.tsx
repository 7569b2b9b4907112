import { type Board, type BoardRow } from '#contracts/board.ts'
import { expertPath } from '#web/address/addresses.ts'
import { classNames, Text } from '#web/ui/primitives.tsx'
import css from './experts.module.css'

/** Standard deviations that cover luck in 95% and 99.8% of cases. */
const LIMITS = [
  { of: '95%', z: 1.96 },
  { of: '99.8%', z: 3.09 },
] as const
const STEPS = 60
/** Margin for axis titles, as a percentage of the picture. */
const LEFT = 7
const BOTTOM = 8

export function Funnel({ board }: { readonly board: Board }) {
  const people = [...board.ranked, ...board.others].filter(
    ({ against_luck: { calls } }) => calls > 0,
  )
  if (people.length === 0)
    return <Text tone="quiet">There is no call to compare with luck yet.</Text>
  const scale = scaleOf(people)
  return (
    <div className={css.funnel}>
      <svg
        className="overflows"
        width="100%"
        height="100%"
        role="group"
        aria-label="Hits beyond luck by number of calls"
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {LIMITS.flatMap(({ z }) => [curve(scale, z), curve(scale, -z)]).map((path) => (
            <path
              key={path}
              fill="none"
              stroke="var(--edge)"
              strokeDasharray="4 4"
              vectorEffect="non-scaling-stroke"
              d={path}
            />
          ))}
          <path
            fill="none"
            stroke="var(--hairline)"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
            d={`M${String(LEFT)} ${String(scale.y(0))}H100`}
          />
        </svg>
        {scale.ticks.map((calls) => (
          <text
            key={calls}
            className="tick"
            x={`${String(scale.x(calls))}%`}
            y="99%"
            textAnchor="middle"
          >
            {calls}
          </text>
        ))}
        {scale.levels.map((excess) => (
          <text
            key={excess}
            className="tick"
            x="0.5%"
            y={`${String(scale.y(excess))}%`}
            dominantBaseline="middle"
          >
            {excess > 0 ? `+${String(excess)}` : String(excess).replace('-', '−')}
          </text>
        ))}
        <text className="tick" x="99%" y={`${String(scale.y(0))}%`} dy="-6" textAnchor="end">
          calls
        </text>
        <text className="tick" x={`${String(LEFT)}%`} y="2%" dominantBaseline="hanging">
          hits above chance
        </text>
        {people.map((person) => (
          <Dot key={person.slug} person={person} scale={scale} />
        ))}
      </svg>
    </div>
  )
}

function Dot({ person, scale }: { readonly person: BoardRow; readonly scale: Scale }) {
  const { observed, expected, calls } = person.against_luck
  const [x, y] = [scale.x(calls), scale.y(placeOf(person, scale.deviation))]
  const isRight = x > 70
  return (
    <a
      href={expertPath(person)}
      className={classNames(css.dot, !person.band && css.unranked)}
      aria-label={`${person.name}: ${String(observed)} of ${String(calls)} came true, luck expects ${expected.toFixed(1)}`}
    >
      <circle cx={`${String(x)}%`} cy={`${String(y)}%`} r="12" className={css.reach} />
      <circle cx={`${String(x)}%`} cy={`${String(y)}%`} r="5" />
      <text
        x={`${String(isRight ? x - 1.5 : x + 1.5)}%`}
        y={`${String(y)}%`}
        dy="-10"
        textAnchor={isRight ? 'end' : 'start'}
      >
        {person.name}
      </text>
    </a>
  )
}

type Scale = ReturnType<typeof scaleOf>

function scaleOf(people: readonly BoardRow[]) {
  const sum = (of: 'variance' | 'calls') =>
    people.reduce((total, { against_luck: luck }) => total + luck[of], 0)
  const each = sum('variance') / sum('calls')
  /** Standard deviation for a number of calls, based on the luck of all calls. */
  const deviation = (calls: number) => Math.sqrt(each * calls)
  const most = Math.ceil(Math.max(...people.map(({ against_luck: { calls } }) => calls)) * 1.05)
  const farthest = Math.max(...people.map((person) => Math.abs(placeOf(person, deviation))))
  // Leaves room for the title of the axis.
  const high = Math.max(farthest, LIMITS[1].z * deviation(most)) * 1.2
  const step = Math.max(1, Math.round(most / 8))
  const level = Math.max(1, Math.round(high / 3))
  const within = (size: number, limit: number) =>
    Array.from({ length: Math.floor(limit / size) }, (_, i) => (i + 1) * size)
  const ups = within(level, high)
  return {
    /** Horizontal position of a number of calls and vertical position of an excess, in per cent. */
    x: (calls: number) => LEFT + ((100 - LEFT - 2) * calls) / most,
    y: (excess: number) => ((100 - BOTTOM) / 2) * (1 - excess / high),
    deviation,
    most,
    ticks: within(step, most),
    levels: [...ups, 0, ...ups.map((up) => -up)],
  }
}

/** Hits beyond luck, normalized to calls of equal difficulty, so that one funnel fits everyone. */
function placeOf({ against_luck: { calls, z } }: BoardRow, deviation: (calls: number) => number) {
  return (z ?? 0) * deviation(calls)
}

function curve({ x, y, deviation, most }: Scale, z: number): string {
  const points = Array.from({ length: STEPS + 1 }, (_, i) => most * (i / STEPS) ** 2)
  return points
    .map(
      (calls, i) =>
        `${i === 0 ? 'M' : 'L'}${x(calls).toFixed(2)} ${y(z * deviation(calls)).toFixed(2)}`,
    )
    .join('')
}
