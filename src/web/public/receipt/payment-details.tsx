import { isPaid } from '#domain/money/invoice.ts'
import { type Receipt } from '#web/api/payments.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { satsText } from '#web/ui/sats-text.ts'
import { ProofCheck } from './proof-check.tsx'
import { momentText } from './moment-text.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'

type Try = Pick<
  Receipt['payment']['tries'][number],
  'checking_id' | 'sats' | 'created_at' | 'status' | 'payment_hash' | 'preimage' | 'bolt11'
>

/** Each try to pay, by what wallets know it by, with the proof of those that were paid. */
export function PaymentDetails({ tries }: { readonly tries: readonly Try[] }) {
  if (tries.length === 0) return null
  return (
    <Stack as="section" align="start" ruled>
      <Text as="h2" size="title">
        {tries.length === 1 ? 'The payment' : 'The payments'}
      </Text>
      {tries.map((one) => (
        <Facts key={one.checking_id}>
          <Fact name="Invoice">
            {satsText(one.sats)}, {momentText(one.created_at)}: {STATE[one.status]}
          </Fact>
          {one.payment_hash !== null && <Secret name="Payment hash" text={one.payment_hash} />}
          {one.preimage !== null && <Secret name="Proof of payment" text={one.preimage} />}
          {one.preimage !== null && one.payment_hash !== null && (
            <Fact name="Its SHA-256">
              <ProofCheck preimage={one.preimage} hash={one.payment_hash} />
            </Fact>
          )}
          {/* One that waits is above, to be paid; one that has ended is not to be paid. */}
          {one.bolt11 !== null && isPaid(one.status) && (
            <Secret name="Lightning invoice" text={one.bolt11} />
          )}
        </Facts>
      ))}
      {tries.some((one) => one.preimage !== null) && (
        <Text tone="quiet" size="small">
          The proof of payment is the preimage: its SHA-256 is the payment hash, and only the one
          who was paid could reveal it. Your wallet holds the same one.
        </Text>
      )}
    </Stack>
  )
}

function Secret({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <Fact name={name}>
      <Row>
        <Text as="code" size="small">
          {text}
        </Text>
        <CopyButton text={text} label="Copy" done={`${name} copied!`} />
      </Row>
    </Fact>
  )
}

const STATE: Readonly<Record<Try['status'], string>> = {
  creating: 'not shown',
  failed: 'not shown',
  pending: 'waiting for payment',
  expired: 'expired',
  cancelled: 'cancelled',
  paid: 'paid',
  paid_late: 'paid late',
  overpaid: 'paid in addition',
}
