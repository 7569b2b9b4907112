import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { serving } from '#tests/support/stand-ins/serving.ts'
import { jsonCaller } from './json-call.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

describe('JSON from outside', () => {
  const schema = z.object({ fine: z.literal(true) })
  const { signal } = new AbortController()

  it('is not requested while the other side is rate limiting', async () => {
    const state = { now: NOW, calls: 0, isBusy: true }
    await using server = await serving((_, response) => {
      state.calls += 1
      if (state.isBusy) response.writeHead(429, { 'retry-after': '120' }).end()
      else response.end('{"fine":true}')
    })
    const callJson = jsonCaller({ now: () => state.now })
    const daily = () => callJson({ title: 'Yahoo', url: new URL(server.origin), schema, signal })
    const live = () =>
      callJson({ title: 'Yahoo', url: new URL('live', server.origin), schema, signal })
    await expect(daily()).rejects.toMatchObject({ fault: 'busy', waitMs: 120_000 })
    state.isBusy = false
    state.now += 119_000
    await expect(live()).rejects.toMatchObject({ fault: 'busy', waitMs: 1_000 })
    expect(state.calls).toBe(1)
    state.now += 1_000
    await expect(live()).resolves.toMatchObject({ body: { fine: true } })
    state.isBusy = true
    await expect(live()).rejects.toMatchObject({ fault: 'busy' })
    state.isBusy = false
    state.now -= 3_600_000
    await expect(daily()).resolves.toMatchObject({ body: { fine: true } })
  })

  it.each([
    [{}, NOW],
    [{ age: '90' }, NOW - 90_000],
    [{ age: 'old' }, NOW],
  ])('with %o has its time, and bypasses caches', async (headers, remoteMs) => {
    const requested: (string | undefined)[] = []
    await using server = await serving((request, response) => {
      requested.push(request.headers['cache-control'])
      response.writeHead(200, { date: new Date(NOW).toUTCString(), ...headers })
      response.end('{"fine":true}')
    })
    const callJson = jsonCaller({ now: () => NOW })
    const answer = await callJson({ title: 'Yahoo', url: new URL(server.origin), schema, signal })
    expect(answer.remoteMs).toBe(remoteMs)
    expect(requested).toEqual(['no-cache'])
  })
})
