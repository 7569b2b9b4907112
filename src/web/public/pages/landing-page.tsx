import { lazy, Suspense } from 'react'
import { useSite, type PageProps } from '#web/head/site.ts'
import { Exhibits } from '#web/public/landing/exhibits.tsx'
import { still } from '#web/ui/still.tsx'
import css from '#web/public/landing/landing.module.css'

const loadParts = () => import('./landing-parts.tsx')
const StillWords = still(async () => (await loadParts()).HeroWords)
const StillFigures = still(async () => (await loadParts()).Figures)
const StillParts = still(async () => (await loadParts()).LandingParts)
// Rendered by the server, and hydrated after the page.
const MarketIntelligence = import.meta.env.SSR
  ? (await import('./landing-now.tsx')).MarketIntelligence
  : lazy(async () => ({ default: (await import('./landing-now.tsx')).MarketIntelligence }))

export function LandingPage({ content }: PageProps<'landing'>) {
  const { today } = useSite()
  const { exhibits, metrics, now, board } = content
  return (
    <>
      <div className={css.hero}>
        <StillWords board={board} />
        <Exhibits exhibits={exhibits} today={today} />
      </div>
      <StillFigures metrics={metrics} />
      <Suspense fallback={null}>
        <MarketIntelligence now={now} />
      </Suspense>
      <StillParts exhibits={exhibits} board={board} />
    </>
  )
}
