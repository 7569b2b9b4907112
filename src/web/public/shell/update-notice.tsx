import { useEffect, useState, useSyncExternalStore } from 'react'
import { dayOfTime, showDay } from '#domain/day.ts'
import { onReach, reachNow } from '#web/api/reach.ts'
import { Button } from '#web/ui/button.tsx'
import { onWindow } from '#web/ui/hooks.ts'
import { Row } from '#web/ui/primitives.tsx'
import { applyUpdate, UPDATE_READY } from '#web/worker/register.ts'

/** Says that a new version is ready, or that the content is outdated. */
export function UpdateNotice() {
  const [ready, setReady] = useState(false)
  useEffect(() => onWindow([UPDATE_READY], () => setReady(true)), [])
  const reach = useSyncExternalStore(onReach, reachNow, () => null)
  if (ready) {
    return (
      <Row gap={4} whole className="floating" role="status">
        A new version of the site is ready.
        <Button look="primary" onClick={applyUpdate}>
          Update
        </Button>
      </Row>
    )
  }
  if (reach === null || reach.isReached) return null
  const time = new Date(reach.asOf).toISOString().slice(11, 16)
  return (
    <Row gap={4} whole className="floating" role="status">
      {`You are offline, or the site cannot be reached. Prices and verdicts are as of ${showDay(dayOfTime(reach.asOf))} ${time} UTC.`}
    </Row>
  )
}

/** Shown when part of the page failed to load, for example after an update of the site. */
export function ReloadNotice() {
  return (
    <Row gap={4} whole className="floating" role="alert">
      The form could not be loaded. What you typed into it is kept.
      <Button look="primary" onClick={() => window.location.reload()}>
        Load the page again
      </Button>
    </Row>
  )
}
