import { type ReceiptKind } from '#contracts/payments.ts'
import { InvoiceOffer } from '#web/public/submit/payment-screens.tsx'
import { useCallback, useEffect, useState } from 'react'
import { useOpeningSearch } from '#web/address/location.ts'
import { Notice, Skeleton, useLoaded } from '#web/ui/loaded.tsx'
import { NoReceipt } from '#web/public/receipt/payment-details.tsx'
import { ReceiptView } from '#web/public/receipt/receipt-view.tsx'
import { SupportByToken } from '#web/public/receipt/support-receipt.tsx'
import { CallError, sentenceOf } from '#web/api/call.ts'
import {
  fetchReceipt,
  followReceipt,
  type Receipt,
  stopNotices,
  fetchOptions,
} from '#web/api/payments.ts'
import { type Loading } from '#web/ui/loading.ts'
import { Button } from '#web/ui/button.tsx'
import { Stack, Failure } from '#web/ui/primitives.tsx'
import { canNotify, ContactBox } from '#web/public/submit/success-step.tsx'

/** The receipt behind a token with what can be done from it. @param of what it is of; null where there is none */
export function ReceiptParts({
  token,
  of,
}: {
  readonly token: string
  readonly of: ReceiptKind | null
}) {
  if (of === null) return <NoReceipt />
  return of === 'payment' ? <SupportByToken token={token} /> : <OfSubmission token={token} />
}

function OfSubmission({ token }: { readonly token: string }) {
  const [receipt, ask] = useReceipt(token)
  // As the mails link it; a press does it, since programs open links too.
  const isLeaving = new URLSearchParams(useOpeningSearch()).get('unsubscribe') === '1'
  switch (receipt.state) {
    case 'pending':
      return <Skeleton shape="card" count={3} label="Loading your receipt" />
    case 'failed':
      return (
        <Notice
          alert
          title="Your receipt could not be loaded"
          text={`${receipt.message} The receipt itself is not lost.`}
          onRetry={receipt.retry}
        />
      )
    case 'unknown':
      return <NoReceipt />
    case 'ready':
      return (
        <>
          {isLeaving && <StopNotices token={token} />}
          <ReceiptView
            receipt={receipt.data}
            contactOffer={isLeaving ? null : <ContactOffer token={token} />}
            invoiceOffer={<InvoiceOffer token={token} onMade={ask} />}
          />
        </>
      )
  }
}

type ReceiptState = Loading<Receipt> | { readonly state: 'unknown' }

/** The pause between fetches of an unfinished receipt where events are blocked. */
const ASK_MS = 15_000

function useReceipt(token: string): readonly [ReceiptState, ask: () => void] {
  const [shown, setShown] = useState<ReceiptState>({ state: 'pending' })
  const [attempt, setAttempt] = useState(0)

  const askAgain = useCallback(() => setAttempt((count) => count + 1), [])

  useEffect(() => {
    const leave = new AbortController()
    const show = (data: Receipt): void => setShown({ state: 'ready', data })
    const ask = (): void => {
      fetchReceipt(token, leave.signal).then(show, (error: unknown) => {
        if (leave.signal.aborted) return
        if (error instanceof CallError && error.code === 'not_found') {
          setShown({ state: 'unknown' })
          return
        }
        // What was shown before outlives a failed look.
        setShown((before) =>
          before.state === 'ready'
            ? before
            : {
                state: 'failed',
                message: sentenceOf(error),
                retry: askAgain,
              },
        )
      })
    }
    ask()
    const unfollow = followReceipt(token, show)
    const timer = setInterval(() => {
      if (!document.hidden) ask()
    }, ASK_MS)
    return () => {
      leave.abort()
      unfollow()
      clearInterval(timer)
    }
  }, [token, attempt, askAgain])

  return [shown, askAgain]
}

function StopNotices({ token }: { readonly token: string }) {
  const [state, setState] = useState<'open' | 'sending' | 'stopped'>('open')
  const [fault, setFault] = useState<string | null>(null)

  async function stop(): Promise<void> {
    setState('sending')
    setFault(null)
    try {
      await stopNotices(token)
      setState('stopped')
    } catch (error) {
      setFault(sentenceOf(error))
      setState('open')
    }
  }

  return (
    <Stack as="section" align="start" ruled aria-label="Notices">
      {state === 'stopped' ? (
        <p role="status">
          Done: you will get no more notices about this submission, and your contact has been
          deleted.
        </p>
      ) : (
        <>
          <p>Stop hearing about this submission?</p>
          <p>
            <Button look="primary" disabled={state === 'sending'} onClick={() => void stop()}>
              Stop the notices
            </Button>
          </p>
        </>
      )}
      <Failure said={fault} />
    </Stack>
  )
}

function ContactOffer({ token }: { readonly token: string }) {
  // Without an answer nothing is offered; the receipt is complete without it.
  const { data: options } = useLoaded(fetchOptions)
  const [isOpen, setOpen] = useState(true)
  if (!options || !canNotify(options) || !isOpen) return null
  return <ContactBox token={token} options={options} email="" onClose={() => setOpen(false)} />
}
