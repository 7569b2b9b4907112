import { lazy, Suspense } from 'react'
import { Hero } from '#web/public/landing/hero.tsx'
import { useSite, type PageProps } from '#web/head/site.ts'
import { still } from '#web/ui/still.tsx'

const StillFigures = still(async () => (await import('#web/public/landing/figures.tsx')).Figures)
const StillParts = still(async () => (await import('./landing-parts.tsx')).LandingParts)
// The server draws it; the page comes to life before it.
const MarketIntelligence = import.meta.env.SSR
  ? (await import('./landing-now.tsx')).MarketIntelligence
  : lazy(async () => ({
      default: (await import('./landing-now.tsx')).MarketIntelligence,
    }))

export function LandingPage({ content }: PageProps<'landing'>) {
  const { today } = useSite()
  const { exhibits, metrics, now, board } = content
  return (
    <>
      <Hero exhibits={exhibits} board={board} today={today} />
      <StillFigures metrics={metrics} />
      <Suspense fallback={null}>
        <MarketIntelligence now={now} />
      </Suspense>
      <StillParts exhibits={exhibits} board={board} />
    </>
  )
}
