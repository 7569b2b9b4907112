import { useState } from 'react'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { Button } from '#web/ui/button.tsx'
import { Section, Text } from '#web/ui/primitives.tsx'
import { later } from '#web/ui/still.tsx'

const Judging = later(
  async () => (await import('./judging.tsx')).Judging,
  <Text tone="quiet">Loading the judge…</Text>,
)

/** Lets visitors judge a prediction in their browser; the code is loaded on demand. */
export function JudgeHere({
  prediction,
  today,
}: {
  readonly prediction: Prediction
  readonly today: Day
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section gap={4} className="by-script by-screen" title="Judge it here">
      <p className="measure">Re-run the verdict in your browser, with our prices or your own.</p>
      {isOpen ? (
        <Judging prediction={prediction} today={today} />
      ) : (
        <div>
          <Button onClick={() => setOpen(true)}>Judge it here</Button>
        </div>
      )}
    </Section>
  )
}
