import { type RangeLayer } from './ranges.ts'
import { type Asset } from '#domain/asset.ts'
import { addYears, dayOf, type Day } from '#domain/day.ts'
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
import { type TimeFrame } from './view-state.ts'
import { clamp, union, type ScaleKind, type Span } from './scale.ts'
import { type Series } from './series.ts'
import { widened, type Bounds, type Viewport } from './viewport.ts'

export type LimitsQuestion = {
  readonly asset: Pick<Asset, 'axis'>
  readonly series: Series
  readonly marks: readonly Mark[]
  readonly live: { readonly usd: number } | null
  readonly today: Day
  readonly isPast: boolean
  /** Makes deadlines of calls that are not drawn reachable. */
  readonly withTargets: boolean
  readonly scale: ScaleKind | null
}

export function limitsOf(
  question: LimitsQuestion,
  frame: TimeFrame | null,
): Omit<Bounds, 'prices'> {
  const { asset, series, marks, today } = question
  const { axis } = asset
  const home = { axis, frame, series, spans: spansOf(marks).map(({ days }) => days), today }
  const near = homeSpan(home)
  const plain = frameView(home, near)
  const opening = frame === null ? openingView(plain, near, marks, today) : plain
  const farthest = addYears(today, MOST_YEARS_AHEAD)
  const widest: Span = question.withTargets ? [near[0], Math.max(near[1], farthest)] : near
  const live = livePoint(question)
  const own = question.isPast ? 'log' : chosenScale({ axis, series, marks, days: opening, live })
  const scale = question.scale ?? own
  return { home: widest, opening, framed: frame !== null, scale, panFloor: axis.panFloor }
}

/** Opening views of several calls end by this year, however late the deadlines are. */
const OPENS_TO_YEAR = 2035
/** Minimum future in an opening view, days. */
const LEAST_AHEAD = 91

/**
 * A view that contains everything drawn. If all calls are open, or a single person has open calls, it ends after the
 * last deadline and is at least half future; otherwise at most half.
 */
function openingView(plain: Span, home: Span, marks: readonly Mark[], today: Day): Span {
  const claims = marks.filter(isClaim)
  const spans = spansOf(marks)
  const [first] = claims
  const isOne = claims.every(
    ({ prediction: { expert } }) => expert.slug === first?.prediction.expert.slug,
  )
  const isOpen = claims.every(({ outcome }) => outcome === 'pending')
  const isAhead = claims.some(({ outcome, days }) => outcome === 'pending' && days[1] > today)
  if (!first || !isAhead || !(isOne || isOpen)) {
    const days = widened(plain, spans, { home, opening: plain })
    const most = Math.max(2 * today - days[0], today + LEAST_AHEAD)
    return [days[0], clamp(days[1], today + LEAST_AHEAD, most)]
  }
  const [made, due] = spans.map(({ days }) => days).reduce(union)
  const cap =
    spans.length === 1 ? Infinity : Math.max(dayOf(OPENS_TO_YEAR, 12, 31), addYears(today, 5))
  const last = Math.max(Math.min(due, cap, home[1]), today + LEAST_AHEAD)
  // For many people the view starts no earlier than it looks ahead; for one person everything is shown.
  const from = isOne ? made : Math.max(made, 2 * today - last)
  const until = Math.max(last, Math.min(2 * today - from, cap))
  const margin = (until - from) * MARGIN
  return [from - margin, until + margin]
}

/** Margin for signs at both ends, as a share of the view. */
const MARGIN = 0.03

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
