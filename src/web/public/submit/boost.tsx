import { lazy, Suspense, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Text } from '#web/ui/text.tsx'

const BoostPanel = lazy(async () => ({ default: (await import('./boost-panel.tsx')).BoostPanel }))

/** Offers to support a prediction with sats; what that takes is loaded once it is asked for. */
export function Boost({ id, onPaid }: { readonly id: string; readonly onPaid: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return isOpen ? (
    <Suspense fallback={<Text tone="quiet">Loading…</Text>}>
      <BoostPanel id={id} onPaid={onPaid} onClose={() => setOpen(false)} />
    </Suspense>
  ) : (
    <div>
      <Button onClick={() => setOpen(true)}>Boost it</Button>
    </div>
  )
}
