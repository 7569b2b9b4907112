import { usePath } from '#web/address/location.ts'
import { type PageProps } from '#web/head/site.ts'
import { InBrowser } from '#web/ui/layout.tsx'
import { Skeleton } from '#web/ui/notice.tsx'
import { Stack, Text } from '#web/ui/primitives.tsx'
import { later } from '#web/ui/still.tsx'

const LOADING = <Skeleton shape="card" count={3} label="Loading your receipt" />
const ReceiptParts = later(async () => (await import('./receipt-parts.tsx')).ReceiptParts, LOADING)

export function ReceiptPage({ content: { of } }: PageProps<'receipt'>) {
  const token = usePath().split('/')[2] ?? ''
  return (
    <Stack gap={6} className="reading">
      <Text as="h1" size="head">
        Your receipt
      </Text>
      <InBrowser fallback={LOADING}>
        <ReceiptParts token={token} of={of} />
      </InBrowser>
    </Stack>
  )
}
