import { Suspense } from 'react'
import { usePath } from '#web/address/location.ts'
import { type PageProps } from '#web/head/site.ts'
import { InBrowser } from '#web/ui/layout.tsx'
import { Skeleton } from '#web/ui/notice.tsx'
import { Stack, Text } from '#web/ui/primitives.tsx'
import { later } from '#web/ui/still.tsx'

const ReceiptParts = later(async () => (await import('./receipt-parts.tsx')).ReceiptParts)

export function ReceiptPage({ content: { of } }: PageProps<'receipt'>) {
  const token = usePath().split('/')[2] ?? ''
  const loading = <Skeleton shape="card" count={3} label="Loading your receipt" />
  return (
    <Stack gap={6} className="reading">
      <Text as="h1" size="head">
        Your receipt
      </Text>
      <InBrowser fallback={loading}>
        <Suspense fallback={loading}>
          <ReceiptParts token={token} of={of} />
        </Suspense>
      </InBrowser>
    </Stack>
  )
}
