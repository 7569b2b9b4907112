import { useEffect } from 'react'

/** Ctrl or Cmd with Enter sends the form one is in, from any of its fields. */
export function useSendByKeys(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      const form = event.target instanceof Element ? event.target.closest('form') : null
      if (!form) return
      event.preventDefault()
      form.requestSubmit()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
}
