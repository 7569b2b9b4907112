import { type Asset } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { fittedDomain, homeDomain, openingDays } from './axes.ts'
import { limitsOf } from './limits.ts'
import { makeMarks } from './marks.ts'
import { medianTarget } from './median-target.ts'
import { LEADING, openingChoice } from '#domain/listing/opening-choice.ts'
import { PICTURE_FONT, widthOf } from './picture-text.ts'
import { makeScene } from './scene.ts'
import { makeSeries, type Points } from './series.ts'
import { SITE_THEMES } from './site-theme.ts'
import { sceneToSvg } from './svg.ts'
import { makeThreads } from './threads.ts'

/** Font size of labels, CSS pixels. */
const LABEL = 11
const MODE: JudgeMode = 'touch'

/** What the picture of a dashboard shows. */
export type DashboardQuestion = {
  readonly asset: Asset
  readonly points: Points
  readonly predictions: readonly Prediction[]
  readonly today: Day
  /** Drawn as of a past day, which `today` is. */
  readonly isPast: boolean
  /** CSS pixels at which the letters of the picture are 11 px high. */
  readonly size: { readonly width: number; readonly height: number }
}

/** The chart of a dashboard as it opens, as SVG markup: for readers whose browser runs no scripts. */
export function dashboardPicture(question: DashboardQuestion): string {
  const { points, today, isPast, size } = question
  const asset = upTo(question.asset, today)
  const { axis } = asset
  const counted = question.predictions.filter(
    ({ excludeFromChart, verdicts }) => !excludeFromChart && verdicts[MODE].outcome !== 'void',
  )
  const drawn = openingChoice(counted, MODE, openingDays(axis, today), LEADING, isPast)
  const { series } = makeSeries(points, today)
  const { marks } = makeMarks(drawn, MODE, today)
  const view = { asset, series, marks, today, isPast, live: null, withTargets: false, scale: null }
  const { opening: days, scale } = limitsOf(view, null)
  const domain = isPast ? fittedDomain : homeDomain
  const scene = makeScene({
    axis,
    ...size,
    dpr: 1,
    days,
    prices: domain({ axis, kind: scale, series, marks, days, live: null }),
    scale,
    series,
    marks,
    threads: makeThreads(marks, series),
    median: medianTarget(drawn, MODE, null, today),
    live: null,
    pricesChosen: false,
    measure: (text) => widthOf(text, LABEL),
  })
  return sceneToSvg(scene, {
    theme: SITE_THEMES.light,
    description: `Chart of the ${asset.name} price with ${String(drawn.length)} predictions.`,
    watermark: null,
    font: PICTURE_FONT,
    axes: true,
  })
}

/** Without later days that matter to it, such as a halving. */
function upTo(asset: Asset, today: Day): Asset {
  const events = asset.axis.events.filter(({ day }) => day <= today)
  return { ...asset, axis: { ...asset.axis, events } }
}
