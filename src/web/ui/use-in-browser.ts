import { useSyncExternalStore } from 'react'

/** Whether scripts run here: false on the server and while its markup is hydrated, for what only works with them. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
}
