import { assetUpTo, type Asset } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { limitsOf, pricesInView } from './axes.ts'
import { makeMarks } from './marks.ts'
import { medianTarget, openTargets } from './open-targets.ts'
import { PICTURE_FONT, widthOf } from './picture-text.ts'
import { rangeLayer, type RangedDay } from './ranges.ts'
import { type Span } from './scale.ts'
import { makeScene, type Scene } from './scene.ts'
import { makeSeries, type Points, type Series } from './series.ts'
import { sceneToSvg } from './svg.ts'
import { fanAhead, layerMarkup, targetPaths } from './target-layer.ts'
import { THEMES, type Theme } from './theme.ts'
import { makeThreads } from './threads.ts'
import { OPENING_VIEW, type ViewState } from './view-state.ts'
import { isBelowYear, openViewport } from './viewport.ts'

/** Font size of labels, CSS pixels. */
const LABEL = 11

export type ViewQuestion = {
  readonly asset: Asset
  readonly points: Points
  readonly ranged: (days: Span) => readonly RangedDay[]
  readonly drawn: readonly Prediction[]
  readonly targets: readonly Prediction[]
  readonly view: ViewState
  readonly today: Day
  /** Drawn as of a past day, given as `today`. */
  readonly isPast: boolean
  /** The size in CSS pixels at which texts are 11 px high. */
  readonly size: { readonly width: number; readonly height: number }
}

/** The dashboard chart for an address as SVG markup, shown until scripts have loaded. */
export function viewPicture(
  question: ViewQuestion,
  { theme, font }: { readonly theme: Theme; readonly font: string },
): string {
  const { points, drawn, view, today, isPast, size } = question
  const asset = isPast ? assetUpTo(question.asset, today) : question.asset
  const { axis } = asset
  const { series } = makeSeries(points, today)
  const { marks } = makeMarks(drawn, view.mode, today)
  const pictured = {
    asset,
    series,
    marks,
    today,
    isPast,
    live: null,
    withTargets: view.targets !== null,
    scale: view.scale,
  }
  const limits = limitsOf(pictured, view.frame)
  const viewport = openViewport(view.range, view.prices, limits)
  const { days } = viewport
  const ranges = isBelowYear(days) ? rangeLayer(question.ranged(days), days) : null
  const scene = makeScene({
    axis,
    ...size,
    dpr: 1,
    days,
    prices: pricesInView({ ...pictured, ranges }, viewport, view.frame, limits.scale),
    scale: limits.scale,
    series,
    ranges,
    marks,
    threads: view.threads ? makeThreads(marks, series) : [],
    median: medianTarget(drawn, view.mode, view.frame, today),
    live: null,
    pricesChosen: viewport.prices !== null,
    measure: (text) => widthOf(text, LABEL),
  })
  return sceneToSvg(scene, {
    theme,
    description: `Chart of the ${asset.name} price with ${String(drawn.length)} predictions.`,
    font,
    under: view.targets === null ? '' : targetsUnder(question, series, scene, theme),
  })
}

/** Targets of open calls; votes as of past days are unknown. */
function targetsUnder(
  { asset, targets: calls, view, today, isPast }: ViewQuestion,
  series: Series,
  scene: Scene,
  theme: Theme,
): string {
  const { targets } = openTargets(calls, view.mode, today)
  const by = isPast ? 'count' : (view.targets ?? 'count')
  return layerMarkup(targetPaths(scene, targets, by, fanAhead(asset, series), asset, theme))
}

export type DashboardQuestion = Omit<ViewQuestion, 'ranged' | 'targets' | 'view'>

/** The opening chart of a dashboard as SVG markup, for browsers without scripts. */
export function dashboardPicture(question: DashboardQuestion): string {
  return viewPicture(
    { ...question, targets: [], view: OPENING_VIEW, ranged: () => [] },
    { theme: THEMES.light, font: PICTURE_FONT },
  )
}

/** Size of a prediction's share picture, pixels: 16:9 as shown by networks. */
export const SHARE_SIZE = { width: 1_200, height: 675 } as const

/** Size of a people picture, pixels: the usual link preview format. */
export const PEOPLE_SIZE = { width: 1_200, height: 630 } as const

/** Layouts of the dashboard picture; `phone` is laid out for a phone screen, so that its text is readable. */
export const DASHBOARD_LAYOUTS = ['wide', 'phone'] as const
export type DashboardLayout = (typeof DASHBOARD_LAYOUTS)[number]

/** CSS pixels. */
export function dashboardSize(
  layout: DashboardLayout,
  { phoneChartHeight }: { readonly phoneChartHeight: number },
): { readonly width: number; readonly height: number } {
  return layout === 'wide' ? { width: 960, height: 600 } : { width: 390, height: phoneChartHeight }
}
