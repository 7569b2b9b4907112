import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Section, Text } from '#web/ui/primitives.tsx'
import { later } from '#web/ui/still.tsx'
import { type JudgedBy } from './judging.tsx'

const Judging = later(
  async () => (await import('./judging.tsx')).Judging,
  <Text tone="quiet">Loading the judge…</Text>,
)

/** Lets visitors judge a prediction in their browser; the code is loaded on demand. */
export function JudgeHere(props: Omit<JudgedBy, 'mode'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section gap={4} className="by-script by-screen" title="Judge it here">
      <p className="measure">Re-run the verdict in your browser, with our prices or your own.</p>
      {isOpen ? (
        <Judging {...props} />
      ) : (
        <div>
          <Button onClick={() => setOpen(true)}>Judge it here</Button>
        </div>
      )}
    </Section>
  )
}
