import { type FastifyReply, type FastifyRequest } from 'fastify'
import { keepRecent } from '#server/kit/kept.ts'
import { hotList, strongTag, weightOf, type HotList } from './hot-list.ts'
import { sendHot } from './send-hot.ts'

/** Texts packed not long ago, by their tag: whatever the call, the same text is the same answer. */
const packed = keepRecent<HotList>({
  mostBytes: 24_000_000,
  bytesOf: weightOf,
})

/**
 * Sends a text that is the same for everyone and made anew for each request: packed, with a tag by its content, and 304 to
 * who has it already.
 */
export async function sendShared(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  type?: string,
): Promise<FastifyReply> {
  const tag = strongTag(Buffer.from(text))
  const list = packed.get(tag) ?? (await hotList(text))
  packed.set(tag, list)
  return sendHot(request, reply, list, type)
}

/** The same of a value, checked and cut to the schema of its call. */
export function sendSharedJson(
  request: FastifyRequest,
  reply: FastifyReply,
  value: unknown,
): Promise<FastifyReply> {
  const text = reply.serialize(value)
  return sendShared(
    request,
    reply,
    typeof text === 'string' ? text : new TextDecoder().decode(text),
  )
}
