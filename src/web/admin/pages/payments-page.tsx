import { useTitle } from '#web/admin/use-title.ts'
import { PaymentsView } from '#web/features/payments-admin/payments-view.tsx'
import css from '#web/ui/desk.module.css'

/** Invoices, and what has to be settled by hand. */
export function PaymentsPage() {
  useTitle('Payments')
  return (
    <div className={css.page}>
      <h1 className={css.title}>Payments</h1>
      <PaymentsView />
    </div>
  )
}
