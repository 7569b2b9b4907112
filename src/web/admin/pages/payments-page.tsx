import { useEffect } from 'react'
import { PaymentsView } from '#web/features/payments-admin/payments-view.tsx'
import css from '#web/ui/desk.module.css'

/** Invoices, and what has to be settled by hand. */
export function PaymentsPage() {
  useEffect(() => {
    document.title = 'Payments – Proof of Price administration'
  }, [])
  return (
    <div className={css.page}>
      <h1 className={css.title}>Payments</h1>
      <PaymentsView />
    </div>
  )
}
