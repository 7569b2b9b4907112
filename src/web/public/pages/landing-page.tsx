import { Hero } from '#web/public/landing/hero.tsx'
import { useSite, type PageProps } from '#web/head/site.ts'
import { still } from '#web/ui/still.tsx'

const StillParts = still(async () => (await import('./landing-parts.tsx')).LandingParts)

export function LandingPage({ content }: PageProps<'landing'>) {
  const { today } = useSite()
  const { exhibits, metrics, board } = content
  return (
    <>
      <Hero exhibits={exhibits} today={today} />
      <StillParts metrics={metrics} exhibits={exhibits} board={board} />
    </>
  )
}
