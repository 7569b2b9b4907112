import { ReceiptByToken } from '#web/features/receipt/receipt.tsx'
import { ContactOffer } from '#web/features/submit/contact-offer.tsx'
import { InvoiceOffer } from '#web/features/submit/invoice-offer.tsx'

/** A receipt with what can be done from it; loaded with the first receipt. */
export function ReceiptParts({ token }: { readonly token: string }) {
  return (
    <ReceiptByToken
      token={token}
      contactOffer={<ContactOffer token={token} />}
      offerOf={InvoiceOffer}
    />
  )
}
