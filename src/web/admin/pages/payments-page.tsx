import { useTitle } from '#web/admin/use-title.ts'
import { PaymentsView } from '#web/admin/payments/payments-view.tsx'
import css from '#web/ui/admin-page.module.css'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** Invoices, and what has to be settled by hand. */
export function PaymentsPage() {
  useTitle('Payments')
  return (
    <Stack gap={4} className={css.page}>
      <Text as="h1" size="title">
        Payments
      </Text>
      <PaymentsView />
    </Stack>
  )
}
