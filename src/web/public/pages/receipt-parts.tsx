import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import {
  getSupportReceipt,
  paymentOptions,
  unsubscribe,
  type ReceiptKind,
  type SupportReceipt,
} from '#contracts/payments.ts'
import { reportPath } from '#contracts/public-logs.ts'
import { useOpeningSearch } from '#web/address/location.ts'
import { call, CallError, sentenceOf } from '#web/api/call.ts'
import { fetchReceipt, followReceipt } from '#web/api/payments.ts'
import {
  momentText,
  NoReceipt,
  PayHere,
  PaymentDetails,
  PredictionButton,
  WriteToUs,
} from '#web/public/receipt/payment-details.tsx'
import { ReceiptView } from '#web/public/receipt/receipt-view.tsx'
import { InvoiceOffer } from '#web/public/submit/payment-screens.tsx'
import { canNotify, ContactBox } from '#web/public/submit/success-step.tsx'
import { ChangeButton, buttonClass } from '#web/ui/button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { during, pause } from '#web/ui/hooks.ts'
import { useLoaded } from '#web/ui/loaded.tsx'
import { DemonstrationNote, Notice, Skeleton } from '#web/ui/notice.tsx'
import { Stack, Failure } from '#web/ui/primitives.tsx'
import { satsText } from '#web/ui/show.ts'
import { useChange } from '#web/ui/use-change.ts'

/**
 * The receipt of a token with its actions.
 *
 * @param of kind of payment; null if not found
 */
export function ReceiptParts({
  token,
  of,
}: {
  readonly token: string
  readonly of: ReceiptKind | null
}) {
  if (of === null) return <NoReceipt />
  return of === 'payment' ? <OfPayment token={token} /> : <OfSubmission token={token} />
}

/** Polling intervals while an invoice is open, and while late sats may arrive. */
const OPEN_MS = 3_000
const LATE_MS = 30_000
const fetchSupportReceipt = (token: string, signal: AbortSignal) =>
  call(getSupportReceipt, { params: { checkingId: token }, signal })

function OfPayment({ token }: { readonly token: string }) {
  const receipt = useReceipt(token, fetchSupportReceipt, (last) => {
    if (last === null || last.open) return OPEN_MS
    return last.paid_at === null ? LATE_MS : null
  })
  return <ReceiptContent receipt={receipt} of={(data) => <SupportReceiptView receipt={data} />} />
}

/** Polling interval where server-sent events are blocked. */
const ASK_MS = 15_000

function OfSubmission({ token }: { readonly token: string }) {
  const receipt = useReceipt(token, fetchReceipt, () => ASK_MS, followReceipt)
  // Linked from mails; needs a press, because mail programs open links too.
  const isLeaving = new URLSearchParams(useOpeningSearch()).get('unsubscribe') === '1'
  return (
    <ReceiptContent
      receipt={receipt}
      of={(data) => (
        <>
          {isLeaving && <StopNotices token={token} />}
          <ReceiptView
            receipt={data}
            contactOffer={isLeaving ? null : <ContactOffer token={token} />}
            invoiceOffer={<InvoiceOffer token={token} onMade={receipt.ask} />}
          />
        </>
      )}
    />
  )
}

type LoadedReceipt<Data> = {
  readonly data: Data | null
  readonly error: unknown
  /** Fetches it immediately. */
  readonly ask: () => void
}

function ReceiptContent<Data>({
  receipt: { data, error, ask },
  of,
}: {
  readonly receipt: LoadedReceipt<Data>
  readonly of: (data: Data) => ReactNode
}) {
  if (isUnknown(error)) return <NoReceipt />
  if (data !== null) return of(data)
  if (error === null) return <Skeleton shape="card" count={3} label="Loading your receipt" />
  return (
    <Notice
      alert
      title="Your receipt could not be loaded"
      text={`${sentenceOf(error)} The receipt itself is not lost.`}
      onRetry={ask}
    />
  )
}

function isUnknown(error: unknown): boolean {
  return error instanceof CallError && error.code === 'not_found'
}

/**
 * A receipt that is polled.
 *
 * @param pauseOf ms until the next fetch, depending on the last result; null to stop
 * @param follow subscribes to updates on the stream
 */
function useReceipt<Data>(
  token: string,
  fetch: (token: string, signal: AbortSignal) => Promise<Data>,
  pauseOf: (last: Data | null) => number | null,
  follow?: (token: string, show: (data: Data) => void) => () => void,
): LoadedReceipt<Data> {
  const [found, setFound] = useState<Omit<LoadedReceipt<Data>, 'ask'>>({ data: null, error: null })
  const [attempt, setAttempt] = useState(0)
  const nextPause = useEffectEvent(pauseOf)

  useEffect(() => {
    let last: Data | null = null
    const show = (data: Data): void => {
      last = data
      setFound({ data, error: null })
    }
    const end = during(async (signal) => {
      for (;;) {
        try {
          if (last === null || !document.hidden) show(await fetch(token, signal))
        } catch (error) {
          signal.throwIfAborted()
          // A failed refresh keeps the previous data.
          setFound((before) => ({ ...before, error }))
          if (isUnknown(error)) return
        }
        const pauseMs = nextPause(last)
        if (pauseMs === null) return
        await pause(pauseMs, signal)
      }
    })
    const unfollow = follow?.(token, show)
    return () => {
      end()
      unfollow?.()
    }
  }, [token, fetch, follow, attempt])

  return { ...found, ask: () => setAttempt((count) => count + 1) }
}

function StopNotices({ token }: { readonly token: string }) {
  const [isStopped, setStopped] = useState(false)
  const change = useChange()
  async function stop(): Promise<void> {
    await call(unsubscribe, { params: { token }, body: {} })
    setStopped(true)
  }
  return (
    <Stack as="section" align="start" ruled aria-label="Notices">
      {isStopped ? (
        <p role="status">
          Done: you will get no more notices about this submission, and your contact has been
          deleted.
        </p>
      ) : (
        <>
          <p>Stop hearing about this submission?</p>
          <p>
            <ChangeButton look="primary" change={change} send={stop}>
              Stop the notices
            </ChangeButton>
          </p>
        </>
      )}
      <Failure message={change.message} />
    </Stack>
  )
}

function ContactOffer({ token }: { readonly token: string }) {
  // The receipt is complete without the options, so nothing is offered if they fail to load.
  const { data: options } = useLoaded(paymentOptions)
  const [isOpen, setOpen] = useState(true)
  if (!options || !canNotify(options) || !isOpen) return null
  return <ContactBox token={token} options={options} email="" onClose={() => setOpen(false)} />
}

const PURPOSES: Readonly<Record<SupportReceipt['purpose'], string>> = {
  submission: 'Submission',
  boost: 'Boost of a prediction',
  zap: 'Zap',
  support: 'Payment to our Lightning address',
  report: 'Deposit of a report',
}

function SupportReceiptView({ receipt }: { readonly receipt: SupportReceipt }) {
  const { prediction, paid_at: paidAt } = receipt
  return (
    <Stack as="article" gap={6}>
      {receipt.demonstration && <DemonstrationNote />}
      <p className="lead semibold" role="status">
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
      {prediction && <PredictionButton path={prediction.path} />}
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
