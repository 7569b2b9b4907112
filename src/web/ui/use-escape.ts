import { useEffect, useEffectEvent } from 'react'

export function useEscape(open: boolean, onEscape: () => void): void {
  const escape = useEffectEvent(onEscape)
  useEffect(() => {
    if (!open) return
    const pressed = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') escape()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [open])
}
