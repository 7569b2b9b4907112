import { useState, useSyncExternalStore, useEffect, useEffectEvent, type ReactNode } from 'react'
import { receiptPath } from '#contracts/paths.ts'
import { checkPayment } from '#contracts/payments.ts'
import { call } from '#web/api/call.ts'
import {
  openInvoiceOf,
  ownSubmissions,
  type OwnSubmission,
  closeNote,
  noteCancelled,
  notePaid,
} from '#web/api/own-submissions.ts'
import { followOwnSubmissions, storedSubmissions } from '#web/api/stored-submissions.ts'
import { IconButton } from '#web/ui/button.tsx'
import { after } from '#web/ui/hooks.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Row } from '#web/ui/primitives.tsx'
import { satsText } from '#web/ui/show.ts'

/** Reminders of unpaid invoices, on every page of browsers with a started submission. */
export function PaymentNotes({ path }: { readonly path: string }) {
  useSyncExternalStore(followOwnSubmissions, storedSubmissions)
  const [arrived, setArrived] = useState<OwnSubmission | null>(null)
  const open = ownSubmissions().find((one) => !one.isNoteClosed && openInvoiceOf(one) !== null)
  // Not on the receipt itself, which shows more.
  const isAtReceipt = (own: OwnSubmission): boolean => path === `/receipt/${own.token}`
  if (arrived && !isAtReceipt(arrived)) {
    const close = (): void => setArrived(null)
    return (
      <Note label="Payment" onClose={close}>
        <p role="status">
          Payment received for <bdi>{arrived.what}</bdi>.{' '}
          <a href={receiptPath(arrived.token)} onClick={close}>
            Open your receipt
          </a>
        </p>
      </Note>
    )
  }
  if (!open || isAtReceipt(open)) return null
  return <OpenInvoiceNote key={open.invoice?.checkingId} own={open} onPaid={setArrived} />
}

const ASK_MS = 10_000

/** Links back to an unpaid invoice, and says when its payment arrives. */
function OpenInvoiceNote({
  own,
  onPaid,
}: {
  readonly own: OwnSubmission
  readonly onPaid: (own: OwnSubmission) => void
}) {
  const [, redraw] = useState(0)
  const { token, invoice, what } = own
  const [checkingId, endsAt] = [invoice?.checkingId, invoice?.endsAt]

  const paidNow = useEffectEvent(() => {
    notePaid(token)
    onPaid(own)
  })
  useEffect(() => {
    if (checkingId === undefined) return
    const leave = new AbortController()
    const ask = (): void => {
      if (document.hidden) return
      call(checkPayment, { params: { checkingId }, signal: leave.signal }).then(
        ({ paid, status }) => {
          if (leave.signal.aborted) return
          if (paid) {
            paidNow()
          } else if (status !== 'pending') noteCancelled({ token, checkingId })
        },
        // The next attempt may succeed.
        () => undefined,
      )
    }
    ask()
    const timer = setInterval(ask, ASK_MS)
    document.addEventListener('visibilitychange', ask)
    return () => {
      leave.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [checkingId, token])

  useEffect(() => {
    if (endsAt === undefined) return
    return after(endsAt - Date.now(), () => redraw((count) => count + 1))
  }, [endsAt])

  if (!invoice || openInvoiceOf(own) === null) return null
  return (
    <Note label="Open invoice" onClose={() => closeNote(token)}>
      <p>
        {satsText(invoice.sats)} to pay for <bdi>{what}</bdi>.{' '}
        <a href={receiptPath(token)}>Back to the invoice</a>
      </p>
    </Note>
  )
}

function Note({
  label,
  onClose,
  children,
}: {
  readonly label: string
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  return (
    <Row as="aside" gap={4} whole className="floating" aria-label={label}>
      {children}
      <IconButton label="Close" onClick={onClose}>
        <Icon name="close" size={16} />
      </IconButton>
    </Row>
  )
}
