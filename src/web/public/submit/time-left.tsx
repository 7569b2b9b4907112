import { useEffect, useState } from 'react'
import { Text } from '#web/ui/text.tsx'

/** How long the invoice can still be paid, counted down. */
export function TimeLeft({ endsAt }: { readonly endsAt: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((endsAt - now) / 1_000))
  const clock = `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <Text tone="quiet" size="small">
      Time left <span role="timer">{clock}</span>
    </Text>
  )
}
