import { once } from 'node:events'
import { type RequestListener } from 'node:http'
import { type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { serving } from '#tests/support/stand-ins/serving.ts'
import { shows } from '#tests/support/waiting.ts'
import {
  reconnectingLines,
  reconnectingSocket,
  retries,
  type Patience,
  type Plan,
} from './reconnecting.ts'
import { oneAtATime } from './signals.ts'

const PATIENCE: Patience = {
  connectMs: 60_000,
  silenceMs: null,
  firstPauseMs: 20,
  longestPauseMs: 80,
  stableMs: 60_000,
}

function follower(url: URL, patience = PATIENCE) {
  const received: unknown[] = []
  const lost: string[] = []
  const plan: Plan = {
    title: 'The wallet',
    url,
    patience,
    message: (message) => received.push(message) > 0,
    down: (reason) => lost.push(reason),
  }
  return { received, lost, plan }
}

describe('a web socket', () => {
  async function sockets(autoPong: boolean) {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const seen = { connections: 0, pings: 0 }
    server.on('connection', (socket) => {
      seen.connections += 1
      socket.on('ping', () => {
        seen.pings += 1
      })
    })
    return {
      seen,
      url: new URL(`ws://127.0.0.1:${String(port)}`),
      [Symbol.asyncDispose]: async () => {
        for (const client of server.clients) client.terminate()
        await new Promise((done) => server.close(done))
      },
    }
  }

  it('reconnects when pings are no longer answered', async () => {
    await using server = await sockets(false)
    const { lost, plan } = follower(server.url, { ...PATIENCE, silenceMs: 150 })
    const { close } = reconnectingSocket({ ...plan, pings: true })
    await shows(() => expect(server.seen.connections).toBeGreaterThan(1))
    close()
    expect(lost[0]).toBe('The wallet has been silent for 0.15 s.')
  })

  it('stays open in silence if pings are answered', async () => {
    await using server = await sockets(true)
    const { lost, plan } = follower(server.url, { ...PATIENCE, silenceMs: 900 })
    const { close } = reconnectingSocket({ ...plan, pings: true })
    await shows(() => expect(server.seen.pings).toBeGreaterThan(5))
    close()
    expect([server.seen.connections, lost]).toEqual([1, []])
  })
})

describe('an answer in lines', () => {
  it('is read line by line however it is split, and requested again when it ends', async () => {
    let requests = 0
    await using server = await serving((_, response) => {
      requests += 1
      const bytes = Buffer.from(`{"n":"${String(requests)} ₿"}\n\nnot JSON\n`)
      // In the middle of a character.
      response.write(bytes.subarray(0, 9))
      setImmediate(() => response.end(bytes.subarray(9)))
    })
    const { received, lost, plan } = follower(new URL(server.origin))
    const { close } = reconnectingLines(plan)
    await shows(() => expect(received).toHaveLength(4))
    close()
    expect(received).toEqual([{ n: '1 ₿' }, null, { n: '2 ₿' }, null])
    expect(lost[0]).toBe('The wallet closed the connection.')
  })

  it.each<[string, RequestListener, string]>([
    [
      'a line without end',
      (_, response) => {
        const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
        response.on('close', () => clearInterval(timer))
      },
      'The wallet sent more than 65536 bytes.',
    ],
    [
      'a refusal',
      (_, response) => void response.writeHead(401).end('{"error":"no macaroon SECRET"}'),
      'The wallet rejected our key (HTTP 401).',
    ],
    [
      'a broken connection',
      (request) => void request.socket.destroy(),
      'The wallet cannot be reached (ECONNRESET).',
    ],
  ])('that is %s is requested again', async (_, answer, reason) => {
    let requests = 0
    await using server = await serving((request, response) => {
      requests += 1
      answer(request, response)
    })
    const { lost, plan } = follower(new URL(server.origin))
    const { close } = reconnectingLines(plan)
    await shows(() => expect(requests).toBeGreaterThan(1))
    close()
    expect(lost[0]).toBe(reason)
  })

  it('ends when it is closed, and is not requested again', async () => {
    let open = 0
    await using server = await serving((_, response) => {
      open += 1
      response.write('1\n')
      response.on('close', () => {
        open -= 1
      })
    })
    const { received, lost, plan } = follower(new URL(server.origin))
    const { close } = reconnectingLines(plan)
    await shows(() => expect(received).toEqual([1]))
    close()
    await shows(() => expect(open).toBe(0))
    expect(lost).toEqual([])
  })
})

it('delays double up to the maximum, and only one runs at a time', () => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  const tried: number[] = []
  const began = Date.now()
  const { again, reset, stop } = retries(
    () => {
      tried.push(Date.now() - began)
      again()
      again()
    },
    { firstMs: 100, longestMs: 300 },
  )
  again()
  again()
  vi.advanceTimersByTime(900)
  expect(tried).toEqual([100, 300, 600, 900])
  reset()
  vi.advanceTimersByTime(400)
  expect(tried.slice(4)).toEqual([1_200, 1_300])
  stop()
  vi.advanceTimersByTime(900)
  expect(tried).toHaveLength(6)
})

it('a call during a run causes exactly one more run', async () => {
  const begun: (() => void)[] = []
  const ask = oneAtATime(() => new Promise((end) => begun.push(end)))
  const request = [ask(), ask(), ask()]
  expect(begun).toHaveLength(1)
  begun[0]?.()
  await vi.waitFor(() => expect(begun).toHaveLength(2))
  begun[1]?.()
  await Promise.all(request)
  expect(begun).toHaveLength(2)
})
