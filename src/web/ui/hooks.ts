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

/**
 * Debounces a value.
 *
 * @param ms delay
 */
export function useRested<Value>(value: Value, ms: number): Value {
  const [rested, setRested] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(key) as Value), ms)
    return () => clearTimeout(timer)
  }, [key, ms])
  return rested
}

/** Calls back before printing, and afterwards. Print content must be rendered synchronously within the callback. */
export function onPrint(changed: (isPrinted: boolean) => void): () => void {
  const listener = ({ type }: Event): void => changed(type === 'beforeprint')
  window.addEventListener('beforeprint', listener)
  window.addEventListener('afterprint', listener)
  return () => {
    window.removeEventListener('beforeprint', listener)
    window.removeEventListener('afterprint', listener)
  }
}

/** The last known value. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, remember] = useState(value)
  if (value !== undefined && value !== last) remember(value)
  return value ?? last
}
