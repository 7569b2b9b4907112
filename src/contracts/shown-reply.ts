import { REPLY_WAYS } from '#domain/reply.ts'
import { z } from 'zod'

const moment = z.iso.datetime()
const Tag = z.array(z.string().max(2_000)).max(10)
export const SignedReply = z
  .object({
    id: z.string().regex(/^[0-9a-f]{64}$/),
    pubkey: z.string().regex(/^[0-9a-f]{64}$/),
    created_at: z.int().min(0),
    kind: z.int().min(0),
    tags: z.array(Tag).max(20),
    content: z.string().max(20_000),
    sig: z.string().regex(/^[0-9a-f]{128}$/),
  })
  .meta({ id: 'SignedReply' })

/** A reply as pages show it: what was published, and what of it is shown no longer. */
export const ShownReply = z
  .object({
    id: z.uuid(),
    /** `taken-down`: by the operator, after it had been published; the reason says why. */
    state: z.enum(['published', 'withdrawn', 'taken-down']),
    /** Who replied. */
    name: z.string(),
    /** As its author wrote it; null when it is shown no longer. */
    text: z.string().nullable(),
    link: z.string().nullable(),
    /** How its author is known. */
    way: z.enum(REPLY_WAYS),
    received_at: moment,
    published_at: moment,
    /** When it was withdrawn or taken down. */
    ended_at: moment.nullable(),
    reason: z.string().nullable(),
    /** The signed event, for everyone to check. */
    event: SignedReply.nullable(),
    /** The post that confirms its author. */
    post: z.string().nullable(),
  })
  .meta({ id: 'ShownReply' })
export type ShownReply = z.infer<typeof ShownReply>
