import { receiptPath } from '#contracts/receipt.ts'
import { useSite } from '#web/head/site.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import css from './receipt-offer.module.css'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** The address of the receipt, to keep as a link or to take to another device by camera. */
export function ReceiptOffer({ token }: { readonly token: string }) {
  const { origin } = useSite()
  const path = receiptPath(token)
  return (
    <Stack gap={1} className={css.offer}>
      <Row gap={4} tight justify="between" className={css.actions}>
        <a href={path} target="_blank" rel="noreferrer">
          Open your receipt
        </a>
        <CopyButton text={origin + path} label="Copy link" done="Receipt link copied!" />
      </Row>
      <Text tone="quiet" size="small">
        It shows what became of the payment in any browser. Anyone with the address can read it.
      </Text>
      <details>
        <summary>Take it to another device</summary>
        <QrCode text={origin + path} label="Address of your receipt as a QR code" />
      </details>
    </Stack>
  )
}
