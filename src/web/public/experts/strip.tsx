import { type BoardCall } from '#contracts/board.ts'
import { showChance } from '#domain/scoring/odds-text.ts'
import css from './strip.module.css'

/** A mark on the strip: where it lies, and how far it had to move up or down to be seen. */
type Mark = { readonly call: BoardCall & { readonly luck: number }; readonly lane: number }

/** Marks nearer than this, as a share of the strip, lie above each other. */
const APART = 0.026
const LANE = 10
const RADIUS = 5

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
  const marks = marksOf(calls)
  const most = Math.max(1, ...marks.map(({ lane }) => Math.abs(lane)))
  const middle = most * LANE + RADIUS + 2
  return (
    <svg
      className={css.strip}
      width="100%"
      height={2 * middle}
      role="img"
      aria-label={stripText(name, marks)}
    >
      <line className={css.line} x1="1%" x2="99%" y1={middle} y2={middle} />
      {marks.map(({ call, lane }) => (
        <circle
          key={call.id}
          className={css[call.outcome]}
          cx={`${String(1 + 98 * call.luck)}%`}
          cy={middle + lane * LANE}
          r={RADIUS}
        >
          <title>{markText(call)}</title>
        </circle>
      ))}
    </svg>
  )
}

/** What the marks mean. */
export function StripLegend() {
  return (
    <span className={css.legend}>
      {(['hit', 'miss', 'pending'] as const).map((outcome) => (
        <span key={outcome}>
          <svg width="12" height="12" aria-hidden="true">
            <circle className={css[outcome]} cx="6" cy="6" r={RADIUS - 0.5} />
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

function marksOf(calls: readonly BoardCall[]): Mark[] {
  const ends: number[] = []
  return calls
    .filter((call): call is Mark['call'] => call.luck !== null && call.outcome !== 'void')
    .toSorted((a, b) => a.luck - b.luck)
    .map((call) => {
      const free = ends.findIndex((end) => call.luck - end >= APART)
      const place = free < 0 ? ends.length : free
      ends[place] = call.luck
      // The middle first, then above and below it in turn.
      return { call, lane: (place % 2 === 0 ? 1 : -1) * Math.ceil(place / 2) }
    })
}
