import { type ReactNode } from 'react'
import { type BoardCall } from '#contracts/board.ts'
import { showChance } from '#domain/scoring/odds-text.ts'
import { marksOf, type StripMark } from '#chart/strip-marks.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { classNames } from '#web/ui/class-names.ts'
import css from './strip.module.css'

type Mark = StripMark<BoardCall>

/** Marks nearer than this, as a share of the strip, lie above each other. */
const SIZES = {
  small: { apart: 0.036, lane: 12, radius: 5, lanes: 3 },
  large: { apart: 0.048, lane: 18, radius: 8, lanes: 5 },
} as const
type Size = keyof typeof SIZES

/**
 * The calls of a person, each at its chance by luck: from 0 % at the left to 100 % at the right. Filled when it came
 * true, hollow when missed, dashed while open.
 */
export function Strip({
  name,
  calls,
}: {
  readonly name: string
  readonly calls: readonly BoardCall[]
}) {
  const { marks, middle, dot } = placed(calls, 'small')
  return (
    <svg
      className={css.strip}
      width="100%"
      height={2 * middle}
      role="img"
      aria-label={stripText(name, marks)}
    >
      <line className={css.line} x1="1%" x2="99%" y1={middle} y2={middle} />
      {marks.map(dot)}
    </svg>
  )
}

/** The same on a scale of its own, each mark a link to its call. */
export function LargeStrip({
  name,
  calls,
}: {
  readonly name: string
  readonly calls: readonly BoardCall[]
}) {
  const { marks, middle, dot } = placed(calls, 'large')
  const bottom = 2 * middle
  return (
    <svg
      className={css.strip}
      width="100%"
      height={bottom + SCALE}
      role="group"
      aria-label={stripText(name, marks)}
    >
      {[0, 0.25, 0.5, 0.75, 1].map((luck) => (
        <g key={luck} aria-hidden="true">
          <line className={css.tick} x1={across(luck)} x2={across(luck)} y1="0" y2={bottom} />
          <text
            className={classNames(css.tickName, luck % 0.5 > 0 && css.between)}
            x={across(luck)}
            y={bottom + SCALE - 5}
            textAnchor={luck === 0 ? 'start' : luck === 1 ? 'end' : 'middle'}
          >
            {TICK_NAMES[luck] ?? `${String(100 * luck)} %`}
          </text>
        </g>
      ))}
      <line className={css.line} x1="1%" x2="99%" y1={middle} y2={middle} />
      {marks.map((mark) => (
        <a
          key={mark.call.id}
          className={css.link}
          href={predictionPath(mark.call)}
          aria-label={markText(mark.call)}
        >
          {dot(mark)}
        </a>
      ))}
    </svg>
  )
}

/** Height of the names below the scale. */
const SCALE = 24
const TICK_NAMES: Readonly<Record<number, string>> = { 0: '0 %, bold', 1: '100 %, easy' }

function across(luck: number): string {
  return `${String(1 + 98 * luck)}%`
}

function placed(calls: readonly BoardCall[], size: Size) {
  const { apart, lane, radius, lanes } = SIZES[size]
  const marks = marksOf(calls, apart, lanes)
  const most = Math.max(1, ...marks.map((mark) => Math.abs(mark.lane)))
  const middle = most * lane + radius + 2
  const dot = (mark: Mark): ReactNode => (
    <circle
      key={mark.call.id}
      className={css[mark.call.outcome]}
      cx={across(mark.call.luck)}
      cy={middle + mark.lane * lane}
      r={radius}
    >
      <title>{markText(mark.call)}</title>
    </circle>
  )
  return { marks, middle, dot }
}

/** What the marks mean. */
export function StripLegend() {
  return (
    <span className={css.legend}>
      {(['hit', 'miss', 'pending'] as const).map((outcome) => (
        <span key={outcome}>
          <svg width="12" height="12" aria-hidden="true">
            <circle className={css[outcome]} cx="6" cy="6" r={SIZES.small.radius - 0.5} />
          </svg>
          {WORDS[outcome]}
        </span>
      ))}
    </span>
  )
}

const WORDS = { hit: 'came true', miss: 'missed', pending: 'open', void: 'void' } as const

function markText({ text, deadline, luck, outcome }: Mark['call']): string {
  return `${text} by ${deadline.split('-').toReversed().join('/')}: ${WORDS[outcome]}, luck said ${showChance(luck)}`
}

function stripText(name: string, marks: readonly Mark[]): string {
  const decided = marks.filter(({ call }) => call.outcome !== 'pending')
  const hits = decided.filter(({ call }) => call.outcome === 'hit')
  const open = marks.length - decided.length
  const luck = hits.map(({ call }) => showChance(call.luck)).join(', ')
  return [
    `Calls of ${name}: ${String(decided.length)} decided, ${String(hits.length)} came true`,
    luck === '' ? '' : ` (luck said ${luck})`,
    open > 0 ? `; ${String(open)} open` : '',
  ].join('')
}
