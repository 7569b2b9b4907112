import { beforeEach, expect, it } from 'vitest'
import { onePublished } from '#contracts/corrections.ts'
import { onePrediction } from '#contracts/predictions.ts'
import { adminHome, oneSubmission, searchSubmissions } from '#contracts/review.ts'
import { smtpMailer } from '#server/submissions/mail.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import {
  call,
  check,
  NOON,
  order,
  payNow,
  receipt,
  world,
  type World,
} from '#tests/support/payment-world.ts'
import { approve, count, Refused, reject, undo } from '#tests/support/review.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { mailSink, type MailSink } from '#tests/support/stand-ins/mail-sink.ts'

const BASE = '/api/admin/prediction_submissions'

async function paid(site: World, amount = 21, data: object = {}) {
  const made = await order(site, { amount, data })
  await payNow(site, made)
  return made
}

async function sendNotices(site: World): Promise<void> {
  await site.payments.notices.write()
  await site.outbox.deliver('notice')
}

type MailedWorld = World & { readonly sink: MailSink }
const paidSite = onceForFile(
  async (): Promise<MailedWorld> => {
    const sink = await mailSink()
    const from = 'Proof of Price <notices@site.org>'
    const opened = await world({ ports: { mailer: smtpMailer({ url: sink.url, from }) } })
    const close = async (): Promise<void> => {
      await opened[Symbol.asyncDispose]()
      await sink[Symbol.asyncDispose]()
    }
    return { ...opened, sink, [Symbol.asyncDispose]: close }
  },
  async (opened) => {
    opened.clock.ms = NOON
    opened.sink.clear()
    await emptied(opened)
  },
)
let site: MailedWorld
let admin: SignedInBrowser
beforeEach(async () => {
  site = paidSite()
  admin = await signedIn(site)
})

async function onlyOne(): Promise<string> {
  const [row] = await site.sql('select id from submissions')
  return row?.id ?? ''
}

it('a paid submission is not in review before its sats arrive', async () => {
  await order(site)
  const id = await onlyOne()
  const list = (query: string) => admin.read(searchSubmissions, `?${query}`)
  expect(await list('status=all')).toMatchObject({ rows: [], total: 0, counts: { all: 0 } })
  expect((await list('status=unpaid')).rows).toMatchObject([
    { id, payment_state: 'unpaid', paid_sats: 0 },
  ])
  expect((await admin.call('GET', BASE)).body).toEqual([])
  for (const [method, path, body] of [
    ['POST', `${BASE}/${id}/approve`, {}],
    ['PUT', `${BASE}/${id}`, { status: 'rejected', admin_comment: 'No.' }],
    ['PUT', `${BASE}/${id}`, { status: 'pending' }],
    ['PUT', `${BASE}/${id}/update`, { notes: 'Changed.' }],
  ] as const) {
    const answer = await admin.call(method, path, body)
    expect([path, answer.status]).toEqual([path, 409])
    expect(Refused.parse(answer.body).message).toContain('has not been paid yet')
  }
  expect(await count(site, 'predictions')).toBe(0)
})

it('a paid submission shows its payment, and its sats count in support of the prediction', async () => {
  const made = await paid(site, 2_100)
  const id = await onlyOne()
  const seen = await admin.read(oneSubmission, id)
  const submitted = { origin: 'visitor', paid_sats: 2_100, payment_state: 'paid' }
  expect(seen.submission).toMatchObject(submitted)
  expect(seen.payments).toMatchObject([{ status: 'paid', sats: 2_100, counts: true }])
  const { prediction_id: published } = await approve(admin, id, { admin_comment: 'Thank you.' })
  await site.refresh()
  const { prediction } = await site.read(onePrediction, published)
  expect(prediction.vote_score).toBe(2_100)
  expect(await receipt(site, made)).toMatchObject({
    review: { status: 'approved', comment: 'Thank you.' },
    prediction: { id: published },
  })
})

