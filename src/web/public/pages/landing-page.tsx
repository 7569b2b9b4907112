import { Hero } from '#web/public/landing/hero.tsx'
import { useSite, type PageProps } from '#web/head/site.ts'
import { still } from '#web/ui/still.tsx'

const StillSections = still(async () => (await import('#web/public/landing/sections.tsx')).Sections)

export function LandingPage({ content }: PageProps<'landing'>) {
  const { today } = useSite()
  const { exhibits, metrics } = content
  return (
    <>
      <Hero exhibits={exhibits} today={today} />
      <StillSections metrics={metrics} exhibits={exhibits} />
    </>
  )
}
