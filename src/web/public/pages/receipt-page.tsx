import { lazy, Suspense, useSyncExternalStore } from 'react'
import { usePath } from '#web/address/location.ts'
import { type PageProps } from '#web/head/site.ts'
import { classNames } from '#web/ui/class-names.ts'
import page from '#web/ui/prose.module.css'
import { Skeleton } from '#web/ui/skeleton.tsx'
import css from './receipt-page.module.css'

const ReceiptParts = lazy(async () => ({
  default: (await import('./receipt-parts.tsx')).ReceiptParts,
}))

/** The receipt of a submission or of another payment. What it says is private, so the server draws none of it: the browser asks for it. */
export function ReceiptPage({ content: { of } }: PageProps<'receipt'>) {
  const token = usePath().split('/')[2] ?? ''
  const isInBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
  const loading = <Skeleton shape="card" count={3} label="Loading your receipt" />
  return (
    <div className={classNames(page['page'], css.page)}>
      <h1>Your receipt</h1>
      {isInBrowser ? (
        <Suspense fallback={loading}>
          <ReceiptParts token={token} of={of} />
        </Suspense>
      ) : (
        loading
      )}
    </div>
  )
}
