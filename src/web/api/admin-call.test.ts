import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { extractionAccuracy } from '#contracts/posts.ts'
import { submitBtc } from '#contracts/submissions.ts'
import { adminCall, askBy } from './admin-call.ts'

const ACCURACY = {
  decisions: 0,
  total: { decided: 0, kept: 0, share: 0 },
  fields: [],
  methods: [],
  months: [],
}
const SUBMITTED = { success: true, submission: { id: 'one' }, message: 'Submitted.' }

let answers: Response[]
let requests: number

beforeEach(() => {
  answers = []
  requests = 0
  askBy(() => {
    requests += 1
    return Promise.resolve()
  })
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>(() => Promise.resolve(answers.shift() ?? new Response(null))),
  )
})
afterEach(() => vi.unstubAllGlobals())

function refusal(status: number, code: string): Response {
  return Response.json({ success: false, code, error: 'No.' }, { status })
}

it('asks to sign in again after the session expired, then repeats the call', async () => {
  answers = [refusal(401, 'unauthorized'), Response.json(ACCURACY)]
  await expect(adminCall(extractionAccuracy)).resolves.toEqual(ACCURACY)
  expect(requests).toBe(1)
})

it('repeats a call refused with the old session without asking again', async () => {
  let refuseLate: (answer: Response) => void = () => undefined
  const late = new Promise<Response>((done) => (refuseLate = done))
  vi.mocked(fetch).mockReturnValueOnce(late)
  const slow = adminCall(extractionAccuracy)
  answers = [refusal(401, 'unauthorized'), Response.json(ACCURACY), Response.json(ACCURACY)]
  await adminCall(extractionAccuracy)
  refuseLate(refusal(401, 'unauthorized'))
  await expect(slow).resolves.toEqual(ACCURACY)
  expect(requests).toBe(1)
})

it('treats a payment request for a submission as an expired session: administrators pay nothing', async () => {
  answers = [refusal(402, 'payment_required'), Response.json(SUBMITTED)]
  await expect(adminCall(submitBtc, { body: {} })).resolves.toMatchObject(SUBMITTED)
  expect(requests).toBe(1)
})

it('does not ask to sign in for other failures', async () => {
  answers = [refusal(409, 'conflict')]
  await expect(adminCall(extractionAccuracy)).rejects.toMatchObject({ code: 'conflict' })
  expect(requests).toBe(0)
})
