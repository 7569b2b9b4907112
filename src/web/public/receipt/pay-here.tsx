import { payByDemonstration } from '#web/api/payments.ts'
import { Invoice } from '#web/ui/invoice.tsx'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** The part of a receipt where its open invoice is paid. */
export function PayHere({
  bolt11,
  checkingId,
  demonstration,
}: {
  readonly bolt11: string
  readonly checkingId: string
  readonly demonstration: boolean
}) {
  return (
    <Stack as="section" align="start" ruled>
      <Text as="h2" size="title">
        Pay it here
      </Text>
      <Invoice
        bolt11={bolt11}
        onDemonstration={
          demonstration ? async () => void (await payByDemonstration(checkingId)) : null
        }
      />
    </Stack>
  )
}
