import { receiptPath } from '#contracts/receipt.ts'
import { type SubmissionPreview } from '#web/api/payments.ts'
import css from './submission-preview.module.css'
import { Callout } from '#web/ui/text.tsx'

/** Submissions that say the same and are not published. */
export type Waiting = SubmissionPreview['waiting']

export function isWaiting({ own, others }: Waiting): boolean {
  return own.length > 0 || others
}

/** Says before the payment that the same has been submitted already. */
export function AlreadySubmitted({ waiting }: { readonly waiting: Waiting }) {
  if (!isWaiting(waiting)) return null
  return (
    <Callout as="div" tone="wait" gap={1} strong className={css.warning}>
      {waiting.own.map(({ receipt, status }) => (
        <p key={receipt}>
          {OWN[status]}{' '}
          <a href={receiptPath(receipt)} target="_blank" rel="noreferrer">
            Open its receipt
          </a>
        </p>
      ))}
      {waiting.own.length === 0 && (
        <p>The same prediction has already been submitted and is waiting for review.</p>
      )}
    </Callout>
  )
}

const OWN: Readonly<Record<Waiting['own'][number]['status'], string>> = {
  pending: 'You have already submitted this; it is waiting for review.',
  approved: 'You have already submitted this; it has been approved.',
  rejected: 'You have submitted this before; it was not published.',
}
