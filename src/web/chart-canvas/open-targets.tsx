import { useEffect, useEffectEvent, useMemo, useState, type RefObject } from 'react'
import { isWithin } from '#chart/labels.ts'
import {
  type OpenTargets as Targets,
  type OpenTarget,
  type BeforeTargets,
} from '#chart/open-targets.ts'
import { type Scene } from '#chart/scene.ts'
import { type Series } from '#chart/series.ts'
import {
  countTargets,
  targetGrid,
  targetsInView,
  bandText,
  periodText,
  targetsIn,
  wholeGrid,
  cellAt,
} from '#chart/target-grid.ts'
import {
  fanAhead,
  opacityOf,
  strengthOf,
  targetShades,
  viewBefore,
  viewOfTargets,
  type TargetShades,
  targetPaths,
  type LayerPath,
} from '#chart/target-layer.ts'
import { type Theme } from '#chart/theme.ts'
import { type TargetWeight, type ViewState } from '#chart/view-state.ts'
import { type Asset } from '#domain/asset.ts'
import { showDay, type Day } from '#domain/day.ts'
import { isolatedName } from '#domain/people/name.ts'
import { counted, showCount } from '#domain/price-text.ts'
import { type FanStart } from '#domain/scoring/call-odds.ts'
import { Fold } from '#web/ui/fold.tsx'
import { Row, TableHead } from '#web/ui/primitives.tsx'
import { satsText } from '#web/ui/show.ts'
import { type Under } from './paint-base.ts'
import { type Pen } from './sprites.ts'
import dense from '#web/ui/dense-table.module.css'

/** The table has no focusable content, so its frame is focusable for scrolling by keyboard. */
const SCROLLED = { role: 'region', 'aria-label': 'Table of open targets', tabIndex: 0 }

type OpenTargetsProps = {
  readonly asset: Asset
  readonly open: Targets
  readonly series: Series
  readonly scene: Scene | null
  readonly view: ViewState
  readonly onView: (view: ViewState) => void
  readonly today: Day
  /** Votes as of past days are unknown. */
  readonly isPast: boolean
  readonly beforeRef: RefObject<BeforeTargets | null>
  readonly onUnder: (under: Under | null) => void
}

