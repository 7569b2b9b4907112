import { type Receipt } from '#web/api/payments.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { satsText } from '#web/ui/sats-text.ts'
import { momentText } from './moment-text.ts'
import css from './receipt-view.module.css'

type Try = Receipt['payment']['tries'][number]

/** Each try to pay, by what wallets know it by, with the proof of those that were paid. */
export function PaymentDetails({ tries }: { readonly tries: readonly Try[] }) {
  if (tries.length === 0) return null
  return (
    <section className={css.section}>
      <h2>{tries.length === 1 ? 'The payment' : 'The payments'}</h2>
      {tries.map((one) => (
        <dl key={one.checking_id} className={css.facts}>
          <dt>Invoice</dt>
          <dd>
            {satsText(one.sats)}, {momentText(one.created_at)}: {STATE[one.status]}
          </dd>
          {one.payment_hash !== null && <Secret name="Payment hash" text={one.payment_hash} />}
          {one.preimage !== null && <Secret name="Proof of payment" text={one.preimage} />}
        </dl>
      ))}
      {tries.some((one) => one.preimage !== null) && (
        <p className={css.quiet}>
          The proof of payment is the preimage: its SHA-256 is the payment hash, and only the one
          who was paid could reveal it. Your wallet holds the same one.
        </p>
      )}
    </section>
  )
}

function Secret({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={css.hash}>
        <code>{text}</code> <CopyButton text={text} label="Copy" done={`${name} copied!`} />
      </dd>
    </>
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
