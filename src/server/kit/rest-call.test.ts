import { noteInvoices } from '#server/payments/wallets/lnurl-pay.ts'
import { isPublicAddress, publicLookup } from './public-address.ts'
import { restCaller } from './rest-call.ts'
import { SourceError } from './ports.ts'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'

const soon = (): AbortSignal => AbortSignal.timeout(5_000)

describe('a call with a look-up of its own', () => {
  it('takes no connection that another call has left open', async () => {
    const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const url = new URL(`http://localhost:${String(port)}/`)
    const open = restCaller('The open one')
    const guarded = restCaller('The guarded one', { lookup: publicLookup() })
    expect((await open({ method: 'GET', url, signal: soon() })).status).toBe(200)
    await expect(guarded({ method: 'GET', url, signal: soon() })).rejects.toThrow(SourceError)
    server.closeAllConnections()
    server.close()
  })
})

it('takes an answer of so many bytes and no more, however long it goes on', async () => {
  const server = createServer(({ url }, response) => {
    response.write('x'.repeat(1_000))
    // The other one never ends by itself.
    if (url === '/fits') response.end()
    else response.write('x')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const call = restCaller('The talker', { mostBytes: 1_000 })
  const ask = (path: string) =>
    call({
      method: 'GET',
      url: new URL(path, `http://127.0.0.1:${String(port)}`),
      signal: AbortSignal.timeout(60_000),
    })
  expect((await ask('/fits')).text).toHaveLength(1_000)
  await expect(ask('/endless')).rejects.toThrow('The talker sent more than 1000 bytes.')
  server.closeAllConnections()
  server.close()
})

it.each([
  ['1.1.1.1', true],
  ['2606:4700::1111', true],
  ['2001:4860:4860::8888', true],
  ['::ffff:1.1.1.1', true],
  ['127.0.0.1', false],
  ['192.88.99.1', false],
  ['::1', false],
  ['::127.0.0.1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['fec0::1', false],
  ['fd00::1', false],
  ['5f00::1', false],
  ['3fff::1', false],
  ['2002:7f00:1::', false],
  ['64:ff9b::7f00:1', false],
])('%s as an address of the open internet: %j', (address, isOne) => {
  expect(isPublicAddress(address)).toBe(isOne)
})

it('a wallet of a stranger is asked on the port of https only', async () => {
  const ask = { sats: 1, message: '', network: 'mainnet' } as const
  await expect(
    noteInvoices().invoiceFor('https://wallet.invalid:8443/pay', ask, soon()),
  ).rejects.toMatchObject({ fault: 'refused' })
})
