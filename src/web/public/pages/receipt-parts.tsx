import { type ReceiptKind } from '#contracts/receipt.ts'
import { ReceiptByToken } from '#web/public/receipt/receipt.tsx'
import { ContactOffer } from '#web/public/submit/contact-offer.tsx'
import { InvoiceOffer } from '#web/public/submit/invoice-offer.tsx'

/** A receipt with what can be done from it; loaded with the first receipt. */
export function ReceiptParts({
  token,
  of,
}: {
  readonly token: string
  readonly of: ReceiptKind | null
}) {
  return (
    <ReceiptByToken
      token={token}
      of={of}
      contactOffer={<ContactOffer token={token} />}
      offerOf={InvoiceOffer}
    />
  )
}
