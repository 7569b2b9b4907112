import '@fastify/swagger'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { handIn } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { sharedApp } from '#tests/support/once-for-file.ts'

const Paths = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
/** Wallets only understand failures in the format of LUD-06. */
const Refusal = z.union([
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ status: z.literal('ERROR'), reason: z.string() }).transform(({ reason }) => reason),
])

/** No row can have this number. */
const MALFORMED = 'a'.repeat(300)
/** An id that rows may have, so that the body decides. */
const ODD = ['bad%01', '-1', '0', '1.5', '9'.repeat(30), '0x10']

const world = sharedApp()

describe('an unknown address', () => {
  it('gets our own message wherever it appears in a request', async () => {
    const admin = await signedIn(world)
    const id = await handIn(admin)
    for (const [path, body, message] of [
      ['/api/process-tweet-queue-item', { id: 'x' }, 'id: This item is not in the queue any more.'],
      [
        '/api/v1/admin/submissions/bulk-reject',
        { ids: ['x'], reason: 'Spam' },
        'ids.0: There is no submission with this ID.',
      ],
      [
        `/api/admin/prediction_submissions/${id}/approve`,
        { influencer_id: 'x' },
        'influencer_id: Please choose from the list.',
      ],
    ] as const) {
      const answer = await admin.call('POST', path, body)
      expect(answer).toMatchObject({ status: 400, body: { error: message } })
    }
  })

  it('gets our own message from every call', async () => {
    const { headers } = await signedIn(world)
    const calls = Object.entries(Paths.parse(world.app.swagger()).paths).flatMap(
      ([path, methods]) =>
        path.includes('{') ? Object.keys(methods).map((method) => ({ path, method })) : [],
    )
    expect(calls.length).toBeGreaterThan(40)
    for (const { path, method } of calls) {
      for (const id of method === 'get' ? [MALFORMED, ...ODD] : [MALFORMED]) {
        const answer = await world.app.inject({
          method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).parse(method.toUpperCase()),
          url: path.replaceAll(/\{\w+\}/g, id),
          headers,
          ...(method === 'get' ? {} : { payload: {} }),
        })
        const where = `${method} ${path} ${id}`
        const message = `${where}: ${Refusal.parse(answer.json())}`
        expect([400, 404].includes(answer.statusCode) ? '' : message).toBe('')
        expect(message).not.toMatch(
          /invalid (?:input|uuid|string)|expected|received|too (?:big|small)/i,
        )
        expect(message).not.toContain('id: ')
      }
    }
  })
})
