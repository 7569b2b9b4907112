import { reportPath } from '#contracts/reports-log.ts'
import { type SupportReceipt } from '#web/api/payments.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { DemonstrationNote } from '#web/ui/notice.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { satsText } from '#web/ui/show.ts'
import { Stack } from '#web/ui/primitives.tsx'
import { momentText, PayHere, PaymentDetails, WriteToUs } from './payment-details.tsx'

const PURPOSES: Readonly<Record<SupportReceipt['purpose'], string>> = {
  submission: 'Submission',
  boost: 'Boost of a prediction',
  zap: 'Zap',
  support: 'Payment to our Lightning address',
  report: 'Deposit of a report',
}

export function SupportReceiptView({ receipt }: { readonly receipt: SupportReceipt }) {
  const { prediction, paid_at: paidAt } = receipt
  return (
    <Stack as="article" gap={6}>
      {receipt.demonstration && <DemonstrationNote />}
      <p className="lead medium" role="status">
        {receipt.state}
      </p>
      <Facts>
        <Fact name="For">{PURPOSES[receipt.purpose]}</Fact>
        <Fact name="Amount">{satsText(receipt.sats)}</Fact>
        <Fact name="Paid">{paidAt === null ? null : momentText(paidAt)}</Fact>
        <Fact name="Prediction">{prediction && <bdi>{prediction.text}</bdi>}</Fact>
        <Fact name="Added to its score">
          {receipt.credited_sats > 0 ? satsText(receipt.credited_sats) : null}
        </Fact>
      </Facts>
      {prediction && (
        <p>
          <a className={buttonClass('primary')} href={prediction.path}>
            Open the prediction
          </a>
        </p>
      )}
      {receipt.report !== null && paidAt !== null && (
        <p>
          <a className={buttonClass('primary')} href={reportPath(receipt.report)}>
            See the report
          </a>
        </p>
      )}
      {receipt.open && receipt.bolt11 !== null && (
        <PayHere
          bolt11={receipt.bolt11}
          checkingId={receipt.checking_id}
          demonstration={receipt.demonstration}
        />
      )}
      <PaymentDetails tries={[receipt]} />
      <WriteToUs path={receipt.path} />
    </Stack>
  )
}
