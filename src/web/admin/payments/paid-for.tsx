import { type listPaymentsAdmin } from '#contracts/payments-admin.ts'
import { type z } from 'zod'

type Row = z.infer<typeof listPaymentsAdmin.reply>['rows'][number]

const PURPOSES: Readonly<Record<Exclude<Row['purpose'], 'submission'>, string>> = {
  boost: 'Boost',
  zap: 'Zap',
  support: 'Lightning address',
  report: 'Deposit',
}

/** What a payment is for: a submission, a prediction on record, or the site. */
export function PaidFor({
  row,
}: {
  readonly row: Pick<Row, 'purpose' | 'report' | 'expert_name' | 'price_prediction'>
}) {
  const what = row.expert_name === null ? 'the site' : <bdi>{row.expert_name}</bdi>
  return (
    <>
      {row.purpose !== 'submission' && `${PURPOSES[row.purpose]}: `}
      {row.report !== null && `report ${String(row.report)}, `}
      {what} {row.price_prediction}
    </>
  )
}
