import { type ReactNode } from 'react'
import {
  acrossStrip,
  isSample,
  MOST_MARKS,
  placedMarks,
  STRIP_SIZES,
  STRIP_TICKS,
  type StripSize,
} from '#chart/strip-marks.ts'
import { type BoardCall, type BoardRow } from '#contracts/board.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { STRIP_WORDS, stripMarkText, stripText, showOdds } from '#domain/scoring/score-text.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { classNames, Row, Stack, Note } from '#web/ui/primitives.tsx'
import css from './experts.module.css'

/** Calls at their chance by luck: filled when true, hollow when missed, dashed while open. */
export function Strip({
  row: { name, calls, call_count: count },
}: {
  readonly row: Pick<BoardRow, 'name' | 'calls' | 'call_count'>
}) {
  const many = isSample({ calls, call_count: count }) ? count : null
  const { dots, middle, text } = drawn(name, calls, 'small', many)
  return (
    <svg className="overflows" width="100%" height={2 * middle} role="img" aria-label={text}>
      <line stroke="var(--hairline)" strokeWidth="2" x1="1%" x2="99%" y1={middle} y2={middle} />
      {dots.map(({ dot }) => dot)}
    </svg>
  )
}

/** Calls by their chance by luck, with an explanation; null without any known chance. */
export function CallsByLuck({
  name,
  calls,
}: {
  readonly name: string
  readonly calls: readonly BoardCall[]
}) {
  if (calls.every(({ luck }) => luck === null)) return null
  const { dots, middle, text } = drawn(name, calls, 'large')
  const bottom = 2 * middle
  return (
    <Stack as="section" gap={2} aria-label="Calls by luck">
      <svg
        className="overflows"
        width="100%"
        height={bottom + SCALE}
        role="group"
        aria-label={text}
      >
        {STRIP_TICKS.map(({ luck, name: tick, anchor }) => (
          <g key={luck} aria-hidden="true">
            <line
              stroke="var(--hairline)"
              x1={acrossStrip(luck)}
              x2={acrossStrip(luck)}
              y1="0"
              y2={bottom}
            />
            <text
              className={classNames('tick', luck % 0.5 > 0 && css.between)}
              x={acrossStrip(luck)}
              y={bottom + SCALE - 5}
              textAnchor={anchor}
            >
              {tick}
            </text>
          </g>
        ))}
        <line stroke="var(--hairline)" strokeWidth="2" x1="1%" x2="99%" y1={middle} y2={middle} />
        {dots.map(({ call, dot }) => (
          <a
            key={call.id}
            className={css.link}
            href={predictionPath(call)}
            aria-label={stripMarkText(call)}
          >
            {dot}
          </a>
        ))}
      </svg>
      <Note>
        Each mark is one call, placed by how likely luck alone was to make it right: bold calls on
        the left. <StripLegend />
      </Note>
    </Stack>
  )
}

const SCALE = 24

const markOf = (outcome: Outcome) => ({ className: css.call, 'data-outcome': outcome })

function drawn<Call extends Omit<BoardCall, 'asset'>>(
  name: string,
  calls: readonly Call[],
  size: StripSize,
  many: number | null = null,
) {
  const { marks, middle, radius } = placedMarks(calls, size)
  const dots = marks.map(({ call, cx, cy }): { call: typeof call; dot: ReactNode } => ({
    call,
    dot: (
      <circle key={call.id} {...markOf(call.outcome)} cx={cx} cy={cy} r={radius}>
        <title>{stripMarkText(call)}</title>
      </circle>
    ),
  }))
  const text = stripText(
    name,
    marks.map(({ call }) => call),
    many,
  )
  return { dots, middle, text }
}

/** Legend of the strips of these people. */
export function marksText(rows: readonly Pick<BoardRow, 'calls' | 'call_count'>[]): string {
  const most = String(MOST_MARKS)
  return [
    'Each mark is one call, placed by how likely luck alone was to make it right: bold calls on the left.',
    ...(rows.some(isSample)
      ? [`Of more than ${most} calls, ${most} are drawn, in proportion to outcomes and luck.`]
      : []),
  ].join(' ')
}

export function StripLegend() {
  return (
    <Row as="span" gap={4} tight>
      {(['hit', 'miss', 'pending'] as const).map((outcome) => (
        <Row as="span" gap={1} whole key={outcome}>
          <svg width="12" height="12" aria-hidden="true">
            <circle {...markOf(outcome)} cx="6" cy="6" r={STRIP_SIZES.small.radius - 0.5} />
          </svg>
          {STRIP_WORDS[outcome]}
        </Row>
      ))}
    </Row>
  )
}

const HEIGHT = 24

/** Multiple of the odds by luck, with its 90% interval, on a line centred at luck. */
export function SkillBar({
  skill,
  reach,
}: {
  readonly skill: NonNullable<BoardRow['skill']>
  /** End of the axis on both sides of luck, as log odds. */
  readonly reach: number
}) {
  const [low, mean, high] = [skill.low, skill.mean, skill.high].map(
    (log) => `${(50 + (47 * log) / reach).toFixed(1)}%`,
  )
  return (
    <svg
      className={`${css.interval} overflows`}
      height={HEIGHT}
      role="img"
      aria-label={`${showOdds(skill.mean)} times the odds of luck, 90% interval ${showOdds(skill.low)} to ${showOdds(skill.high)}`}
    >
      <line
        className={css.even}
        stroke="var(--ink-2)"
        strokeDasharray="3 3"
        strokeWidth="1.5"
        x1="50%"
        x2="50%"
        y1="0"
        y2={HEIGHT}
      />
      <line
        stroke="var(--brand)"
        strokeLinecap="round"
        strokeOpacity="0.5"
        strokeWidth="7"
        x1={low}
        x2={high}
        y1={HEIGHT / 2}
        y2={HEIGHT / 2}
      />
      <circle fill="var(--brand-text)" cx={mean} cy={HEIGHT / 2} r="5" />
    </svg>
  )
}
