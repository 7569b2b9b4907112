import {
  createChart,
  LineSeries,
  PriceScaleMode,
  type IChartApi,
  type IPrimitivePaneRenderer,
  type ISeriesApi,
  type UTCTimestamp,
} from 'lightweight-charts'
import { makeMarks } from '#chart/marks.ts'
import { axisUsd } from '#chart/scale.ts'
import { makeScene, plotOf } from '#chart/scene.ts'
import { EMPTY_SERIES, makeSeries } from '#chart/series.ts'
import { THEMES } from '#chart/theme.ts'
import { makeThreads } from '#chart/threads.ts'
import { ASSETS } from '#domain/asset.ts'
import { paintOver, paintUnder, type Look } from '#web/chart-canvas/paint-base.ts'
import { FONT_FAMILY, makeSprites, textWidth } from '#web/chart-canvas/sprites.ts'
import { type Mounted, type Sample } from './sample.ts'

const A_DAY = 86_400
const theme = THEMES.light

/**
 * lightweight-charts with its own line, axes and grid. Our functions lay out and paint the marks in its series primitive,
 * so that the two charts differ only in the engine.
 */
export function mountLightweight(
  root: HTMLElement,
  data: Sample,
  home: readonly [number, number],
  withThreads: boolean,
): Mounted {
  const chart = createChart(root, {
    autoSize: true,
    layout: {
      background: { color: theme.surface },
      textColor: theme.ink2,
      fontSize: 11,
      fontFamily: FONT_FAMILY,
    },
    grid: { vertLines: { color: theme.hairline }, horzLines: { color: theme.hairline } },
    rightPriceScale: { visible: false },
    leftPriceScale: {
      visible: true,
      borderVisible: false,
      mode: PriceScaleMode.Logarithmic,
      scaleMargins: { top: 0, bottom: 0 },
    },
    timeScale: { minBarSpacing: 0.01, borderVisible: false },
    localization: { priceFormatter: (usd: number) => axisUsd(usd) },
  })
  const series = chart.addSeries(LineSeries, {
    priceScaleId: 'left',
    color: theme.brand,
    lineWidth: 2,
    priceLineVisible: false,
    lastValueVisible: false,
    lastPriceAnimation: 0,
    autoscaleInfoProvider: () => ({ priceRange: { minValue: 100, maxValue: 2_000_000 } }),
  })
  const first = data.points.days[0] ?? 0
  series.setData(everyDay(data, home[1] + 3_000))
  attachMarks(chart, series, data, first, withThreads)
  const show = (from: number, to: number) => {
    chart.timeScale().setVisibleLogicalRange({ from: from - first, to: to - first })
  }
  show(home[0], home[1])
  return { show }
}

/** Adds whitespace for days without a price: its time axis counts points, not days. */
function everyDay({ points }: Sample, until: number) {
  const closes = new Map(points.days.map((day, i) => [day, points.closes[i] ?? 0]))
  const from = points.days[0] ?? 0
  return Array.from({ length: until - from }, (_, i) => {
    const time = ((from + i) * A_DAY) as UTCTimestamp
    const value = closes.get(from + i)
    return value === undefined ? { time } : { time, value }
  })
}

function attachMarks(
  chart: IChartApi,
  series: ISeriesApi<'Line'>,
  data: Sample,
  first: number,
  withThreads: boolean,
): void {
  const marks = makeMarks(data.predictions, 'touch', data.today).marks
  const line = makeSeries(data.points, data.today).series
  const threads = withThreads ? makeThreads(marks, line) : []
  const { axis } = ASSETS.btc
  const look: Look = {
    theme,
    dpr: window.devicePixelRatio,
    sprites: makeSprites(theme, window.devicePixelRatio),
    direction: null,
    under: null,
    focus: null,
  }
  const paint = (
    pen: CanvasRenderingContext2D,
    width: number,
    height: number,
    part: typeof paintUnder,
  ) => {
    const range = chart.timeScale().getVisibleLogicalRange()
    if (!range || marks.length === 0) return
    // Our scene has margins where its pane has none.
    const plot = plotOf(1_000, 1_000, axis)
    const [wider, higher] = [1_000 - plot.width, 1_000 - plot.height]
    const scene = makeScene({
      axis,
      width: width + wider,
      height: height + higher,
      dpr: look.dpr,
      days: [range.from + first, range.to + first],
      prices: [series.coordinateToPrice(height) ?? 100, series.coordinateToPrice(0) ?? 2_000_000],
      scale: 'log',
      series: EMPTY_SERIES,
      marks,
      threads: threads,
      median: null,
      live: null,
      pricesChosen: true,
      measure: textWidth,
    })
    pen.save()
    pen.translate(-plot.x, -plot.y)
    part(pen, scene, look)
    pen.restore()
  }
  const both = (
    pen: CanvasRenderingContext2D,
    scene: Parameters<typeof paintUnder>[1],
    painted: Look,
  ) => {
    paintUnder(pen, scene, painted)
    paintOver(pen, scene, painted)
  }
  const renderer: IPrimitivePaneRenderer = {
    draw: (target) => {
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        paint(context, mediaSize.width, mediaSize.height, both)
      })
    },
  }
  const views = [{ zOrder: () => 'normal' as const, renderer: () => renderer }]
  series.attachPrimitive({ paneViews: () => views })
}
