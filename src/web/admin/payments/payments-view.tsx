import { type z } from 'zod'
import * as calls from '#contracts/operations.ts'
import { type AdminPayment } from '#contracts/operations.ts'
import { reportPath } from '#contracts/public-logs.ts'
import { arrivalOf, showMsat } from '#domain/money/invoice.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { useMay } from '#web/admin/hints.ts'
import { AdminForm } from '#web/admin/kit/admin-form.tsx'
import { type Column, column } from '#web/admin/kit/admin-table.tsx'
import { AdminList, FilterChips, Load, useList } from '#web/admin/kit/list.tsx'
import { AdminPage, Detail, NewTab } from '#web/admin/kit/screen.tsx'
import { Act } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Tag } from '#web/ui/chip.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Panel, Row, Stack, Text } from '#web/ui/primitives.tsx'
import { satsText, momentOr, showMoment } from '#web/ui/show.ts'

type Payment = z.infer<typeof calls.listPaymentsAdmin.reply>['rows'][number]

const KINDS: Readonly<Record<(typeof calls.PAYMENT_KINDS)[number], string>> = {
  all: 'All',
  odd: 'Needs settling',
  overpaid: 'Paid twice',
  late: 'Late',
  short: 'Short',
}
const ORDER = ['all', 'odd', 'overpaid', 'late', 'short'] as const
const PURPOSES: Readonly<Record<Exclude<Payment['purpose'], 'submission'>, string>> = {
  boost: 'Boost',
  zap: 'Zap',
  support: 'Lightning address',
  report: 'Deposit',
}

const COLUMNS: readonly Column<Payment>[] = [
  column.title('For', (row) => <PaidFor row={row} />),
  column.number('Amount', ({ sats }) => satsText(sats)),
  column.text('State', (row) => <State row={row} />),
  column.moment('Created', ({ created_at: at }) => at),
  column.moment('Paid', ({ paid_at: at }) => at),
  column.short('Wallet', ({ wallet }) => wallet),
]

export function PaymentsView() {
  const list = useList(calls.listPaymentsAdmin, { kind: ORDER }, { refetchInterval: 20_000 })
  const { kind } = list.values
  return (
    <AdminPage>
      <FilterChips label="Payments by kind" name="kind" names={KINDS} list={list} />
      <AdminList
        label="Payments"
        list={list}
        columns={COLUMNS}
        idOf={({ id }) => id}
        empty={kind === 'odd' ? 'There is nothing to settle.' : 'No payments found.'}
        renderDetail={({ id }) => <Opened id={id} />}
        renderAway={(id) => (
          <Panel>
            <Opened key={id} id={id} onClose={() => list.show({ open: null })} />
          </Panel>
        )}
      />
    </AdminPage>
  )
}

function PaidFor({ row }: { readonly row: Payment }) {
  return (
    // One element, whose parts a row on a phone does not move apart.
    <span>
      {row.purpose !== 'submission' && `${PURPOSES[row.purpose]}: `}
      {row.report !== null && `report ${String(row.report)}, `}
      {row.expert_name === null ? 'the site' : <bdi>{row.expert_name}</bdi>} {row.price_prediction}
    </span>
  )
}

function statusText(status: Payment['status']): string {
  return status === 'overpaid' ? 'paid twice' : status.replaceAll('_', ' ')
}

function State({ row }: { readonly row: Payment }) {
  const isBad = row.overpaid || row.short || row.unused
  const tone = isBad ? 'bad' : row.status.startsWith('paid') ? 'good' : 'wait'
  return (
    <>
      <Tag tone={row.settled ? 'good' : tone}>{statusText(row.status)}</Tag>{' '}
      {row.unused && <Tag tone="bad">withdrawn before</Tag>}{' '}
      {row.short && <Tag tone="bad">short</Tag>} {row.extra && <Tag>more than asked</Tag>}{' '}
      {row.settled && <Tag>settled</Tag>}
    </>
  )
}

