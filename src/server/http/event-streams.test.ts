import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fastifySSE } from '@fastify/sse'
import fastify from 'fastify'
import { expect, it, vi } from 'vitest'
import { eventStreams, STREAM, streamEvent, type EventStream } from './event-streams.ts'
import { connectionLimit } from './limits.ts'

async function streams() {
  const app = fastify({ forceCloseConnections: 'idle' })
  await app.register(fastifySSE)
  const limit = connectionLimit(2)
  const answer = eventStreams(app, limit)
  const open = new Set<EventStream>()
  app.get('/', { sse: STREAM }, (request, reply) =>
    answer(request, reply, (stream) => {
      open.add(stream)
      return () => open.delete(stream)
    }),
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const reader = async () => {
    const socket = connect(port, '127.0.0.1')
    const before = open.size
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await vi.waitFor(() => expect(open.size).toBe(before + 1))
    return socket
  }
  return { app, limit, open, port, reader }
}

it('cuts off a client that reads nothing and frees its slot, while others continue', async () => {
  const { app, limit, open, port, reader } = await streams()
  const [slow, quick] = [await reader(), await reader()]
  const received = text(quick)
  expect((await fetch(`http://127.0.0.1:${String(port)}/`)).status).toBe(503)
  const [first] = open
  // More than socket buffers and one burst hold together.
  for (let i = 0; i < 20; i += 1) first?.send(streamEvent('bulk', 'x'.repeat(500_000)))
  await vi.waitFor(() => expect(limit.count()).toBe(1))
  slow.destroy()
  for (const stream of open) stream.send(streamEvent('news', 7))
  await app.close()
  expect(await received).toMatch(
    /^HTTP\/1\.1 200 OK\r\n[^]*retry: [5-7]\d{3}\n\n[^]*event: news\ndata: 7\n\n/,
  )
})

it('answers 503, not an empty page, when a stream ends before its first event', async () => {
  const app = fastify()
  await app.register(fastifySSE)
  const answer = eventStreams(app, connectionLimit(1))
  app.get('/', { sse: STREAM }, (request, reply) =>
    answer(request, reply, async (stream) => {
      stream.end()
      return () => {}
    }),
  )
  // The second stream finds a free slot.
  for (let i = 0; i < 2; i += 1) {
    const { statusCode, body } = await app.inject('/')
    expect([statusCode, body]).toEqual([503, expect.stringContaining('try again')])
  }
  await app.close()
})

it('ends a stream when the client leaves, and on shutdown even if the client never responds', async () => {
  const { app, limit, reader } = await streams()
  const [leaving, staying] = [await reader(), await reader()]
  leaving.destroy()
  await vi.waitFor(() => expect(limit.count()).toBe(1))
  staying.pause()
  const began = performance.now()
  await app.close()
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(limit.count()).toBe(0)
  staying.resume()
  await once(staying, 'close')
})
