import { type ComponentType, type ReactNode } from 'react'
import { useOpeningSearch } from '#web/address/location.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ReceiptView } from './receipt-view.tsx'
import { StopNotices } from './stop-notices.tsx'
import { SupportByToken } from './support-receipt.tsx'
import { useReceipt } from './use-receipt.ts'

/** The receipt behind a token, in whatever state it is. */
export function ReceiptByToken({
  token,
  contactOffer,
  offerOf: Offer,
}: {
  readonly token: string
  /** Takes a contact for notices. */
  readonly contactOffer: ReactNode
  /** Makes a new invoice, and calls back when there is one. */
  readonly offerOf: ComponentType<{ token: string; onMade: () => void }>
}) {
  const [receipt, ask] = useReceipt(token)
  // As the mails link it; a press does it, since programs open links too.
  const isLeaving = new URLSearchParams(useOpeningSearch()).get('unsubscribe') === '1'
  switch (receipt.state) {
    case 'pending':
      return <Skeleton shape="card" count={3} label="Loading your receipt" />
    case 'failed':
      return (
        <Notice
          alert
          title="Your receipt could not be loaded"
          text={`${receipt.message} The receipt itself is not lost.`}
          onRetry={receipt.retry}
        />
      )
    case 'unknown':
      return (
        <SupportByToken
          token={token}
          unknown={
            <Notice
              title="No receipt at this address"
              text="Its address may have been cut short: please open the full address. A submission that is never paid is removed after 30 days, together with its receipt."
            />
          }
        />
      )
    case 'ready':
      return (
        <>
          {isLeaving && <StopNotices token={token} />}
          <ReceiptView
            receipt={receipt.data}
            contactOffer={isLeaving ? null : contactOffer}
            invoiceOffer={<Offer token={token} onMade={ask} />}
          />
        </>
      )
  }
}
