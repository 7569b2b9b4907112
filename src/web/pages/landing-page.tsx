import { predictionsOfRows } from '#contracts/prediction-wire.ts'
import { useMemo } from 'react'
import { Figures, Hero } from '#web/features/landing/hero.tsx'
import {
  CallToAction,
  MarketIntelligence,
  WhyProofOfPrice,
} from '#web/features/landing/sections.tsx'
import { useSite, type PageProps } from '#web/site.ts'

export function LandingPage({ content }: PageProps<'landing'>) {
  const { today } = useSite()
  const { exhibits, metrics } = content
  const predictions = useMemo(
    () => predictionsOfRows(exhibits.map(({ prediction }) => prediction)),
    [exhibits],
  )
  const first = (outcome: 'hit' | 'miss') =>
    predictions.find(({ verdicts }) => verdicts.touch.outcome === outcome) ?? null
  return (
    <>
      <Hero exhibits={exhibits} today={today} />
      <Figures metrics={metrics} />
      {predictions.length > 0 && <MarketIntelligence predictions={predictions} />}
      <WhyProofOfPrice hit={first('hit')} miss={first('miss')} />
      <CallToAction />
    </>
  )
}
