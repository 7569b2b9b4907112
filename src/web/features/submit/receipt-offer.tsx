import { receiptPath } from '#contracts/receipt.ts'
import { useSite } from '#web/site.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import css from './receipt-offer.module.css'

/** The address of the receipt, to keep as a link or to take to another device by camera. */
export function ReceiptOffer({ token }: { readonly token: string }) {
  const { origin } = useSite()
  const path = receiptPath(token)
  return (
    <details className={css.offer}>
      <summary>Your receipt: keep its address</summary>
      <div className={css.content}>
        <p>
          It shows in any browser how payment and review stand. Whoever has the address can read it.
        </p>
        <QrCode text={origin + path} label="Address of your receipt as a QR code" />
        <div className={css.actions}>
          <a href={path} target="_blank" rel="noreferrer">
            Open your receipt
          </a>
          <CopyButton text={origin + path} label="Copy link" done="Receipt link copied!" />
        </div>
      </div>
    </details>
  )
}
