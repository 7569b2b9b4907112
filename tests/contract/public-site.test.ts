import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { contractSite, lacks, textOf } from '#tests/support/contract-site.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import * as spec from './public-site.ts'

const site = onceForFile(contractSite)

const CREATE = 'POST /api/payments/create-invoice'
const Row = z.looseObject({ id: z.string(), vote_score: z.int(), prediction_made: z.string() })
const invoiceFor = (overrides: object, amount: unknown = 21) =>
  site().visitor(CREATE, { amount, submissionData: { ...spec.FORM, ...overrides } })
const preview = async (overrides: object) => {
  const submissionData = { ...spec.FORM, price_prediction: null, ...overrides }
  const { body } = await site().visitor('POST /api/v1/submissions/preview', { submissionData })
  return z
    .object({
      fields: z.record(z.string(), z.string()),
      price_prediction: z.string().nullable(),
    })
    .parse(body)
}

it.each(spec.PAGES)('public %s', async (_, path, words) => {
  const { status, text } = await site().page(path)
  expect(status).toBe(200)
  expect(text).toMatch(words)
})

/** The attributes of a page's links with this text. */
async function linksAt(path: string, name: string): Promise<(string | undefined)[]> {
  const { html } = await site().page(path)
  return [...html.matchAll(/<a\b([^>]*)>([^]*?)<\/a>/g)].flatMap(([, attributes, inner = '']) =>
    textOf(inner).replace('Coming Soon', '').trim() === name ? [attributes] : [],
  )
}

it.each(spec.LINKS)('public %s', async (_, path, name, href) => {
  expect(await linksAt(path, name)).toContainEqual(expect.stringContaining(`href="${href}"`))
})

it.each(spec.IN_NEW_TABS)('public 2 footer: %s in a new tab', async (name) => {
  expect(await linksAt('/', name)).toEqual([expect.stringContaining('target="_blank"')])
})

it.each(spec.NAMED)('public %s', async (_, path, name) => {
  expect((await site().page(path)).html).toContain(`aria-label="${name}"`)
})

it.each(spec.PICTURES)('public %s', async (_, path, words) => {
  expect((await site().page(path)).text).toMatch(words)
})

it.each(spec.PICTURE_HEIGHTS)('public %s', async (_, path, height) => {
  expect((await site().page(path)).html).toMatch(new RegExp(`<svg [^>]*height="${String(height)}"`))
})

it('public 2 History: columns', async () => {
  const { html } = await site().page('/btc')
  const table = /<table[^]*?<\/thead>/.exec(html)?.[0] ?? ''
  const heads = [...table.matchAll(/<th\b[^>]*>([^]*?)<\/th>/g)].map(([, head]) =>
    textOf(head ?? '').trim(),
  )
  expect(heads.filter((head) => spec.HISTORY_COLUMNS.includes(head))).toEqual(spec.HISTORY_COLUMNS)
})

it.each(spec.ANSWERS)('public %s', async (_, call, reply) => {
  const { status, body } = await site().visitor(call)
  expect(status).toBe(200)
  expect(lacks(reply, body)).toEqual([])
})

it('public 2 panel: lists are sorted by the day they were said, newest first', async () => {
  const rows = z.array(Row).parse((await site().visitor('GET /api/predictions')).body)
  const days = rows.map(({ prediction_made: made }) => made)
  expect(days).toEqual(days.toSorted().toReversed())
})

it('public 3 live stats: of pending Bitcoin levels within ten years', async () => {
  const Level = z.object({
    success_status: z.string(),
    verdicts: z.object({ touch: z.object({ outcome: z.string() }) }),
    end_date: z.string(),
    price_target: z.number().nullable(),
    price_min: z.number().nullable(),
    price_max: z.number().nullable(),
  })
  const [all, mstr, metrics] = await Promise.all(
    ['/api/predictions', '/api/mstr/predictions', '/api/intro/metrics'].map(
      async (path) => (await site().visitor(`GET ${path}`)).body,
    ),
  )
  const rows = z.array(Level).parse(all)
  const levels = rows
    .filter((row) => row.verdicts.touch.outcome === 'pending' && row.end_date <= '2036-11-20')
    .map(
      ({ price_target: at, price_min: min, price_max: max }) =>
        at ?? (min !== null && max !== null ? (min + max) / 2 : (min ?? max ?? NaN)),
    )
    .toSorted((a, b) => a - b)
  const [lowest = NaN, highest = NaN] = [levels[0], levels.at(-1)]
  const { data } = z.object({ data: z.array(z.object({})) }).parse(mstr)
  expect(metrics).toMatchObject({
    data: {
      totalPredictions: rows.length + data.length,
      averagePrediction: Math.round(levels.reduce((a, b) => a + b) / levels.length),
      predictionSpread: highest - lowest,
      lowestPrediction: lowest,
      highestPrediction: highest,
    },
  })
})

