import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type SubmissionForm } from '#contracts/submissions.ts'
import { assetTexts, type Asset } from '#domain/asset.ts'
import { dayOfTime } from '#domain/day.ts'
import { payloadOf, type SubmissionFields } from '#domain/submission.ts'
import { dialogPlace, stepOn } from '#web/address/dialog-place.ts'
import { goTo } from '#web/address/location.ts'
import { sentenceOf } from '#web/api/call.ts'
import { notePaid, openInvoiceOf, tryOf, type OpenInvoice } from '#web/api/own-submissions.ts'
import { fetchOptions, fetchPreview, type PaymentOptions } from '#web/api/payments.ts'
import { followOwnSubmissions } from '#web/api/stored-submissions.ts'
import { faultsAt } from '#web/claim-form/values.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { onWindow } from '#web/ui/hooks.ts'
import { DemonstrationNote, Notice } from '#web/ui/notice.tsx'
import { Stack } from '#web/ui/primitives.tsx'
import {
  lookUpTries,
  PAID_MEANWHILE,
  paidMeanwhile,
  type EarlierTries,
  type Paid,
} from './open-payments.ts'
import { EarlierPaid, usePaymentOptions } from './payment-screens.tsx'
import { PaymentStep } from './payment-step.tsx'
import { NOTHING_WAITS, usePreview, type Waiting } from './submission-preview.tsx'
import { SubmitForm } from './submit-form.tsx'
import { SuccessStep } from './success-step.tsx'
import { contentOf, useSubmissionForm } from './use-submission-form.ts'

export function SubmitDialog({
  asset,
  onClose,
}: {
  readonly asset: Asset
  /** @param after called once the dialog is closed */
  readonly onClose: (after?: () => void) => void
}) {
  // The day the dialog was opened, which may be later than that of the page.
  const [today] = useState(() => dayOfTime(Date.now()))
  const form = useSubmissionForm(asset.key, today)
  const { element, now, content } = form
  const preview = usePreview(form.values, today)
  const { stage, toForm, toPayment, toSuccess } = useStage(() => close())
  const [options, setOptions] = usePaymentOptions()
  const [fault, setFault] = useState<string | null>(null)
  const [paidBefore, setPaidBefore] = useState<Paid | null>(null)
  // Earlier submissions are looked up once, unless something was sent since.
  const lookUp = useRef<AbortController>(null)

  const takeUp = useEffectEvent((found: EarlierTries, known: PaymentOptions) => {
    const own = found.find(({ one }) => one.content === content())
    const other = found.find(({ one, left }) => left.state === 'paid' && one !== own?.one)
    if (other) setPaidBefore(other.one)
    if (own?.left.state === 'paid') succeed(own.one.token, now().submitter_email)
    else if (own?.left.state === 'open') resume(known, own.left.invoice)
  })
  useEffect(() => {
    if (options === null || lookUp.current) return
    const leave = new AbortController()
    lookUp.current = leave
    lookUpTries(asset.key, () => true, leave.signal).then(
      (found) => takeUp(found, options),
      // If this fails, paying the form finds out.
      () => undefined,
    )
  }, [asset.key, options])

  useEffect(() => () => lookUp.current?.abort(), [])

  const isForm = stage.at === 'form'
  // Another tab with the same form may have an invoice to share.
  const share = useEffectEvent((known: PaymentOptions) => {
    const shared = openInvoiceOf(tryOf(asset.key, content()))
    if (shared) resume(known, shared)
  })
  useEffect(() => {
    if (!isForm || options === null) return
    return followOwnSubmissions(() => share(options))
  }, [isForm, options])

  function resume(known: PaymentOptions, resumed: OpenInvoice): void {
    const payload = payloadOf(now())
    toPayment({ payload, options: known, resumed, waiting: NOTHING_WAITS })
  }

  function succeed(token: string, email: string, paid: string = content()): void {
    notePaid(token)
    toSuccess({ token, email })
    if (content() === paid) form.finish()
  }

  async function pay(filled: SubmissionForm): Promise<void> {
    const payload = payloadOf(filled)
    setFault(null)
    lookUp.current?.abort()
    const leave = new AbortController()
    lookUp.current = leave
    try {
      const [known, paid, answer] = await Promise.all([
        fetchOptions(leave.signal),
        paidMeanwhile(asset.key, contentOf(payload), leave.signal),
        // The hint is not a requirement.
        fetchPreview(payload, leave.signal).catch(() => null),
      ])
      if (leave.signal.aborted) return
      setOptions(known)
      if (paid) {
        setPaidBefore(paid)
        setFault(PAID_MEANWHILE)
        return
      }
      const waiting = answer?.waiting ?? NOTHING_WAITS
      const resumed = openInvoiceOf(tryOf(asset.key, contentOf(payload)))
      if (known.open) toPayment({ payload, options: known, resumed, waiting })
    } catch (error) {
      if (leave.signal.aborted) return
      setFault(`${sentenceOf(error)} Nothing you typed is lost; please try again.`)
    }
  }

  function close(): void {
    const isElsewhere = stage.at === 'success' && window.location.pathname !== asset.route
    onClose(isElsewhere ? () => goTo(asset.route) : undefined)
  }

  const isClosed = options !== null && !options.open
  return (
    <Dialog
      title={{ form: assetTexts(asset).submitTitle, ...TITLES }[stage.at]}
      size={stage.at === 'form' ? 'form' : 'step'}
      onClose={close}
    >
      {stage.at === 'form' && isClosed && (
        <Notice title="Submitting is closed" text={options.closed_because ?? ''} />
      )}
      <Stack gap={4} hidden={stage.at !== 'form' || isClosed}>
        {options?.demonstration && <DemonstrationNote />}
        {options?.checking && (
          <p role="status">
            The wallet of this site is still being checked. You can fill in the form; an invoice may
            take a little longer.
          </p>
        )}
        {paidBefore && <EarlierPaid {...paidBefore} />}
        <SubmitForm
          asset={asset}
          form={form}
          element={element}
          preview={preview}
          today={today}
          fault={fault}
          onValid={pay}
        />
      </Stack>
      {stage.at === 'payment' && (
        <PaymentStep
          payload={stage.payload}
          preview={preview}
          options={stage.options}
          asset={asset.key}
          waiting={stage.waiting}
          resumed={stage.resumed}
          lastAsk={form.asked}
          onFaults={(found) => {
            const isForm = form.showFaults(faultsAt(found, now().prediction_type))
            if (isForm) toForm()
            return isForm
          }}
          onBack={toForm}
          onPaid={(token) =>
            succeed(token, stage.payload.submitter_email ?? '', contentOf(stage.payload))
          }
        />
      )}
      {stage.at === 'success' && (
        <SuccessStep token={stage.token} options={options} email={stage.email} onClose={close} />
      )}
    </Dialog>
  )
}

