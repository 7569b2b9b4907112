import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type Asset } from '#domain/asset.ts'
import { dayOfTime } from '#domain/day.ts'
import { payloadOf, type SubmissionFields } from '#domain/submission.ts'
import { sentenceOf } from '#web/api/call.ts'
import { fetchOptions, type PaymentOptions } from '#web/api/payments.ts'
import { goTo } from '#web/location.ts'
import { DemonstrationNote } from '#web/ui/demonstration-note.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { EarlierPaid } from './earlier-paid.tsx'
import { PaymentStep } from './payment-step.tsx'
import { leftOpen } from './left-open.ts'
import { SubmitForm } from './submit-form.tsx'
import css from './submit-dialog.module.css'
import { SuccessStep } from './success-step.tsx'
import { usePreview } from './use-preview.ts'
import { showFaults, useSubmissionForm } from './use-submission-form.ts'
import { type OpenInvoice } from './watch-payment.ts'

type Stage =
  | { readonly at: 'form' }
  | {
      readonly at: 'payment'
      readonly payload: SubmissionFields
      readonly options: PaymentOptions
      readonly resumed: OpenInvoice | null
      /** The receipt of a form that has been changed since. */
      readonly earlier: string | null
    }
  | { readonly at: 'success'; readonly token: string; readonly email: string }

/** Submitting a prediction: the form, its payment, and what comes after. */
export function SubmitDialog({
  asset,
  onClose,
}: {
  readonly asset: Asset
  readonly onClose: () => void
}) {
  // The day the dialog was opened; the page may have been open for longer.
  const [today] = useState(() => dayOfTime(Date.now()))
  const draft = useSubmissionForm(asset.key, today)
  const { form, receipt, isTried, setTry, dropTry, finish } = draft
  const values = useWatch({ control: form.control, compute: (all) => ({ ...all }) })
  const preview = usePreview(values, today)
  const [stage, setStage] = useState<Stage>({ at: 'form' })
  const [options, setOptions] = useState<PaymentOptions | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [paidBefore, setPaidBefore] = useState<{ token: string; what: string } | null>(null)
  // What an earlier visit left is looked up once, and no more when something has been sent since.
  const lookUp = useRef<AbortController>(null)

  useEffect(() => {
    const leave = new AbortController()
    fetchOptions(leave.signal).then(setOptions, () => {
      // The form can be filled in meanwhile; it is asked again before paying.
    })
    return () => leave.abort()
  }, [])

  useEffect(() => {
    if (receipt === null || options === null || lookUp.current) return
    const leave = new AbortController()
    lookUp.current = leave
    leftOpen(receipt, leave.signal).then(
      (left) => {
        if (leave.signal.aborted) return
        if (left.state === 'gone') dropTry()
        else if (left.state === 'paid') {
          if (isTried()) succeed(receipt, form.getValues('submitter_email'))
          else {
            dropTry()
            setPaidBefore({ token: receipt, what: left.what })
          }
        } else if (left.state === 'open' && isTried()) {
          const payload = payloadOf(form.getValues())
          setStage({ at: 'payment', payload, options, resumed: left.invoice, earlier: null })
        }
      },
      // It is found out when the form is paid.
      () => undefined,
    )
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- as said above
  }, [options])

  useEffect(() => () => lookUp.current?.abort(), [])

  /** The form is emptied if it holds what has been paid. */
  function succeed(token: string, email: string): void {
    setStage({ at: 'success', token, email })
    if (isTried()) finish()
    else dropTry()
  }

  async function pay(payload: SubmissionFields): Promise<void> {
    setFault(null)
    lookUp.current ??= new AbortController()
    lookUp.current.abort()
    const earlier = isTried() ? null : receipt
    if (!isTried()) dropTry()
    try {
      const now = await fetchOptions()
      setOptions(now)
      if (now.open) setStage({ at: 'payment', payload, options: now, resumed: null, earlier })
    } catch (error) {
      setFault(`${sentenceOf(error)} Nothing you typed is lost; please try again.`)
    }
  }

  function close(): void {
    onClose()
    if (stage.at === 'success' && window.location.pathname !== asset.route) goTo(asset.route)
  }

  const isClosed = options !== null && !options.open
  return (
    <Dialog
      title={titleOf(stage, asset)}
      size={stage.at === 'form' ? 'form' : 'step'}
      onClose={close}
    >
      {stage.at === 'form' && isClosed && (
        <Notice title="Submitting is closed" text={options.closed_because ?? ''} />
      )}
      <div className={css.form} hidden={stage.at !== 'form' || isClosed}>
        {options?.demonstration && <DemonstrationNote />}
        {paidBefore && <EarlierPaid {...paidBefore} />}
        <SubmitForm
          asset={asset}
          form={form}
          preview={preview}
          today={today}
          fault={fault}
          onValid={pay}
        />
      </div>
      {stage.at === 'payment' && (
        <PaymentStep
          payload={stage.payload}
          preview={preview}
          options={stage.options}
          receipt={receipt}
          earlier={stage.earlier}
          resumed={stage.resumed}
          onReceipt={(token) => setTry(token, stage.payload)}
          onDrop={dropTry}
          lastAsked={draft.lastAsked}
          onAsked={draft.setAsked}
          onFaults={(faults) => {
            const isForm = showFaults(form, faults)
            if (isForm) setStage({ at: 'form' })
            return isForm
          }}
          onBack={() => setStage({ at: 'form' })}
          onPaid={(token) => succeed(token, stage.payload.submitter_email ?? '')}
        />
      )}
      {stage.at === 'success' && (
        <SuccessStep token={stage.token} options={options} email={stage.email} onClose={close} />
      )}
    </Dialog>
  )
}

function titleOf({ at }: Stage, asset: Asset): string {
  switch (at) {
    case 'form':
      return asset.texts.submitTitle
    case 'payment':
      return 'Pay with Lightning'
    case 'success':
      return 'Thank you'
  }
}