it('a paid submission of a statement of an earlier year is judged from the end of that year', async () => {
  await site.imports.prices('btc', closesFile('2024-12-29', [100, 100, 100, 120, 160_000]), 'test')
  const made = await paid(site, 21, { prediction_made: '2024' })
  expect((await receipt(site, made)).submission).toMatchObject({
    prediction_made: '2024-12-31',
    made_precision: 'year',
  })
  const id = await onlyOne()
  const edited = await admin.call('PUT', `${BASE}/${id}/update`, { notes: 'As said in a book.' })
  expect(edited.body).toMatchObject({ submission: { made_precision: 'year' } })
  const { prediction_id: published } = await approve(admin, id)
  await site.refresh()
  expect((await site.read(onePrediction, published)).prediction).toMatchObject({
    prediction_made: '2024-12-31',
    made_precision: 'year',
    verdicts: { touch: { outcome: 'hit', bar: { date: '2025-01-02' } } },
  })
})

it('the day of a statement is exact once an administrator has set it', async () => {
  await paid(site, 21, { prediction_made: '2024' })
  const url = `${BASE}/${await onlyOne()}/prediction-date`
  expect((await admin.call('PUT', url, { prediction_made: '2024-05-02' })).body).toMatchObject({
    submission: { prediction_made: '2024-05-02', made_precision: 'day' },
  })
})

it('a submission that was paid twice is among the failures', async () => {
  const first = await order(site)
  const second = await order(site, { receipt: first.receipt.token })
  for (const made of [first, second]) site.ledger.pay(made.invoice.payment_request)
  site.clock.ms += 2_000
  for (const made of [first, second]) await check(site, made)
  expect((await admin.read(searchSubmissions, '?status=pending')).rows).toMatchObject([
    { payment_state: 'overpaid' },
  ])
  const home = await admin.read(adminHome)
  expect(home.failed).toMatchObject([{ kind: 'payment', submission_id: await onlyOne() }])
})

it("a withdrawal shows on the payer's receipt, which still links to its page", async () => {
  await site.imports.prices('btc', closesFile('2024-01-01', [100, 101]), 'test')
  await site.publish(entry('a'))
  const made = await paid(site)
  await site.sql(
    `update submissions set status = 'approved', prediction_id = 'a', decided_at = now()`,
  )
  expect(await receipt(site, made)).toMatchObject({
    state: 'The submission has been approved and is live.',
    prediction: { path: '/predictions/a' },
  })
  const { version } = await admin.read(onePublished, 'a')
  const why = { version, reason: 'A parody' }
  await admin.call('POST', '/api/v1/admin/predictions/a/withdraw', why)
  await site.refresh()
  expect(await receipt(site, made)).toMatchObject({
    state:
      'The submission was approved, and the prediction has been withdrawn since; its page says why.',
    prediction: { path: '/predictions/a' },
  })
})

it('notices wait until a decision is final, and report the final state', async () => {
  const { sink } = site
  const made = await paid(site)
  const contact = { contact: 'reader@example.org', kind: 'email' }
  await call(site, 'POST', `/api/v1/receipts/${made.receipt.token}/contact`, contact)
  await sendNotices(site)
  const [response] = await sink.mails()
  const token = /\/confirm\/([\w-]+)/.exec(response?.text ?? '')?.[1] ?? ''
  await call(site, 'POST', `/api/v1/mail/${token}/confirm`)
  sink.clear()
  const id = await onlyOne()
  await reject(admin, id, 'By mistake.')
  site.clock.ms += 9_000
  await sendNotices(site)
  expect((await undo(admin, id)).status).toBe(200)
  site.clock.ms += 60_000
  await sendNotices(site)
  expect(sink.recipients).toEqual([])
  await approve(admin, id, { admin_comment: 'Checked.' })
  site.clock.ms += 14_000
  await sendNotices(site)
  expect(sink.recipients).toEqual([])
  site.clock.ms += 1_000
  await sendNotices(site)
  await sendNotices(site)
  expect(sink.recipients).toEqual(['reader@example.org'])
  const [mail] = await sink.mails()
  expect(mail?.subject).toMatch(/^Prediction approved/)
  expect(await admin.read(oneSubmission, id)).toMatchObject({
    told_by: 'email',
    undo_ms: 0,
    notices: [
      { event: 'confirm', status: 'sent', attempts: 1 },
      { event: 'approved', status: 'sent', attempts: 1 },
    ],
  })
})
