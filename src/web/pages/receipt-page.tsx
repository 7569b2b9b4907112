import { lazy, Suspense, useSyncExternalStore } from 'react'
import { usePath } from '#web/location.ts'
import page from '#web/ui/prose.module.css'
import { Skeleton } from '#web/ui/skeleton.tsx'

const ReceiptByToken = lazy(async () => ({
  default: (await import('#web/features/receipt/receipt.tsx')).ReceiptByToken,
}))

/** The receipt of a submission. What it says is private, so the server draws none of it: the browser asks for it. */
export function ReceiptPage() {
  const token = usePath().split('/')[2] ?? ''
  const isInBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
  const loading = <Skeleton shape="card" count={3} label="Loading your receipt" />
  return (
    <div className={page['page']}>
      <div className={page['prose']}>
        <h1>Your receipt</h1>
        {isInBrowser ? (
          <Suspense fallback={loading}>
            <ReceiptByToken token={token} />
          </Suspense>
        ) : (
          loading
        )}
      </div>
    </div>
  )
}
