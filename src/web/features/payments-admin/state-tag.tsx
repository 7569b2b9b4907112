import { type listPaymentsAdmin } from '#contracts/payments-admin.ts'
import { type z } from 'zod'
import css from '#web/ui/desk.module.css'

type Row = z.infer<typeof listPaymentsAdmin.reply>['rows'][number]

/** The state in words, and what is odd about it. */
export function StateTag({ row }: { readonly row: Row }) {
  const tone = row.overpaid || row.short ? 'bad' : row.status.startsWith('paid') ? 'good' : 'wait'
  return (
    <>
      <span className={css.tag} data-tone={row.settled ? 'good' : tone}>
        {row.status === 'overpaid' ? 'paid twice' : row.status.replaceAll('_', ' ')}
      </span>{' '}
      {row.short && (
        <span className={css.tag} data-tone="bad">
          short
        </span>
      )}{' '}
      {row.extra && <span className={css.tag}>more than asked</span>}{' '}
      {row.settled && <span className={css.tag}>settled</span>}
    </>
  )
}
