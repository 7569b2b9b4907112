import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { followOwnSubmissions, keptSubmissions } from '#web/api/kept-submissions.ts'
import { openInvoiceOf, ownSubmissions, type OwnSubmission } from '#web/api/own-submissions.ts'

const parts = () => import('./open-invoice-note.tsx')
const OpenInvoiceNote = lazy(async () => ({ default: (await parts()).OpenInvoiceNote }))
const ArrivedNote = lazy(async () => ({ default: (await parts()).ArrivedNote }))

/** On every page of a browser that has begun a submission: the invoice that was left before it was paid. */
export function PaymentNotes({ path }: { readonly path: string }) {
  useSyncExternalStore(followOwnSubmissions, keptSubmissions)
  const [arrived, setArrived] = useState<OwnSubmission | null>(null)
  const open = ownSubmissions().find((one) => !one.isNoteClosed && openInvoiceOf(one) !== null)
  // The receipt itself says more.
  const isAtReceipt = (own: OwnSubmission): boolean => path === `/receipt/${own.token}`
  return (
    <Suspense fallback={null}>
      {arrived && !isAtReceipt(arrived) ? (
        <ArrivedNote own={arrived} onClose={() => setArrived(null)} />
      ) : (
        open &&
        !isAtReceipt(open) && (
          <OpenInvoiceNote key={open.invoice?.checkingId} own={open} onPaid={setArrived} />
        )
      )}
    </Suspense>
  )
}
