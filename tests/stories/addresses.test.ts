import '@fastify/swagger'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type FastifyInstance } from 'fastify'
import { describe, expect, it, beforeAll } from 'vitest'
import { z } from 'zod'
import { sharedApp, appOfFile } from '#tests/support/once-for-file.ts'
import { handIn } from '#tests/support/review.ts'
import { signedIn, type SignedInBrowser } from '#tests/support/sign-in.ts'
import { type TestApp } from '#tests/support/test-app.ts'

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

describe('a body', () => {
  const TOO_LARGE = 3_000_000
  const PIECE_BYTES = 65_536

  /**
   * Sends the whole request before reading anything, as simple programs do. @returns the raw response text
   */
  async function sendRaw(
    app: FastifyInstance,
    head: readonly string[],
    body: Buffer,
  ): Promise<string> {
    const address = app.server.address()
    if (address === null || typeof address === 'string') throw new Error('the server listens')
    const socket = connect(address.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write([...head, '', ''].join('\r\n'))
    for (let at = 0; at < body.length; at += PIECE_BYTES) {
      await new Promise<void>((done, fail) => {
        socket.write(body.subarray(at, at + PIECE_BYTES), (error) => (error ? fail(error) : done()))
      })
      // The server, in this process too, may answer or hang up before the next piece.
      for (let turn = 0; turn < 3; turn += 1) await setImmediate()
    }
    socket.end()
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  }

  function linesOf(headers: object): string[] {
    return Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  }

  function chunked(body: Buffer): Buffer {
    const parts: Buffer[] = []
    for (let at = 0; at < body.length; at += 16_384) {
      const part = body.subarray(at, at + 16_384)
      parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
    }
    return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
  }

  const site = appOfFile()
  let world: TestApp
  let admin: SignedInBrowser
  beforeAll(async () => {
    world = site()
    admin = await signedIn(world)
    await world.app.listen({ port: 0, host: '127.0.0.1' })
  })

  describe('an oversized body', () => {
    it('is refused with a message by every call', async () => {
      const body = Buffer.from(JSON.stringify({ expert_name: 'a'.repeat(TOO_LARGE) }))
      const whole = [`content-length: ${String(body.length)}`, body] as const
      const parts = ['transfer-encoding: chunked', chunked(body)] as const
      const four = (['keep-alive', 'close'] as const).flatMap(
        (connection) =>
          [
            [connection, ...whole],
            [connection, ...parts],
          ] as const,
      )
      for (const [path, method, who, ways] of [
        ['/api/submissions', 'POST', 'a visitor', four],
        ['/api/submissions', 'POST', 'an administrator', four],
        ['/api/mstr/submissions', 'POST', 'an administrator', four.slice(3)],
        ['/api/admin/submissions/1', 'PUT', 'an administrator', four],
        ['/api/x/tweet', 'POST', 'an administrator', four.slice(2)],
        ['/api/extract-tweet', 'POST', 'an administrator', four.slice(3)],
        ['/api/v1/submissions', 'POST', 'an administrator', four.slice(3)],
      ] as const) {
        const head = [
          `${method} ${path} HTTP/1.1`,
          'host: localhost:3001',
          'content-type: application/json',
          ...(who === 'a visitor' ? [] : linesOf(admin.headers)),
        ]
        for (const [connection, how, bytes] of ways) {
          const lines = [...head, `connection: ${connection}`, how]
          const answer = await sendRaw(world.app, lines, bytes)
          const status = answer.split('\r\n')[0]
          expect([path, who, how, status]).toEqual([
            path,
            who,
            how,
            'HTTP/1.1 413 Payload Too Large',
          ])
          expect(answer).toContain('"success":false')
          expect(answer).toContain('too large for this call. Please shorten it')
        }
      }
    })
  })
})
