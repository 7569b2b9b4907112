import { afterEach, expect, it, vi } from 'vitest'
import { fetchFresh } from './fetch-fresh.ts'
import { fetchFile } from './proofs.ts'

const caches: (RequestCache | undefined)[] = []

afterEach(() => {
  vi.unstubAllGlobals()
  caches.length = 0
})

it('whatever a page asks for, files too, the browser checks its copy before handing it out', async () => {
  vi.stubGlobal('fetch', (_: string, init?: RequestInit) => {
    caches.push(init?.cache)
    return Promise.resolve(new Response('a proof'))
  })
  expect(new TextDecoder().decode(await fetchFile('/proofs/events/1.ots'))).toBe('a proof')
  await fetchFresh('/api/v1/status', { method: 'POST' })
  await fetchFresh('/healthz', { cache: 'no-store' })
  expect(caches).toEqual(['no-cache', 'no-cache', 'no-store'])
})
