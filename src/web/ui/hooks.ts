import { useEffect, useEffectEvent, useState } from 'react'

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

/** A value that follows another once that has not changed for a while. @param ms how long */
export function useRested<Value>(value: Value, ms: number): Value {
  const [rested, setRested] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(key) as Value), ms)
    return () => clearTimeout(timer)
  }, [key, ms])
  return rested
}

/**
 * Calls back as the page is about to be printed, and when it is back on the screen. What is to be on paper has to be
 * drawn within the call: the browser takes the page as it is then.
 */
export function onPrint(changed: (isPrinted: boolean) => void): () => void {
  const listener = ({ type }: Event): void => changed(type === 'beforeprint')
  window.addEventListener('beforeprint', listener)
  window.addEventListener('afterprint', listener)
  return () => {
    window.removeEventListener('beforeprint', listener)
    window.removeEventListener('afterprint', listener)
  }
}
