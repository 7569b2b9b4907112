import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { writeReply } from './write-reply.ts'

async function answering(reply: unknown) {
  let checks = 0
  const name = z.string().refine(() => {
    checks += 1
    return true
  })
  const app = Fastify()
  app.setSerializerCompiler(writeReply)
  app.get('/', { schema: { response: { 200: z.object({ name }) } } }, () => reply)
  await app.ready()
  const ask = async () => {
    const { statusCode, body } = await app.inject({ url: '/' })
    return { statusCode, body }
  }
  return { ask, checks: () => checks }
}

it('a frozen reply is checked and written once, and any other each time', async () => {
  const frozen = await answering(Object.freeze({ name: 'Zoë', secret: 'not in the contract' }))
  const first = await frozen.ask()
  expect(first).toEqual({ statusCode: 200, body: '{"name":"Zoë"}' })
  expect(await frozen.ask()).toEqual(first)
  expect(frozen.checks()).toBe(1)

  const changing = { name: 'before' }
  const other = await answering(changing)
  expect((await other.ask()).body).toBe('{"name":"before"}')
  changing.name = 'after'
  expect((await other.ask()).body).toBe('{"name":"after"}')
  expect(other.checks()).toBe(2)
})

it('a reply that the contract does not allow is refused, frozen or not, each time', async () => {
  for (const reply of [{ name: 5 }, Object.freeze({ name: 5 }), null]) {
    const { ask } = await answering(reply)
    expect((await ask()).statusCode).toBe(500)
    expect((await ask()).statusCode).toBe(500)
  }
})
