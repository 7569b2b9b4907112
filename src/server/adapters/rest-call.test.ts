import { publicLookup } from '#server/adapters/public-address.ts'
import { restCaller } from '#server/adapters/rest-call.ts'
import { SourceError } from '#server/ports.ts'
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
