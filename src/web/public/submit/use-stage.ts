import { useEffect, useEffectEvent, useState } from 'react'
import { type SubmissionFields } from '#domain/submission.ts'
import { dialogPlace, stepOn } from '#web/address/dialog-place.ts'
import { type PaymentOptions } from '#web/api/payments.ts'
import { type OpenInvoice } from '#web/api/own-submissions.ts'
import { type Waiting } from './already-submitted.tsx'

type Payment = {
  readonly payload: SubmissionFields
  readonly options: PaymentOptions
  readonly resumed: OpenInvoice | null
  /** Submissions that say the same, shown before anything is paid. */
  readonly waiting: Waiting
}

type Success = { readonly token: string; readonly email: string }

export type Stage =
  | { readonly at: 'form' }
  | ({ readonly at: 'payment' } & Payment)
  | ({ readonly at: 'success' } & Success)

/**
 * Where the submit dialog is: its form at `#submit`, its payment at `#pay`. Back leads from the payment to the form,
 * which has what was typed; an invoice that is open is found again when it is paid.
 *
 * @param onLeft called when Back leads away from what is done
 */
export function useStage(onLeft: () => void) {
  const [stage, setStage] = useState<Stage>({ at: 'form' })

  const stepped = useEffectEvent(() => {
    // Forward leads to a payment that was left: the form is what there is.
    if (dialogPlace() === 'pay' && stage.at === 'form')
      history.replaceState(history.state, '', '#submit')
    if (dialogPlace() !== 'submit') return
    if (stage.at === 'payment') setStage({ at: 'form' })
    else if (stage.at === 'success') onLeft()
  })
  useEffect(() => {
    const listen = (): void => stepped()
    window.addEventListener('popstate', listen)
    return () => window.removeEventListener('popstate', listen)
  }, [])

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
