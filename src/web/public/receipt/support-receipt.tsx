import { reportPath } from '#contracts/reports-log.ts'
import { useEffect, useState } from 'react'
import { fetchSupportReceipt, type SupportReceipt } from '#web/api/payments.ts'
import { CallError, sentenceOf } from '#web/api/call.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { DemonstrationNote, Notice, Skeleton } from '#web/ui/loaded.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { satsText } from '#web/ui/show.ts'
import { Stack } from '#web/ui/primitives.tsx'
import { momentText, NoReceipt, PayHere, PaymentDetails, WriteToUs } from './payment-details.tsx'
import css from './receipt-view.module.css'

/** The pause between fetches while its invoice can be paid, and while sats may still be on their way. */
const ASK_MS = 3_000
const ASK_LATE_MS = 30_000
const PURPOSES: Readonly<Record<SupportReceipt['purpose'], string>> = {
  submission: 'Submission',
  boost: 'Boost of a prediction',
  zap: 'Zap',
  support: 'Payment to our Lightning address',
  report: 'Deposit of a report',
}

type Shown = SupportReceipt | { readonly failed: string } | null

export function SupportByToken({ token }: { readonly token: string }) {
  const [shown, setShown] = useState<Shown | 'unknown'>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const leave = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let pauseMs = ASK_MS
    const ask = (): void => {
      fetchSupportReceipt(token, leave.signal).then(
        (receipt) => {
          setShown(receipt)
          pauseMs = receipt.open ? ASK_MS : ASK_LATE_MS
          if (receipt.paid_at === null) timer = setTimeout(ask, pauseMs)
        },
        (error: unknown) => {
          if (leave.signal.aborted) return
          const isUnknown = error instanceof CallError && error.code === 'not_found'
          if (!isUnknown) timer = setTimeout(ask, pauseMs)
          // What was shown before outlives a failed look.
          setShown((before) =>
            isUnknown
              ? 'unknown'
              : before !== null && before !== 'unknown' && 'path' in before
                ? before
                : { failed: sentenceOf(error) },
          )
        },
      )
    }
    ask()
    return () => {
      leave.abort()
      clearTimeout(timer)
    }
  }, [token, attempt])

  if (shown === null) return <Skeleton shape="card" count={3} label="Loading your receipt" />
  if (shown === 'unknown') return <NoReceipt />
  if ('failed' in shown) {
    return (
      <Notice
        alert
        title="Your receipt could not be loaded"
        text={`${shown.failed} The receipt itself is not lost.`}
        onRetry={() => setAttempt((count) => count + 1)}
      />
    )
  }
  return <SupportView receipt={shown} />
}

function SupportView({ receipt }: { readonly receipt: SupportReceipt }) {
  const { prediction, paid_at: paidAt } = receipt
  return (
    <Stack as="article" gap={6}>
      {receipt.demonstration && <DemonstrationNote />}
      <p className={css.state} role="status">
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
