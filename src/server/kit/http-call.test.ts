import { once } from 'node:events'
import { type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, type LookupFunction } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { noteInvoices } from '#server/payments/wallets/lnurl-pay.ts'
import { TLS } from '#tests/data/tls.ts'
import { serving as standIn } from '#tests/support/stand-ins/serving.ts'
import { patiently } from '#tests/support/waiting.ts'
import { SourceError } from './failure.ts'
import { httpCaller } from './http-call.ts'
import { publicLookup, AS_SET, type Reach } from './reach.ts'

async function serving(answer: RequestListener) {
  const open = await standIn(answer)
  const { server, port } = open
  const requests: string[] = []
  server.on('request', ({ url }) => requests.push(url ?? ''))
  return {
    ...open,
    asked: requests,
    at: (path = '/', host = '127.0.0.1') => new URL(`http://${host}:${String(port)}${path}`),
  }
}

function get(url: URL, overrides: Parameters<typeof httpCaller>[1] = {}, signal = patiently()) {
  return httpCaller('The service', overrides).call({ url, signal })
}

/** A name resolution with prepared answers: an address, or a failure for null. */
function lookups(...answers: (string | null)[]): { lookup: LookupFunction; names: string[] } {
  const names: string[] = []
  return {
    names,
    lookup: (name, { all }, done) => {
      names.push(name)
      const address = answers.shift() ?? null
      if (address === null) {
        done(Object.assign(new Error('not a public address'), { code: 'ENOTPUBLIC' }), '')
      } else if (all) done(null, [{ address, family: 4 }])
      else done(null, address, 4)
    },
  }
}

describe('a call with its own name resolution', () => {
  it('does not reuse a connection opened by another call', async () => {
    await using server = await serving((_, response) => response.end('{}'))
    const url = server.at('/', 'localhost')
    expect((await get(url, { reach: AS_SET })).status).toBe(200)
    const reach = { ...AS_SET, lookup: publicLookup() }
    await expect(get(url, { reach })).rejects.toThrow(SourceError)
  })

  it('connects to the resolved address, and resolves each time', async () => {
    await using server = await serving((_, response) => response.end('{}'))
    const { lookup, names } = lookups('127.0.0.1', null)
    const reach: Reach = { ...AS_SET, lookup }
    const { call } = httpCaller('The service', { reach })
    // Does not exist in DNS: only the custom resolution can have led there.
    const url = server.at('/', 'shop.invalid')
    expect((await call({ url, signal: patiently() })).status).toBe(200)
    expect(names).toEqual(['shop.invalid'])
    // The name resolves to another address by now.
    await expect(call({ url, signal: patiently() })).rejects.toThrow(/ENOTPUBLIC/)
    expect(server.asked).toHaveLength(1)
  })
})

