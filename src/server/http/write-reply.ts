import { type FastifySerializerCompiler } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { type z } from 'zod'

/**
 * Checks a reply by the schema of its contract and writes it as JSON. A frozen one is checked and written once: a handler
 * that answers several callers with the same object freezes it, and changes nothing inside it either.
 */
export const writeReply: FastifySerializerCompiler<z.ZodType> = (route) => {
  const write = serializerCompiler(route)
  const written = new WeakMap<object, string>()
  return (reply: unknown) => {
    if (typeof reply !== 'object' || reply === null || !Object.isFrozen(reply)) return write(reply)
    const text = written.get(reply) ?? write(reply)
    written.set(reply, text)
    return text
  }
}
