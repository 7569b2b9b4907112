import { type ComponentType, type ReactNode } from 'react'
import { type ReceiptKind } from '#contracts/receipt.ts'
import { useOpeningSearch } from '#web/address/location.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { NoReceipt } from './no-receipt.tsx'
import { ReceiptView } from './receipt-view.tsx'
import { StopNotices } from './stop-notices.tsx'
import { SupportByToken } from './support-receipt.tsx'
import { useReceipt } from './use-receipt.ts'

type Props = {
  readonly token: string
  /** Takes a contact for notices. */
  readonly contactOffer: ReactNode
  /** Makes a new invoice, and calls back when there is one. */
  readonly offerOf: ComponentType<{ token: string; onMade: () => void }>
}

/** The receipt behind a token, in whatever state it is. @param of what it is of; null where there is none */
export function ReceiptByToken({ of, ...props }: Props & { readonly of: ReceiptKind | null }) {
  if (of === null) return <NoReceipt />
  return of === 'payment' ? <SupportByToken token={props.token} /> : <OfSubmission {...props} />
}

function OfSubmission({ token, contactOffer, offerOf: Offer }: Props) {
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
      return <NoReceipt />
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
