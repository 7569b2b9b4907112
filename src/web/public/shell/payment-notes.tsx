import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import {
  followOwnSubmissions,
  keptText,
  openInvoiceOf,
  ownSubmissions,
  type OwnSubmission,
} from '#web/api/own-submissions.ts'

const parts = () => import('./open-invoice-note.tsx')
const OpenInvoiceNote = lazy(async () => ({ default: (await parts()).OpenInvoiceNote }))
const ArrivedNote = lazy(async () => ({ default: (await parts()).ArrivedNote }))

/** On every page: the invoice of this browser that was left before it was paid. */
export function PaymentNotes({ path }: { readonly path: string }) {
  // Nobody without an invoice loads any more than this.
  useSyncExternalStore(followOwnSubmissions, keptText, () => '')
  const isInBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
  const [arrived, setArrived] = useState<OwnSubmission | null>(null)
  const open = isInBrowser
    ? ownSubmissions().find((one) => !one.isNoteClosed && openInvoiceOf(one) !== null)
    : undefined
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
