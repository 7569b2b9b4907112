import rateLimit from '@fastify/rate-limit'
import fastify from 'fastify'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type PageInput } from '#contracts/page.ts'
import { answerCache } from '#server/http/answer-cache.ts'
import { pageAddress } from '#web/public/page-address.ts'
import { serveSite } from './web-pages.routes.ts'

it('while the database is away pages are as they were, and others are refused in a sentence', async () => {
  const state = { version: '1', isAway: false }
  const outages = {
    notice: () => (state.isAway ? ('away' as const) : null),
    current: () => (state.isAway ? ('away' as const) : null),
  }
  const app = fastify()
  await app.register(rateLimit, { global: false })
  app.decorate(
    'answers',
    answerCache({ version: () => state.version, isNoOlderThan: async () => true, outages }),
  )
  await serveSite(app, {
    outages,
    site: {
      template: '<!--head--><!--body--><!--data-->',
      folder: mkdtempSync(join(tmpdir(), 'proof-of-price-pages-')),
      render: () => ({ head: '', body: `version ${state.version}` }),
      address: pageAddress,
    },
    pages: {
      page: async () => {
        if (state.isAway) throw new Error('no database')
        const input = { data: { page: 'asset' } } as unknown as PageInput
        return { status: 200, input, movedTo: null, isPrivate: false }
      },
    },
  })
  await app.inject('/btc')
  Object.assign(state, { version: '2', isAway: true })
  const known = await app.inject('/btc')
  expect([known.statusCode, known.headers.age]).toEqual([200, '0'])
  expect(known.body).toContain('version 1')
  const other = await app.inject('/mstr')
  expect([other.statusCode, other.headers['retry-after']]).toEqual([503, '5'])
  expect(other.headers['content-type']).toContain('text/html')
  expect(other.body).toContain('does not answer')
  state.isAway = false
  expect((await app.inject('/btc')).body).toContain('version 2')
})
