import { type listPaymentsAdmin } from '#contracts/payments-admin.ts'
import { type z } from 'zod'
import { Tag } from '#web/ui/tag.tsx'

type Row = z.infer<typeof listPaymentsAdmin.reply>['rows'][number]

/** The state in words, and what is odd about it. */
export function StateTag({ row }: { readonly row: Row }) {
  const tone =
    row.overpaid || row.short || row.unused
      ? 'bad'
      : row.status.startsWith('paid')
        ? 'good'
        : 'wait'
  return (
    <>
      <Tag tone={row.settled ? 'good' : tone}>
        {row.status === 'overpaid' ? 'paid twice' : row.status.replaceAll('_', ' ')}
      </Tag>{' '}
      {row.unused && <Tag tone="bad">withdrawn before</Tag>}{' '}
      {row.short && <Tag tone="bad">short</Tag>} {row.extra && <Tag>more than asked</Tag>}{' '}
      {row.settled && <Tag>settled</Tag>}
    </>
  )
}
