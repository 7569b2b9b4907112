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
let asked: number

beforeEach(() => {
  answers = []
  asked = 0
  askBy(() => {
    asked += 1
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

it('a call asks to sign in again when the session has ended, and is made once more', async () => {
  answers = [refusal(401, 'unauthorized'), Response.json(ACCURACY)]
  await expect(adminCall(extractionAccuracy)).resolves.toEqual(ACCURACY)
  expect(asked).toBe(1)
})

it('a call asks once where a call of the old session is refused after signing in again', async () => {
  let refuseLate: (answer: Response) => void = () => undefined
  const late = new Promise<Response>((done) => (refuseLate = done))
  vi.mocked(fetch).mockReturnValueOnce(late)
  const slow = adminCall(extractionAccuracy)
  answers = [refusal(401, 'unauthorized'), Response.json(ACCURACY), Response.json(ACCURACY)]
  await adminCall(extractionAccuracy)
  refuseLate(refusal(401, 'unauthorized'))
  await expect(slow).resolves.toEqual(ACCURACY)
  expect(asked).toBe(1)
})

it('the price of a submission counts as an ended session: administrators pay nothing', async () => {
  answers = [refusal(402, 'payment_required'), Response.json(SUBMITTED)]
  await expect(adminCall(submitBtc, { body: {} })).resolves.toMatchObject(SUBMITTED)
  expect(asked).toBe(1)
})

it('a call does not ask to sign in because of another failure', async () => {
  answers = [refusal(409, 'conflict')]
  await expect(adminCall(extractionAccuracy)).rejects.toMatchObject({ code: 'conflict' })
  expect(asked).toBe(0)
})
