import { createInvoice } from '#contracts/payments.ts'
import { previewSubmission } from '#contracts/submissions.ts'
import { openLimiter } from '#server/kit/limiter.ts'
import { requestedPauses } from '#server/kit/time.ts'
import { paymentLimiter } from '#server/payments/order-payment.service.ts'
import { smtpMailer } from '#server/submissions/mail.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { NO_LIMITS, SUBMISSION } from '#tests/support/payment-world.ts'
import { movingClock } from '#tests/support/review.ts'
import { ledgerWallet, NORMAL } from '#tests/support/stand-ins/ledger-wallet.ts'
import { standInLedger } from '#tests/support/stand-ins/ledger.ts'
import { sharedMailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { stories } from '#tests/support/story.ts'
import { testApp } from '#tests/support/test-app.ts'

/* Stories about invoices of a wallet in memory, which tests may have fail or lie. */
const clock = movingClock()
const ledger = standInLedger(clock.now)
const wallet = ledgerWallet(ledger)
const sink = sharedMailSink()
const site = onceForFile(() =>
  testApp({
    clock,
    settings: { payments: { lightningName: 'tips' } },
    ports: {
      wallet,
      mailer: smtpMailer({ url: sink.url, from: 'Proof of Price <news@site.org>' }),
    },
    options: { payments: NO_LIMITS },
  }),
)

function limit(limits: object): void {
  const { kit, payments } = site()
  const { db } = kit
  const limiter = paymentLimiter({ db, limiter: openLimiter(kit) }, { ...NO_LIMITS, ...limits })
  const { checks } = payments.payments
  Object.assign(payments.payments, { limiter })
  Object.assign(checks, { failures: 0, pauses: requestedPauses({ clock }) })
}

const { call, replay } = stories(site, clock, async () => {
  ledger.entries.clear()
  ledger.lies = {}
  Object.assign(wallet.behaviour, NORMAL)
  limit({})
  await emptied(site())
})

let callers = 0

replay('payments', {
  /** Requests an invoice of 21 sats, for a submission unless a path is given. */
  order: (input) => {
    // Limits by address are for stories that name one.
    callers += 1
    const own = `10.${String(9 + (callers >> 8))}.${String(callers & 255)}.1`
    const given = JSON.parse(input || '{}') as Order
    const { amount = 21, receipt, key, data, from = own, to } = given
    const submissionData = { ...SUBMISSION, ...data }
    const body = to === undefined ? { amount, submissionData, receipt } : { amount }
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const url = to ?? createInvoice.path
    return call('visitor', 'POST', url, JSON.stringify(body), { from, headers })
  },
  preview: (input) => {
    const { data, receipts } = JSON.parse(input) as { data: object; receipts?: readonly string[] }
    const body = { submissionData: { ...SUBMISSION, ...data }, receipts }
    return call('visitor', 'POST', previewSubmission.path, JSON.stringify(body))
  },
  /** Two seconds ago. */
  pay: (bolt11) => {
    ledger.pay(bolt11)
    clock.pass(2_000)
  },
  wallet: (behaviour) => void Object.assign(wallet.behaviour, JSON.parse(behaviour)),
  lies: (lies) => {
    ledger.lies = JSON.parse(lies)
  },
  drain: (jobs) => site().jobs.drain(...jobs.split(' ')),
  /** Writes the notices and sends what is due. */
  notices: async () => {
    await site().payments.notices.write()
    await site().outbox.deliver('notice')
    const mails = await sink.mails()
    sink.clear()
    return mails.map(({ to, subject = '', text = '' }) => {
      const [link = ''] = /\/confirm\/[\w-]+/.exec(text) ?? []
      return `${String(to?.[0]?.address)}: ${subject} ${link}`.trim()
    })
  },
  forget: () => ledger.entries.clear(),
  limit: (limits) => limit(JSON.parse(limits)),
  memos: () =>
    [...ledger.entries.values()].map(({ memo, label }) => ({
      memo: memo.replace(label.slice(0, 8), 'its first letters'),
      label,
    })),
})

type Order = {
  readonly amount?: unknown
  readonly receipt?: string
  readonly key?: string
  readonly data?: object
  readonly from?: string
  readonly to?: string
}