it.each(Object.entries(spec.PAYMENT_TERMS))('public %s', async (_, [field, value]) => {
  const { body } = await site().visitor('GET /api/v1/payments/options')
  expect(body).toMatchObject({ open: true, [field]: value })
})

it.each(spec.AMOUNTS_REFUSED)('public %s', async (_, amount) => {
  const { status, body } = await invoiceFor({}, amount)
  expect(status).toBe(400)
  expect(spec.REFUSAL.safeParse(body).success).toBe(true)
})

it.each(spec.AMOUNTS_TAKEN)('public %s', async (_, amount) => {
  expect((await invoiceFor({}, amount)).status).toBe(200)
})

it.each(spec.FORM_FAULTS)('public %s', async (_, input, field, message) => {
  const { fields } = await preview({ price_prediction: spec.FORM.price_prediction, ...input })
  expect(fields).toEqual(message === null ? {} : { [field]: message })
  const answer = await invoiceFor(input)
  expect(answer.status).toBe(message === null ? 200 : 400)
})

it.each(spec.LEVELS_SHOWN)('public %s', async (_, input, visible) => {
  expect(await preview(input)).toEqual({ fields: {}, price_prediction: visible })
})

it.each(spec.LEVELS_STORED)('public %s', async (_, input, fields) => {
  const sent = { ...spec.FORM, price_prediction: null, expert_name: 'Level Contract', ...input }
  const made = await site().administrator('POST /api/submissions', sent)
  const { id } = z.object({ submission: z.object({ id: z.string() }) }).parse(made.body).submission
  const path = `POST /api/admin/prediction_submissions/${id}/approve`
  const approved = await site().administrator(path, {})
  const { prediction_id: at } = z.object({ prediction_id: z.string() }).parse(approved.body)
  await site().later()
  const { body } = await site().visitor(`GET /api/v1/predictions/${at}`)
  expect(body).toMatchObject({ prediction: fields })
})

it('public 7 POST create-invoice, GET check-payment: unpaid, then paid', async () => {
  const { status, body } = await invoiceFor({ expert_name: 'Paid Contract' })
  expect(status).toBe(200)
  const { invoice } = spec.INVOICE.parse(body)
  const check = `GET /api/payments/check-payment/${invoice.checking_id}`
  expect((await site().visitor(check)).body).toMatchObject({ paid: false })
  site().pay(invoice.payment_request)
  await site().later()
  expect((await site().visitor(check)).body).toMatchObject({ paid: true })
  const pending = 'GET /api/admin/prediction_submissions?status=pending'
  expect((await site().administrator(pending)).body).toContainEqual(
    expect.objectContaining({ expert_name: 'Paid Contract', status: 'pending' }),
  )
  expect(JSON.stringify((await site().visitor('GET /api/predictions')).body)).not.toContain(
    'Paid Contract',
  )
})

it.each(spec.UNPAID_WAYS)('public 7 %s without payment is for administrators', async (path) => {
  const { status, body } = await site().visitor(`POST ${path}`, spec.FORM)
  expect(status).toBe(402)
  expect(spec.REFUSAL.safeParse(body).success).toBe(true)
})

it('public 7 socket at /ws/price: messages with a price', async () => {
  const socket = new WebSocket(`${(await site().listen()).replace('http', 'ws')}/ws/price`)
  const received = new Promise((done, fail) => {
    socket.on('message', (data: Buffer) => done(JSON.parse(data.toString('utf8'))))
    socket.on('error', fail)
  })
  site().trade(91_234)
  expect(await received).toMatchObject({ price: 91_234 })
  socket.terminate()
})
