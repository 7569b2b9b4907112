import { payWithDemonstration } from '#contracts/payments.ts'
import { readDay, showDay } from '#domain/day.ts'
import { isPaid } from '#domain/money/invoice.ts'
import { call } from '#web/api/call.ts'
import { type OpenInvoice } from '#web/api/own-submissions.ts'
import { type Receipt, WALLET_PATIENCE } from '#web/api/payments.ts'
import { useSite } from '#web/head/site.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { useAnswer } from '#web/ui/hooks.ts'
import { Invoice } from '#web/ui/invoice.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Row, Section, Text, Note } from '#web/ui/primitives.tsx'
import { satsText } from '#web/ui/show.ts'

type Try = Pick<
  Receipt['payment']['tries'][number],
  'checking_id' | 'sats' | 'created_at' | 'status' | 'payment_hash' | 'preimage' | 'bolt11'
>

export function PaymentDetails({ tries }: { readonly tries: readonly Try[] }) {
  if (tries.length === 0) return null
  return (
    <Section align="start" ruled title={tries.length === 1 ? 'The payment' : 'The payments'}>
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
          {/* An open invoice is shown above, and an ended one must not be paid. */}
          {one.bolt11 !== null && isPaid(one.status) && (
            <Secret name="Lightning invoice" text={one.bolt11} />
          )}
        </Facts>
      ))}
      {tries.some((one) => one.preimage !== null) && (
        <Note>
          The proof of payment is the preimage: its SHA-256 is the payment hash, and only the one
          who was paid could reveal it. Your wallet holds the same one.
        </Note>
      )}
    </Section>
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

/** Computes the SHA-256 of a proof of payment in the browser and compares it with the payment hash. */
function ProofCheck({ preimage, hash }: { readonly preimage: string; readonly hash: string }) {
  const { data: found } = useAnswer(preimage, () => sha256(preimage))
  // Unencrypted pages lack `crypto.subtle`.
  if (found === undefined) return <code>{`echo -n ${preimage} | xxd -r -p | sha256sum`}</code>
  return (
    <>
      <Text as="code" size="small">
        {found}
      </Text>{' '}
      {found === hash.toLowerCase()
        ? 'Computed in your browser: it is the payment hash.'
        : 'Computed in your browser: it is not the payment hash.'}
    </>
  )
}

async function sha256(hex: string): Promise<string> {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function PayHere({
  bolt11,
  checkingId,
  demonstration,
}: Pick<OpenInvoice, 'bolt11' | 'checkingId' | 'demonstration'>) {
  return (
    <Section align="start" ruled title="Pay it here">
      <Invoice
        bolt11={bolt11}
        onDemonstration={
          demonstration
            ? () => call(payWithDemonstration, { params: { checkingId }, ...WALLET_PATIENCE })
            : null
        }
      />
    </Section>
  )
}

/** `20/11/2026 12:01 UTC` */
export function momentText(moment: string): string {
  const day = readDay(moment)
  return day === null ? 'N/A' : `${showDay(day)} ${moment.slice(11, 16)} UTC`
}

export function PredictionButton({ path }: { readonly path: string }) {
  return (
    <p>
      <a className={buttonClass('primary')} href={path}>
        Open the prediction
      </a>
    </p>
  )
}

export function WriteToUs({ path }: { readonly path: string }) {
  return (
    <Section align="start" ruled title="Something wrong?">
      <Address path={path} />
    </Section>
  )
}

function Address({ path }: { readonly path: string }) {
  const { origin, contacts } = useSite()
  const { email, nostr, social } = contacts
  if (email !== null) {
    const [subject, body] = ['A receipt', `${origin}${path}`].map(encodeURIComponent)
    return (
      <p>
        Write to <a href={`mailto:${email}?subject=${subject ?? ''}&body=${body ?? ''}`}>{email}</a>{' '}
        with the address of this receipt.
      </p>
    )
  }
  const profile = nostr ?? social
  return profile === null ? (
    <p>
      The operator of this site has given no address to write to yet. Keep the address of this
      receipt: it proves what was paid.
    </p>
  ) : (
    <p>
      Write to{' '}
      <a href={profile} rel="noopener">
        {nostr === null ? 'the profile of this site' : 'this site over Nostr'}
      </a>{' '}
      in private, with the address of this receipt: anyone with it can read this page.
    </p>
  )
}

export function NoReceipt() {
  return (
    <Notice
      title="No receipt at this address"
      text="Its address may have been cut short: please open the full address. What is never paid is removed after 30 days, together with its receipt."
    />
  )
}
