import { expect, it } from 'vitest'
import { z } from 'zod'
import { contractSite, lacks, POST_URL } from '#tests/support/contract-site.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import * as spec from './administrator-tools.ts'

const site = onceForFile(contractSite)

/** Submits a prediction. @returns its id */
async function submitted(path = '/api/submissions', overrides: object = {}): Promise<string> {
  const { body } = await site().administrator(`POST ${path}`, { ...spec.SUBMITTED, ...overrides })
  return spec.SUBMIT_REPLY.parse(body).submission.id
}

const Rows = z.array(z.looseObject({ id: z.uuid() }))

async function rowOf(id: string, list: string) {
  const rows = Rows.parse((await site().administrator(`GET ${list}`)).body)
  return rows.find((row) => row.id === id)
}

it.each(spec.GUARDED)('administrators 6 %s needs a session', async (call) => {
  const input = call.replace(':id', '6f1c3f6e-8a3b-4d8e-9b1a-000000000000')
  const { status, body } = await site().visitor(input, call.startsWith('GET') ? undefined : {})
  expect([status, spec.REFUSED.safeParse(body).success]).toEqual([401, true])
})

it.each(spec.ANSWERS)('administrators %s', async (_, call, reply) => {
  const { status, body } = await site().administrator(call)
  expect(status).toBe(200)
  expect(lacks(reply, body)).toEqual([])
})

it.each(spec.LOGINS)('administrators %s', async (_, input, status, reply) => {
  const answer = await site().visitor('POST /api/admin/login', input)
  expect(answer.status).toBe(status)
  expect(lacks(reply, answer.body)).toEqual([])
})

it.each(spec.SUBMIT_WAYS)('administrators %s', async (_, path, asset) => {
  const id = await submitted(path)
  const list = `/api/admin/prediction_submissions?status=pending&asset=${asset}`
  const row = await rowOf(id, list)
  expect(lacks(spec.SUBMISSION, row)).toEqual([])
  const { email: _e, submitter_email: _s, ai_metadata: _a, ...same } = spec.SUBMITTED
  expect(row).toMatchObject({ ...same, price_target: 150_000, asset_type: asset })
})

it.each(spec.EDITS)('administrators $key', async ({ fields, shown: visible = fields }) => {
  const id = await submitted()
  const path = `PUT /api/admin/prediction_submissions/${id}/update`
  expect(await site().administrator(path, fields)).toMatchObject({ status: 200 })
  expect(await rowOf(id, '/api/admin/prediction_submissions')).toMatchObject(visible)
})

it('administrators 7 prediction-date: defaults to the day it was made', async () => {
  const id = await submitted()
  const path = `PUT /api/admin/prediction_submissions/${id}/prediction-date`
  const body = { prediction_made: '2026-02-01' }
  expect(await site().administrator(path, body)).toMatchObject({ status: 200 })
  expect(await rowOf(id, '/api/admin/prediction_submissions')).toMatchObject(body)
})

it('administrators 4 approval: its fields and what it publishes', async () => {
  const id = await submitted()
  const path = `POST /api/admin/prediction_submissions/${id}/approve`
  const approved = await site().administrator(path, spec.APPROVAL)
  expect(approved).toMatchObject({ status: 200 })
  const Reply = spec.DECIDED.extend({
    prediction_id: z.string(),
    influencer: z.object({ created: z.literal(true) }),
  })
  const { prediction_id: at } = Reply.parse(approved.body)
  await site().later()
  const { body } = await site().visitor(`GET /api/v1/predictions/${at}`)
  expect(body).toMatchObject({ prediction: spec.PUBLISHED })
  expect(await rowOf(id, '/api/admin/prediction_submissions?status=approved')).toMatchObject({
    status: 'approved',
    admin_comment: 'Well said.',
  })
})

it('administrators 4 approval: without an end the target date counts', async () => {
  const id = await submitted('/api/submissions', { expert_name: 'Jane Ends' })
  const path = `POST /api/admin/prediction_submissions/${id}/approve`
  const { body } = await site().administrator(path, {})
  const { prediction_id: at } = z.object({ prediction_id: z.string() }).parse(body)
  await site().later()
  expect((await site().visitor(`GET /api/v1/predictions/${at}`)).body).toMatchObject({
    prediction: { target_time: '2027-12-31', end_date: '2027-12-31', success_status: 'pending' },
  })
})

