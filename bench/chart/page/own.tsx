import { createRoot } from 'react-dom/client'
import { makeMarks } from '#chart/marks.ts'
import { openTargets } from '#chart/open-targets.ts'
import { makeSeries } from '#chart/series.ts'
import { makeThreads } from '#chart/threads.ts'
import { OPENING_VIEW } from '#chart/view-state.ts'
import { ASSETS } from '#domain/asset.ts'
import { moveView, type Settings } from '#web/chart-canvas/chart-view.ts'
import { openEngine } from '#web/chart-canvas/engine.ts'
import { PriceChart } from '#web/chart-canvas/price-chart.tsx'
import { type Mounted, type Sample } from './sample.ts'

/** Our engine on two canvases, without the React shell, which is idle while a view moves. */
export function mountEngine(
  root: HTMLElement,
  data: Sample,
  home: readonly [number, number],
  withThreads: boolean,
): Mounted {
  const box = document.createElement('div')
  box.className = 'stage'
  const [base, top] = [document.createElement('canvas'), document.createElement('canvas')]
  box.append(base, top)
  root.append(box)
  const surfaces = { box, base, top, live: document.createElement('span') }
  const { series } = makeSeries(data.points, data.today)
  const { marks } = makeMarks(data.predictions, 'touch', data.today)
  const settings: Settings = {
    asset: ASSETS.btc,
    series,
    ranges: null,
    marks,
    threads: makeThreads(marks, series),
    withThreads,
    withTargets: false,
    median: null,
    under: null,
    live: null,
    today: data.today,
    isPast: false,
    theme: 'light',
    scale: 'log',
    frame: null,
    range: home,
    prices: [100, 2_000_000],
  }
  const { view } = openEngine(surfaces, settings, () => {})
  return {
    show: (from, to) => {
      moveView(view, { type: 'show', days: [from, to] })
    },
  }
}

/** The whole component as used on the page, with a live price. */
export function mountShell(
  root: HTMLElement,
  data: Sample,
  home: readonly [number, number],
  withThreads: boolean,
): Mounted {
  const usd = data.points.closes.at(-1) ?? 0
  createRoot(root).render(
    <PriceChart
      asset={ASSETS.btc}
      points={data.points}
      predictions={data.predictions}
      all={openTargets(data.predictions, 'touch', data.today)}
      view={{ ...OPENING_VIEW, scale: 'log', range: home, threads: withThreads }}
      onView={() => {}}
      theme="light"
      today={data.today}
      ranges={null}
      onDays={() => {}}
      live={{ usd, direction: 'up' }}
      describe={(prediction) => prediction.id}
      onOpen={() => {}}
      onToggle={() => {}}
      shareUrl={() => ''}
    />,
  )
  return { show: () => {} }
}