const TITLES = { payment: 'Pay with Lightning', success: 'Thank you' } as const

type Payment = {
  readonly payload: SubmissionFields
  readonly options: PaymentOptions
  readonly resumed: OpenInvoice | null
  readonly waiting: Waiting
}

type Success = { readonly token: string; readonly email: string }

type Stage =
  | { readonly at: 'form' }
  | ({ readonly at: 'payment' } & Payment)
  | ({ readonly at: 'success' } & Success)

/**
 * The stage of the submit dialog: form at `#submit`, payment at `#pay`. Back returns from the payment to the form with
 * its input; an open invoice is found again on the next payment.
 *
 * @param onLeft called when Back leaves a finished submission
 */
function useStage(onLeft: () => void) {
  const [stage, setStage] = useState<Stage>({ at: 'form' })

  const stepped = useEffectEvent(() => {
    // Forward may lead to a payment that was left; show the form instead.
    if (dialogPlace() === 'pay' && stage.at === 'form')
      history.replaceState(history.state, '', '#submit')
    if (dialogPlace() !== 'submit') return
    if (stage.at === 'payment') setStage({ at: 'form' })
    else if (stage.at === 'success') onLeft()
  })
  useEffect(() => onWindow(['popstate'], () => stepped()), [])

  return {
    stage,
    toForm: (): void => {
      setStage({ at: 'form' })
      if (dialogPlace() === 'pay') history.back()
    },
    toPayment: (payment: Payment): void => {
      setStage({ at: 'payment', ...payment })
      stepOn('submit', 'pay')
    },
    toSuccess: (success: Success): void => {
      setStage({ at: 'success', ...success })
    },
  }
}
