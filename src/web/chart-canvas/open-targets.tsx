import { useEffect, useEffectEvent, useMemo, type RefObject } from 'react'
import { type Asset } from '#domain/asset.ts'
import { showDay, type Day } from '#domain/day.ts'
import { showCount } from '#domain/price-text.ts'
import { type OpenTargets as Targets } from '#chart/open-targets.ts'
import { type Scene } from '#chart/scene.ts'
import { type Series } from '#chart/series.ts'
import { countTargets, targetGrid, targetsInView } from '#chart/target-grid.ts'
import {
  fanAhead,
  opacityOf,
  strengthOf,
  targetShades,
  type TargetShades,
} from '#chart/target-layer.ts'
import { viewBefore, viewOfTargets, type BeforeTargets } from '#chart/target-reach.ts'
import { type TargetWeight, type ViewState } from '#chart/view-state.ts'
import { satsText } from '#web/ui/sats-text.ts'
import { type Under } from './paint-base.ts'
import { TargetTable } from './target-table.tsx'
import { callsText, targetUnder } from './target-under.ts'
import './open-targets.css'

type OpenTargetsProps = {
  readonly asset: Asset
  /** Where its open calls aim. */
  readonly open: Targets
  readonly series: Series
  /** The picture at rest; null before the first one. */
  readonly scene: Scene | null
  readonly view: ViewState
  readonly onView: (view: ViewState) => void
  readonly today: Day
  /** Of a past day votes are not known. */
  readonly isPast: boolean
  /** Null where the address switched the layer on: it says what to show. */
  readonly beforeRef: RefObject<BeforeTargets | null>
  readonly onUnder: (under: Under | null) => void
}

/** Where the open calls of the asset aim: draws them under the chart, and says what the colours mean. */
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
    const shown = viewOfTargets(view, targets, series, today, false)
    beforeRef.current = { view: null, back: (now) => viewBefore(now, before, shown) }
    onView(shown)
  })
  useEffect(() => reach(), [])

  if (targets.length === 0) {
    return (
      <p className="open-targets" role="status">
        No open calls for {asset.symbol} yet.{limits > 0 && ` ${limitsText(limits)}`}
      </p>
    )
  }
  const shades = scene && targetShades(countTargets(targets, targetGrid(scene)), by)
  const beyond = scene ? targets.length - targetsInView(targets, scene).length : 0
  return (
    <div className="open-targets" role="group" aria-label="Open targets">
      <p>
        <Shades shades={shades} by={by} hasVotes={targets.some(({ votes }) => votes > 0)} />
      </p>
      {!isPast && (
        <div role="group" aria-label="Colour by" className="open-targets-choice">
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
          <svg viewBox="0 0 24 10" width="24" height="10" aria-hidden="true">
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
        {total !== undefined && `. ${totalText(total)}`}
        {limits > 0 && `. ${limitsText(limits)}`}
      </p>
      <TargetTable targets={targets} />
    </div>
  )
}

const WEIGHTS = [
  { key: 'count', name: 'Calls' },
  { key: 'votes', name: 'Votes' },
] as const

/** What the colours mean: those of the weakest and of the strongest cell in view, and of three between them. */
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
        <svg key={strength} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
          <rect width="12" height="12" rx="2.5" fillOpacity={opacityOf(strength)} />
        </svg>
      ))}{' '}
      {unit(most)}
      {by === 'votes' && ' of votes'}
    </>
  )
}

/** Said where not all are counted. */
function totalText(total: number): string {
  return `Of ${callsText(total)} those with the most votes are counted, then the newest`
}

function limitsText(limits: number): string {
  return limits === 1
    ? '1 top or bottom is left out: it is a limit, not a target.'
    : `${showCount(limits)} tops and bottoms are left out: they are limits, not targets.`
}