function Opened({ id, onClose }: { readonly id: string; readonly onClose?: () => void }) {
  const params = { id }
  const mayOperate = useMay('operate')
  const reopen = () => adminCall(calls.reopenPayment, { params, body: {} })
  return (
    <Load route={calls.onePaymentAdmin} input={{ params }} what="payment">
      {(payment) => {
        const odd = oddText(payment)
        return (
          <Detail
            title={
              <>
                {satsText(payment.sats)} · <PaidFor row={payment} />
              </>
            }
            aside={<State row={payment} />}
            facts={factsOf(payment)}
            onClose={onClose}
          >
            {payment.tries.length > 1 && (
              <Stack as="ul" gap={2} size="small" aria-label="All attempts to pay for this">
                {payment.tries.map(({ id: one, created_at: at, sats, status }) => (
                  <li key={one}>
                    {showMoment(at)}: {satsText(sats)},{' '}
                    {status === 'overpaid' ? 'second payment' : statusText(status)}
                    {one === payment.id && ' (this one)'}
                  </li>
                ))}
              </Stack>
            )}
            {mayOperate && (
              <Row>
                <Act
                  send={() => adminCall(calls.lookAtPayment, { params })}
                  sending="Asking the wallet..."
                >
                  Check again now
                </Act>
              </Row>
            )}
            {payment.settled && (
              <Panel tone="wait" gap={2} size="small">
                <p>
                  Settled by {payment.settled.by} on {showMoment(payment.settled.at)}:{' '}
                  <bdi>{payment.settled.note}</bdi>
                </p>
                {mayOperate && (
                  <Row>
                    <Act send={reopen}>Open it again</Act>
                  </Row>
                )}
              </Panel>
            )}
            {odd !== null && !payment.settled && mayOperate && (
              <Panel tone="wait" gap={2} size="small">
                <p>
                  {odd} Nothing is sent from here: refunds are made by hand in the wallet. Note how
                  it was settled.
                </p>
                <AdminForm
                  label="Settle"
                  route={calls.markPaymentHandled}
                  params={params}
                  start={{ note: '' }}
                  fields={{ note: { label: 'Note' } }}
                  send="Mark as settled"
                  undo={reopen}
                />
              </Panel>
            )}
          </Detail>
        )
      }}
    </Load>
  )
}

/** What has to be settled; null for an ordinary payment. */
function oddText({ overpaid, unused, short, extra, purpose }: AdminPayment): string | null {
  if (overpaid) {
    return `${purpose === 'report' ? 'The deposit of this report' : 'This submission'} had been paid already.`
  }
  if (unused) return 'The prediction was withdrawn before the sats arrived: they count nowhere.'
  return short || extra ? `The wallet reports ${short ? 'less' : 'more'} than was asked.` : null
}

function arrivedText({ sats, received_msat: received }: AdminPayment): string {
  const { receivedMsat, missingMsat, extraMsat } = arrivalOf(sats, received)
  if (receivedMsat === null) return 'The wallet does not say'
  if (missingMsat > 0) {
    return `${showMsat(receivedMsat)} of ${satsText(sats)}; ${showMsat(missingMsat)} missing`
  }
  const extra = extraMsat > 0 ? `; ${showMsat(extraMsat)} more than asked` : ''
  return `${showMsat(receivedMsat)} ${receivedMsat === 1_000 ? 'sat' : 'sats'}${extra}`
}

function factsOf(payment: AdminPayment) {
  const { prediction_id: prediction, report, payment_hash: hash, last_error: error } = payment
  return [
    ['Created', momentOr('–', payment.created_at)],
    ['Ends', momentOr('–', payment.expires_at)],
    ['Paid', momentOr('–', payment.paid_at)],
    [
      'Prediction',
      prediction !== null && <NewTab to={predictionPath({ id: prediction })}>Public page</NewTab>,
    ],
    [
      'Report',
      report !== null && payment.paid_at !== null && (
        <NewTab to={reportPath(report)}>Report {report}</NewTab>
      ),
    ],
    ['Comment', payment.comment !== null && <bdi>{payment.comment}</bdi>],
    ['Arrived', arrivedText(payment)],
    ['Wallet', `${payment.wallet}, ${payment.network}`],
    [
      'Checked',
      <>
        {momentOr('–', payment.last_look_at)}{' '}
        {error !== null && (
          <Text as="span" tone="bad">
            {error}
          </Text>
        )}
      </>,
    ],
    [
      'Payment hash',
      hash === null ? (
        '–'
      ) : (
        <>
          {hash} <CopyButton text={hash} label="Copy the hash" done="Payment hash copied" />
        </>
      ),
    ],
  ] as const
}
