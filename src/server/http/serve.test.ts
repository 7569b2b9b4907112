import Fastify from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { get } from '#contracts/route.ts'
import { answerCache } from './answer-cache.ts'
import { readInput } from './read-input.ts'
import { serveShared } from './serve.ts'

it('a shared response is rendered once per version, whatever else its address says', async () => {
  const app = Fastify()
  app.setValidatorCompiler(readInput)
  app.setSerializerCompiler(serializerCompiler)
  const isNoOlderThan = () => Promise.resolve(true)
  const outages = { notice: () => null, current: () => null }
  app.decorate('answers', answerCache({ version: () => '1', isNoOlderThan, outages }))
  const made: string[] = []
  const reply = z.object({})
  for (const query of [undefined, z.object({ q: z.string().optional() })]) {
    const path = query ? '/asked' : '/plain'
    const route = get(path, 'public', { summary: '', reply, ...(query && { query }) })
    serveShared(app, route, () => {
      made.push(path)
      return {}
    })
  }
  for (const url of ['/plain', '/plain?x=1', '/plain?x=2', '/plain?v=1']) await app.inject(url)
  expect(made).toEqual(['/plain'])
  for (const url of ['/asked?q=1', '/asked?q=1&x=2', '/asked?q=2']) await app.inject(url)
  expect(made).toEqual(['/plain', '/asked', '/asked'])
})
