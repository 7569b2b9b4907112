import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ASSETS, findAsset } from '#domain/asset.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { openTargets } from '#chart/open-targets.ts'
import { type ThemeName } from '#chart/theme.ts'
import { readView, viewParams, type ViewState } from '#chart/view-state.ts'
import { PriceChart } from '#web/chart-canvas/price-chart.tsx'
import '#web/ui/base.css'
import { sample } from './sample.ts'
import './main.css'

const params = new URLSearchParams(location.search)
const asset = findAsset(params.get('asset') ?? 'btc') ?? ASSETS.btc
const { points, predictions, today } = sample(asset.key, Number(params.get('n') ?? 12))
const last = points.closes.at(-1) ?? 0

function Trial() {
  const [view, setView] = useState<ViewState>(() => readView((name) => params.get(name)))
  const [theme, setTheme] = useState<ThemeName>(params.get('theme') === 'dark' ? 'dark' : 'light')
  const [active, setActive] = useState(predictions)
  const [opened, setOpened] = useState('')
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
  }, [theme])
  const said = new Map(predictions.map((one) => [one.id, verdictSentence(one, view.mode)]))
  return (
    <main>
      <PriceChart
        asset={asset}
        points={points}
        predictions={active}
        all={openTargets(predictions, view.mode, today)}
        view={view}
        onView={(next) => {
          setView(next)
          const search = new URLSearchParams({ ...viewParams(next) })
          for (const name of ['n', 'asset', 'theme']) {
            const kept = params.get(name)
            if (kept !== null) search.set(name, kept)
          }
          history.replaceState(null, '', `?${search.toString()}`)
        }}
        theme={theme}
        today={today}
        ranges={null}
        onDays={() => {}}
        live={LIVE}
        describe={({ id }) => said.get(id) ?? ''}
        onOpen={setOpened}
        shareUrl={() => location.href}
        onToggle={(id) => {
          setActive((now) => now.filter((one) => one.id !== id))
        }}
      />
      <footer>
        <button
          type="button"
          onClick={() => {
            setTheme(theme === 'dark' ? 'light' : 'dark')
          }}
        >
          Theme
        </button>
        <button
          type="button"
          onClick={() => {
            setActive(active.length > 0 ? [] : predictions)
          }}
        >
          Toggle all
        </button>
        <output>{opened}</output>
      </footer>
    </main>
  )
}

const LIVE = { usd: last * 1.004, direction: 'up' } as const
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Trial />
    </StrictMode>,
  )
}
