import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from '#web/ui/button.tsx'
import { lastOnline, noteOnline } from './last-online.ts'
import { applyUpdate, UPDATE_READY } from '#web/worker/register.ts'
import css from './update-notice.module.css'

/** Says that a newer version of the site is ready, or that what is shown comes from the last visit online. */
export function UpdateNotice() {
  const [ready, setReady] = useState(false)
  useEffect(() => {
    const show = (): void => setReady(true)
    window.addEventListener(UPDATE_READY, show)
    return () => window.removeEventListener(UPDATE_READY, show)
  }, [])
  useEffect(() => {
    if (navigator.onLine) noteOnline()
  }, [])
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  if (ready) {
    return (
      <div className={css.notice} role="status">
        A new version of the site is ready.
        <Button look="primary" onClick={applyUpdate}>
          Update
        </Button>
      </div>
    )
  }
  return online ? null : (
    <div className={css.notice} role="status">
      You are offline. Prices and verdicts are as of {lastOnline()}.
    </div>
  )
}

function subscribe(notify: () => void): () => void {
  window.addEventListener('online', notify)
  window.addEventListener('offline', notify)
  return () => {
    window.removeEventListener('online', notify)
    window.removeEventListener('offline', notify)
  }
}