export function OpenTargets(props: OpenTargetsProps) {
  const { asset, open, series, scene, view, onView, today, isPast, beforeRef, onUnder } = props
  const by = isPast ? 'count' : (view.targets ?? 'count')
  const { targets, limits, total } = open
  const fan = useMemo(() => fanAhead(asset, series), [asset, series])
  const under = useMemo(() => targetUnder(asset, targets, by, fan), [asset, targets, by, fan])
  useEffect(() => {
    onUnder(under)
    return () => onUnder(null)
  }, [onUnder, under])

  const reach = useEffectEvent(() => {
    const before = beforeRef.current?.view
    if (!before) return
    const displayed = viewOfTargets(view, targets, series, today, false)
    beforeRef.current = { view: null, back: (now) => viewBefore(now, before, displayed) }
    onView(displayed)
  })
  useEffect(() => reach(), [])

  if (targets.length === 0) {
    return (
      <p className="price-chart-legend open-targets muted" role="status">
        No open calls for {asset.symbol} yet.{limits > 0 && ` ${limitsText(limits)}`}
      </p>
    )
  }
  const shades = scene && targetShades(countTargets(targets, targetGrid(scene)), by)
  const beyond = scene ? targets.length - targetsInView(targets, scene).length : 0
  return (
    <Row
      gap={4}
      tight
      className="price-chart-legend open-targets muted"
      role="group"
      aria-label="Open targets"
    >
      <p>
        <Shades shades={shades} by={by} hasVotes={targets.some(({ votes }) => votes > 0)} />
      </p>
      {!isPast && (
        <div role="group" aria-label="Colour by" className="price-chart-group">
          {WEIGHTS.map(({ key, name }) => (
            <button
              key={key}
              type="button"
              aria-pressed={by === key}
              onClick={() => onView({ ...view, targets: key })}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      {fan && (
        <p>
          <svg viewBox="0 0 24 10" width="24" height="10" stroke="var(--ink-2)" aria-hidden="true">
            <path d="M0 3H24" />
            <path d="M0 8H24" strokeDasharray="5 4" />
          </svg>{' '}
          Luck from the close of {showDay(fan.day)} on: half of all outcomes are between the solid
          lines, nine of ten between the dashed ones
        </p>
      )}
      <p>
        {callsText(targets.length)}
        {beyond > 0 && `, ${showCount(beyond)} beyond this view `}
        {beyond > 0 && (
          <button
            type="button"
            className="open-targets-all"
            onClick={() => onView(viewOfTargets(view, targets, series, today, true))}
          >
            Show all
          </button>
        )}
        {total !== undefined &&
          `. Of ${callsText(total)} those with the most votes are counted, then the newest`}
        {limits > 0 && `. ${limitsText(limits)}`}
      </p>
      <TargetTable targets={targets} />
    </Row>
  )
}

const WEIGHTS = [
  { key: 'count', name: 'Calls' },
  { key: 'votes', name: 'Votes' },
] as const

function Shades({
  shades,
  by,
  hasVotes,
}: {
  readonly shades: TargetShades
  readonly by: TargetWeight
  readonly hasVotes: boolean
}) {
  if (!shades) {
    return by === 'votes' && !hasVotes ? 'No votes for open calls yet.' : 'No open target in view.'
  }
  const { least, most } = shades
  const steps = new Set(
    [0, 0.25, 0.5, 0.75, 1].map((part) => strengthOf(least + (most - least) * part, most, by)),
  )
  const unit = by === 'count' ? callsText : satsText
  return (
    <>
      {least < most && (
        <>
          {showCount(least)} <span className="aside-voice">to</span>
        </>
      )}
      {[...steps].map((strength) => (
        <svg
          key={strength}
          viewBox="0 0 12 12"
          width="12"
          height="12"
          fill="var(--pending)"
          aria-hidden="true"
        >
          <rect width="12" height="12" rx="2.5" fillOpacity={opacityOf(strength)} />
        </svg>
      ))}{' '}
      {unit(most)}
      {by === 'votes' && ' of votes'}
    </>
  )
}

function limitsText(limits: number): string {
  return limits === 1
    ? '1 top or bottom is left out: it is a limit, not a target.'
    : `${showCount(limits)} tops and bottoms are left out: they are limits, not targets.`
}

function TargetTable({ targets }: { readonly targets: readonly OpenTarget[] }) {
  const [wasOpened, setOpened] = useState(false)
  return (
    <div className="open-targets-table shrinks">
      <Fold title="Open targets as a table" onOpen={() => setOpened(true)}>
        {wasOpened && (
          <div className="card scrolls" {...SCROLLED}>
            <table className={dense.table}>
              <caption className="aside-voice">Open targets</caption>
              <TableHead names={['Due', 'Price', 'Calls', 'Votes (sats)', 'By']} />
              <TargetRows targets={targets} />
            </table>
          </div>
        )}
      </Fold>
    </div>
  )
}

function TargetRows({ targets }: { readonly targets: readonly OpenTarget[] }) {
  const cells = useMemo(
    () =>
      countTargets(targets, wholeGrid(targets)).toSorted(
        (a, b) => a.days[0] - b.days[0] || a.prices[0] - b.prices[0],
      ),
    [targets],
  )
  return (
    <tbody>
      {cells.map((cell) => (
        <tr key={`${String(cell.days[0])} ${String(cell.prices[0])}`}>
          <th scope="row">{periodText(cell.days)}</th>
          <td>{bandText(cell.prices)}</td>
          <td>{showCount(cell.calls)}</td>
          <td>{showCount(cell.votes)}</td>
          <td>{namesText(targetsIn(targets, cell), Infinity)}</td>
        </tr>
      ))}
    </tbody>
  )
}

/** Most names in the readout of a cell. */
const NAMES = { phone: 1, desktop: 3 } as const

/** Chart layer of open targets. Its shapes are cached while the view rests, since each new price repaints everything. */
export function targetUnder(
  asset: Asset,
  targets: readonly OpenTarget[],
  by: TargetWeight,
  fan: FanStart | null,
): Under {
  let cached: { readonly key: string; readonly shapes: readonly Shape[] } | null = null

  function shapesOf(scene: Scene, theme: Theme): readonly Shape[] {
    const { days, prices, width, height, price } = scene
    const key = [...days, ...prices, width, height, price.kind, theme.surface].join()
    if (cached?.key !== key) {
      const paths = targetPaths(scene, targets, by, fan, asset, theme)
      cached = { key, shapes: paths.map((path) => ({ ...path, area: new Path2D(path.d) })) }
    }
    return cached.shapes
  }

  return {
    paint: (pen, scene, theme) => {
      for (const shape of shapesOf(scene, theme)) paintShape(pen, shape)
      pen.globalAlpha = 1
      pen.setLineDash([])
    },
    readAt: (scene, x, y) => {
      const { plot, time, price } = scene
      if (!isWithin(plot, x, y)) return ''
      const cells = countTargets(targets, targetGrid(scene))
      const cell = cellAt(cells, time.toValue(x), price.toValue(y))
      const calls = cell ? targetsIn(targets, cell) : []
      return cell
        ? `${callsText(calls.length)}: ${bandText(cell.prices)}, due ${periodText(cell.days)}  ${namesText(calls, scene.phone ? NAMES.phone : NAMES.desktop)}`
        : ''
    },
  }
}

type Shape = LayerPath & { readonly area: Path2D }

function paintShape(pen: Pen, { kind, colour, opacity, dash, area }: Shape): void {
  pen.globalAlpha = opacity
  if (kind === 'fill') {
    pen.fillStyle = colour
    pen.fill(area)
    return
  }
  pen.strokeStyle = colour
  pen.lineWidth = 1
  pen.setLineDash([...dash])
  pen.stroke(area)
}

/** `1 open call`, `7 open calls` */
export function callsText(count: number): string {
  return counted(count, 'open call')
}

/** `Ann Ode, Bob Ray and 5 others`, without duplicates. */
export function namesText(calls: readonly OpenTarget[], most: number): string {
  const names = [...new Set(calls.map(({ name }) => isolatedName(name)))]
  const rest = names.length - most
  // "and 1 other" would be as long as the name itself.
  if (rest <= 1) return names.join(', ')
  return `${names.slice(0, most).join(', ')} and ${String(rest)} others`
}