it('a certificate is trusted only where it is configured', async () => {
  const server = createSecureServer(TLS, (_, response) => response.end('{}'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = new URL(`https://127.0.0.1:${String(port)}/`)
  await expect(get(url)).rejects.toThrow(
    'The service cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT).',
  )
  expect((await get(url, { certificate: TLS.cert })).status).toBe(200)
  await expect(get(url)).rejects.toMatchObject({ fault: 'down' })
  server.closeAllConnections()
  server.close()
})

it('a redirect is returned, not followed', async () => {
  await using server = await serving((_, response) =>
    response.writeHead(302, { location: '/inside' }).end(),
  )
  expect((await get(server.at())).status).toBe(302)
  expect(server.asked).toEqual(['/'])
})

it.each([
  'http://example.org',
  'http://127.example.org',
  'http://192.168.1.1',
  'ftp://example.org',
])('%s is not called, as only this machine may be without encryption', async (url) => {
  await expect(get(new URL(url))).rejects.toMatchObject({
    fault: 'refused',
    message: 'The service has an address without https.',
  })
})

it('a call limits the size of an answer, even an endless one', async () => {
  await using server = await serving(({ url }, response) => {
    response.write('x'.repeat(1_000))
    // The other response never ends.
    if (url === '/fits') response.end()
    else response.write('x')
  })
  const mostBytes = 1_000
  expect((await get(server.at('/fits'), { mostBytes })).text).toHaveLength(1_000)
  await expect(get(server.at('/endless'), { mostBytes })).rejects.toThrow(
    'The service sent more than 1000 bytes.',
  )
})

describe('a compressed answer', () => {
  it.each([
    ['gzip', gzipSync, 200],
    ['br', brotliCompressSync, 200],
    ['gzip', gzipSync, 503],
  ])('by %s is decompressed (status %#)', async (encoding, pack, status) => {
    await using server = await serving((_, response) =>
      response.writeHead(status, { 'content-encoding': encoding }).end(pack('{"fine":true}')),
    )
    expect(await get(server.at())).toMatchObject({ status, text: '{"fine":true}' })
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('by %s is limited by its decompressed size', async (encoding, pack) => {
    await using server = await serving((_, response) =>
      response
        .writeHead(200, { 'content-encoding': encoding })
        .end(pack(Buffer.alloc(1_000_000, 'x'))),
    )
    await expect(get(server.at(), { mostBytes: 100_000 })).rejects.toMatchObject({
      fault: 'nonsense',
      message: 'The service sent more than 100000 bytes.',
    })
  })

  it('that is not JSON is reported as nonsense', async () => {
    await using server = await serving((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain text'),
    )
    await expect(get(server.at())).rejects.toMatchObject({ fault: 'nonsense' })
  })
})

it.each<[string, RequestListener]>([
  ['nothing', () => {}],
  [
    'a byte now and then',
    (_, response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    },
  ],
])('a service that sends %s hits the overall time limit', async (_, answer) => {
  await using server = await serving(answer)
  await expect(get(server.at(), { timeoutMs: 200 })).rejects.toMatchObject({
    fault: 'down',
    message: 'The service did not answer in time (0.2 s).',
  })
})

it('a call ends when its caller aborts', async () => {
  const ending = new AbortController()
  await using server = await serving(() => ending.abort())
  await expect(get(server.at(), {}, ending.signal)).rejects.toThrow(
    'The service did not answer in time.',
  )
})

describe('a request', () => {
  /** Whether its connection was established before the call failed. */
  async function wasConnected(url: URL, signal = patiently()): Promise<boolean> {
    let connected = false
    const onConnected = (): void => {
      connected = true
    }
    const { call } = httpCaller('The service', { mostBytes: 1 })
    await expect(call({ url, signal, onConnected })).rejects.toThrow(SourceError)
    return connected
  }

  it('cannot have arrived without a connection', async () => {
    const server = await serving(() => {})
    await server[Symbol.asyncDispose]()
    expect(await wasConnected(server.at())).toBe(false)
    expect(await wasConnected(server.at(), AbortSignal.abort())).toBe(false)
  })

  it.each<[string, RequestListener | null]>([
    ['broke', (request) => void request.socket.destroy()],
    ['sent too much', (_, response) => void response.end('xx')],
    ['was silent for too long', null],
  ])('may have arrived if the connection %s', async (_, answer) => {
    const ending = new AbortController()
    await using server = await serving(answer ?? (() => ending.abort()))
    expect(await wasConnected(server.at(), ending.signal)).toBe(true)
  })

  it('has a connection of its own, so that this is certain', async () => {
    const ports = new Set<number | undefined>()
    await using server = await serving((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('{}')
    })
    const { call } = httpCaller('The service')
    for (let requests = 0; requests < 3; requests += 1) {
      await call({ url: server.at(), signal: patiently(), onConnected: () => {} })
    }
    expect(ports.size).toBe(3)
  })
})

it('messages contain no address or key', async () => {
  const gone = await serving(() => {})
  await gone[Symbol.asyncDispose]()
  await using broken = await serving((request) => void request.socket.destroy())
  await using long = await serving((_, response) => response.end('SECRET'.repeat(10)))
  const { call } = httpCaller('The service', { mostBytes: 10 })
  for (const server of [gone, broken, long]) {
    const url = server.at('/?key=SECRET')
    const headers = { authorization: 'Bearer SECRET' }
    const failed: unknown = await call({ url, headers, signal: patiently() }).catch(
      (error: unknown) => error,
    )
    expect(failed).toBeInstanceOf(SourceError)
    expect(String(failed)).not.toMatch(/SECRET|127\.0\.0\.1|http/)
  }
})

it("a stranger's wallet is called only on the https port", async () => {
  const ask = { sats: 1, message: '', network: 'mainnet' } as const
  await expect(
    noteInvoices().invoiceFor('https://wallet.invalid:8443/pay', ask, patiently()),
  ).rejects.toMatchObject({ fault: 'refused' })
})

it('a line that never ends is not buffered without limit', async () => {
  await using server = await serving((_, response) => response.end('x'.repeat(20_000)))
  const received: string[] = []
  const reading = httpCaller('The stream', { reach: AS_SET }).lines(
    { url: server.at(), signal: patiently() },
    1_000,
    (line) => received.push(line),
  )
  await expect(reading).rejects.toThrow('The stream sent more than 1000 bytes.')
  expect(received).toEqual([])
})
