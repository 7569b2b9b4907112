import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { answerErrors } from './app.ts'
import { readBody, readInput } from './read-input.ts'

const refusal = async (schema: z.ZodType, payload: unknown): Promise<Record<string, unknown>> => {
  const app = Fastify()
  app.setValidatorCompiler(readInput)
  answerErrors(app, { notice: () => null })
  app.post('/', { schema: { body: schema } }, () => ({}))
  const response = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  })
  expect(response.statusCode).toBe(400)
  return response.json<Record<string, unknown>>()
}

const Numbered = z.coerce.number()

it.each([
  [z.enum(['touch', 'close']), 'both', 'Please choose one of: touch, close.'],
  [z.enum(['all', '']), 1, 'Please choose one of: all.'],
  [z.literal(true), false, 'Please choose one of: true.'],
  [z.string(), 1, 'Please give a text.'],
  [z.string(), undefined, 'Please give a text.'],
  [z.string().min(1), '', 'Please fill this in.'],
  [z.string().min(12), 'a', 'Please give at least 12 characters.'],
  [z.string().max(20_000), 'a'.repeat(20_001), 'Please give at most 20,000 characters.'],
  [z.array(z.string()).min(1), [], 'Please give at least one.'],
  [z.array(z.string()).max(1), ['a', 'b'], 'Please give at most 1 entry.'],
  [z.int(), 1.5, 'Please give a whole number.'],
  [Numbered, 'many', 'Please give a number.'],
  [Numbered.min(1), '0', 'Please give a number of 1 or more.'],
  [Numbered.max(200), 201, 'Please give a number of 200 or less.'],
  [z.number().positive(), 0, 'Please give a number above 0.'],
  [z.number().lt(0.5), 0.5, 'Please give a number below 0.5.'],
  [z.boolean(), 'yes', 'Please give true or false.'],
  [z.iso.date(), '2026-02-30', 'Please give a day such as 2026-11-20.'],
  [z.iso.datetime(), 'now', 'Please give a moment such as 2026-11-20T12:00:00Z.'],
  [z.uuid(), '7', 'Please give an id of this site.'],
  [z.string().regex(/^a$/), 'b', 'This cannot be read. Please check it.'],
  [z.union([z.string().max(3), z.number()]), true, 'Please give a text or a number.'],
  [z.union([z.string().max(3), z.number()]), 'long', 'Please give at most 3 characters.'],
  [z.string('Please choose from the list.'), 1, 'Please choose from the list.'],
])('explains a wrong value at its field: %#', async (schema, value, sentence) => {
  expect(await refusal(z.object({ field: schema }), { field: value })).toMatchObject({
    code: 'invalid',
    error: `field: ${sentence}`,
    fields: { field: sentence },
  })
})

it('names unknown fields, truncated', async () => {
  const strict = z.object({ rows: z.array(z.strictObject({ a: z.string() })) })
  expect(await refusal(strict, { rows: [{ a: 'a', constructor: 1 }] })).toMatchObject({
    fields: { 'rows.0.constructor': 'This cannot be set here.' },
  })
  const many = (name: string) =>
    Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${name}${String(i)}`, 1]))
  const unknown = { ...many('key'), ...many('x'.repeat(200)) }
  const { fields } = await refusal(z.strictObject({}), unknown)
  expect(Object.keys(Object(fields)).length).toBe(50)
  expect(JSON.stringify(fields).length).toBeLessThan(8_000)
})

it('reports a missing body', async () => {
  const { error } = await refusal(z.object({}), null)
  expect(error).toBe('input: Please give an object of JSON.')
})

it('removes invalid characters before validation', () => {
  const schema = z.object({ name: z.string().min(1), id: z.string().regex(/^\P{Cc}+$/u) })
  const read = (overrides: object) => {
    try {
      return readBody(schema, overrides)
    } catch (error) {
      return error
    }
  }
  expect(read({ name: 'A\b\uD83D \uFFFE\tB', id: 'a' })).toEqual({ name: 'A \tB', id: 'a' })
  expect(read({ name: '\b', id: 'a' })).toMatchObject({ fields: { name: 'Please fill this in.' } })
  expect(read({ name: 'A', id: 'a\b' })).toMatchObject({ fields: { id: expect.any(String) } })
})
