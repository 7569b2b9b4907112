import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listPaymentsAdmin, PAYMENT_KINDS } from '#contracts/payments-admin.ts'
import { type z } from 'zod'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { AddressPager } from '#web/ui/address-pager.tsx'
import { Chip } from '#web/ui/chip.tsx'
import table from '#web/ui/dense-table.module.css'
import { DenseTable } from '#web/ui/dense-table.tsx'
import css from '#web/ui/admin-page.module.css'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { satsText } from '#web/ui/sats-text.ts'
import { showMoment } from '#web/ui/show-moment.ts'
import { pageOf, useParams } from '#web/ui/use-params.ts'
import { PaidFor } from './paid-for.tsx'
import { PaymentDetail } from './payment-detail.tsx'
import { StateTag } from './state-tag.tsx'
import { Row } from '#web/ui/stack.tsx'

type Kind = (typeof PAYMENT_KINDS)[number]
type Row = z.infer<typeof listPaymentsAdmin.reply>['rows'][number]
const SIZE = 50
const KIND_NAMES: Readonly<Record<Kind, string>> = {
  all: 'All',
  odd: 'Odd, to settle',
  overpaid: 'Paid twice',
  late: 'Late',
  short: 'Short',
}
/** What has to be settled comes first. */
const ORDER = ['all', 'odd', 'overpaid', 'late', 'short'] as const

/** Invoices by kind; one of them opens below the list's head. */
export function PaymentsView() {
  const [param, change] = useParams()
  const kind = PAYMENT_KINDS.find((one) => one === param('kind')) ?? 'all'
  const page = pageOf(param('page'))
  const open = param('open')
  const query = useQuery({
    queryKey: ['payments-admin', { kind, page }],
    queryFn: ({ signal }) => adminCall(listPaymentsAdmin, { query: { kind, page }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 20_000,
  })
  return (
    <AdminPage title="Payments">
      {open !== '' && <PaymentDetail key={open} id={open} onClose={() => change({ open: null })} />}
      <Loaded
        query={query}
        loading="Loading payments..."
        failed="The payments could not be loaded."
      >
        {({ rows, total, counts }) => (
          <>
            <Row role="group" aria-label="Payments by kind">
              {ORDER.map((one) => (
                <Chip
                  key={one}
                  pressed={one === kind}
                  count={counts[one]}
                  onPress={() => change({ kind: one === 'all' ? null : one, page: null })}
                >
                  {KIND_NAMES[one]}
                </Chip>
              ))}
            </Row>
            {rows.length === 0 ? (
              <Notice
                title={kind === 'odd' ? 'There is nothing to settle.' : 'No payments found.'}
              />
            ) : (
              <List
                rows={rows}
                open={open}
                isBusy={query.isPlaceholderData}
                onOpen={(id) => change({ open: id })}
              />
            )}
            <AddressPager label="Pages of payments" size={SIZE} total={total} />
          </>
        )}
      </Loaded>
    </AdminPage>
  )
}

function List({
  rows,
  open,
  isBusy,
  onOpen,
}: {
  readonly rows: readonly Row[]
  readonly open: string
  readonly isBusy: boolean
  readonly onOpen: (id: string) => void
}) {
  return (
    <DenseTable
      label="Payments"
      columns={['Created', 'For', { number: 'Amount' }, 'State', 'Paid', 'Wallet']}
      isBusy={isBusy}
    >
      {rows.map((row) => (
        <tr key={row.id} data-current={row.id === open || undefined}>
          <th scope="row" className={table.nowrap}>
            <button type="button" className={css.rowButton} onClick={() => onOpen(row.id)}>
              {showMoment(row.created_at)}
            </button>
          </th>
          <td className={table.note}>
            <PaidFor row={row} />
          </td>
          <td className={table.number}>{satsText(row.sats)}</td>
          <td>
            <StateTag row={row} />
          </td>
          <td className={table.nowrap}>{row.paid_at && showMoment(row.paid_at)}</td>
          <td className={table.nowrap}>{row.wallet}</td>
        </tr>
      ))}
    </DenseTable>
  )
}
