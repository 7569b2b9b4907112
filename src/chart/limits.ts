import { type Asset } from '#domain/asset.ts'
import { addYears, type Day } from '#domain/day.ts'
import {
  chosenScale,
  fittedDomain,
  frameView,
  homeDomain,
  homeSpan,
  MOST_YEARS_AHEAD,
  type LivePoint,
} from './axes.ts'
import { isClaim, spansOf, type Mark } from './marks.ts'
import { type RangeLayer } from './ranges.ts'
import { type ScaleKind, type Span } from './scale.ts'
import { type Series } from './series.ts'
import { type TimeFrame } from './view-state.ts'
import { widened, type Bounds, type Viewport } from './viewport.ts'

/** What decides how far a view can go. */
export type LimitsQuestion = {
  readonly asset: Pick<Asset, 'axis'>
  readonly series: Series
  readonly marks: readonly Mark[]
  readonly live: { readonly usd: number } | null
  readonly today: Day
  /** Drawn as of a past day, always on a log axis. */
  readonly isPast: boolean
  /** Deadlines of calls that are not drawn can be reached, too. */
  readonly withTargets: boolean
  /** Null lets the chart choose. */
  readonly scale: ScaleKind | null
}

/** How far a view can go, and where it opens. */
export function limitsOf(
  question: LimitsQuestion,
  frame: TimeFrame | null,
): Omit<Bounds, 'prices'> {
  const { asset, series, marks, today } = question
  const { axis } = asset
  const ends = marks.filter(isClaim).map(({ days }) => days[1])
  const home = { axis, frame, series, ends, today }
  const near = homeSpan(home)
  const plain = frameView(home, near)
  const opening =
    frame === null ? widened(plain, spansOf(marks), { home: near, opening: plain }) : plain
  const farthest = addYears(today, MOST_YEARS_AHEAD)
  const widest: Span = question.withTargets ? [near[0], Math.max(near[1], farthest)] : near
  const live = livePoint(question)
  const own = question.isPast ? 'log' : chosenScale({ axis, series, marks, days: opening, live })
  const scale = question.scale ?? own
  return { home: widest, opening, framed: frame !== null, scale, panFloor: axis.panFloor }
}

/** The prices that a view shows: those that were chosen, else those that fit what is seen of it. */
export function pricesInView(
  question: Omit<LimitsQuestion, 'withTargets' | 'scale'> & { readonly ranges: RangeLayer | null },
  { days, chosen, prices }: Pick<Viewport, 'days' | 'chosen' | 'prices'>,
  frame: TimeFrame | null,
  kind: ScaleKind,
): Span {
  if (prices && (kind === 'linear' || prices[0] > 0)) return prices
  const { asset, series, ranges, marks, isPast } = question
  const live = livePoint(question)
  const domain = { axis: asset.axis, kind, series, ranges, marks, days, live }
  return chosen || frame !== null || isPast ? fittedDomain(domain) : homeDomain(domain)
}

function livePoint({ live, today }: Pick<LimitsQuestion, 'live' | 'today'>): LivePoint | null {
  return live && { day: today, usd: live.usd }
}