it.each(spec.DECISIONS)('administrators $key: approve and reject', async (ways) => {
  const body = { admin_comment: 'Well said.' }
  const taken = await submitted(ways.submit, { expert_name: 'Jane Taken' })
  const approve = `POST ${ways.approve.replace(':id', taken)}`
  const approved = await site().administrator(approve, body)
  expect(approved.status).toBe(200)
  spec.DECIDED.parse(approved.body)
  expect(await rowOf(taken, ways.list)).toMatchObject({ status: 'approved' })
  // Only pending submissions can be approved.
  const again = await site().administrator(approve, body)
  expect([again.status, spec.REFUSED.safeParse(again.body).success]).toEqual([409, true])

  const refused = await submitted(ways.submit, { expert_name: 'Jane Refused' })
  const reject = `PUT ${ways.reject.replace(':id', refused)}`
  const mute = await site().administrator(reject, { status: 'rejected', admin_comment: ' ' })
  expect([mute.status, spec.REFUSED.safeParse(mute.body).success]).toEqual([400, true])
  const rejected = await site().administrator(reject, { status: 'rejected', ...body })
  expect(rejected.status).toBe(200)
  spec.DECIDED.parse(rejected.body)
  expect(await rowOf(refused, ways.list)).toMatchObject({ status: 'rejected', ...body })
})

it('administrators 7 extract-tweet: every field of the reading', async () => {
  const { status, body } = await site().administrator('POST /api/extract-tweet', { url: POST_URL })
  expect(status).toBe(200)
  expect(lacks(spec.EXTRACTION, body)).toEqual([])
})

it.each(spec.WRONG_LINKS)('administrators %s', async (_, url, message) => {
  const { status, body } = await site().administrator('POST /api/extract-tweet', { url })
  expect([status, body]).toMatchObject([400, { success: false, error: message }])
})

it('administrators 8 extraction of a deleted post', async () => {
  const url = 'https://x.com/janedoe/status/2031284312343937024'
  const { status, body } = await site().administrator('POST /api/extract-tweet', { url })
  expect([status >= 400, spec.REFUSED.safeParse(body).success]).toEqual([true, true])
})

it('administrators 7 queue: a link is queued, read and can be deleted', async () => {
  const urls = [POST_URL]
  await site().administrator('POST /api/tweet-queue', { urls, process: false })
  const list = async () =>
    spec.QUEUE.parse((await site().administrator('GET /api/tweet-queue')).body).queue
  const [first] = await list()
  expect(first).toMatchObject({ status: 'pending', result_data: null, processed_at: null })
  const id = first?.id
  const read = await site().administrator('POST /api/process-tweet-queue-item', { id })
  expect(lacks(spec.PROCESSED, read.body)).toEqual([])
  expect(await list()).toMatchObject([{ status: 'completed', expert_name: 'Jane Doe' }])
  const gone = await site().administrator(`DELETE /api/tweet-queue/${String(id)}`)
  expect(gone.body).toMatchObject({ success: true })
  expect(await list()).toEqual([])
})

it('administrators 7 X: a post', async () => {
  const { body } = await site().administrator('POST /api/x/tweet', { text: 'Hello' })
  expect(lacks(spec.TWEETED, body)).toEqual([])
})

it('administrators 7 X: a post with images', async () => {
  const { body } = await site().withPicture('POST /api/x/tweet-with-images', 'text', 'See this')
  expect(lacks(spec.TWEETED, body)).toEqual([])
})

it.each(spec.NOT_POSTED)('administrators %s', async (_, text) => {
  const { status, body } = await site().administrator('POST /api/x/tweet', { text })
  expect([status, spec.REFUSED.safeParse(body).success]).toEqual([400, true])
})

it('administrators 9 X: four images, not five', async () => {
  const post = (pictures: number) =>
    site().withPicture(
      'POST /api/x/tweet-with-images',
      'text',
      `With ${String(pictures)}`,
      pictures,
    )
  expect((await post(5)).status).toBe(400)
  expect((await post(4)).body).toMatchObject({ success: true })
})

it('administrators 7 Nostr: a note', async () => {
  const { body } = await site().administrator('POST /api/nostr/post', { content: 'Hello' })
  expect(lacks(spec.NOTED, body)).toEqual([])
})

it('administrators 7 Nostr: a note with images', async () => {
  const { body } = await site().withPicture('POST /api/nostr/post', 'content', 'See this')
  expect(lacks(spec.NOTED, body)).toEqual([])
})

it('administrators 4 after a post the submission is approved', async () => {
  const id = await submitted('/api/submissions', {
    expert_name: 'Jane Posted',
    twitter_handle: '@janeposted',
  })
  const body = { text: 'Jane Posted says $150,000', submission_id: id }
  const posted = await site().administrator('POST /api/x/tweet', body)
  expect(posted.body).toMatchObject({ success: true })
  const row = async () => {
    await site().later()
    return rowOf(id, '/api/admin/prediction_submissions')
  }
  await expect.poll(row, { timeout: 30_000 }).toMatchObject({
    status: 'approved',
    admin_comment: expect.stringMatching(/^Posted to social media: X/) as string,
    prediction_made: spec.SUBMITTED.prediction_made,
  })
})
