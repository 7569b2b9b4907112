import { useEffect } from 'react'

/** Names the tab after the screen it shows. */
export function useTitle(screen: string): void {
  useEffect(() => {
    document.title = `${screen} – Proof of Price administration`
  }, [screen])
}
