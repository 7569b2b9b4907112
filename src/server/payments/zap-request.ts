import { onlyText } from '#domain/clean-text.ts'
import { z } from 'zod'
import { type SignedEvent } from '#domain/proof/record-event.ts'

const hex = (characters: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${String(characters)}}$`))

/** What is copied into a receipt is kept, as it was signed. */
const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((given) => onlyText(given) === given)

/** A signed event of bounded size, as a stranger sends it. */
export const SignedRequest = z.object({
  id: hex(64),
  pubkey: hex(64),
  created_at: z.int().nonnegative(),
  kind: z.int(),
  tags: z.array(z.array(text(2_000)).max(100)).max(100),
  content: text(4_000),
  sig: hex(128),
})

/** Whether an event has the id and the signature that belong to it; the library that checks it is loaded with the first one. */
export async function signedByItsKey(event: SignedEvent): Promise<boolean> {
  const { verifyEvent } = await import('nostr-tools/pure')
  return verifyEvent({ ...event, tags: event.tags.map((tag) => [...tag]) })
}
