import { z } from 'zod'
import { SocialPicture } from '#contracts/publishing.ts'
import { POST_KINDS } from '#domain/publishing/social-post.ts'
import { keep, keptText, readKept, type DeviceStore } from '#web/ui/device-store.ts'
import { EMPTY, type Composition } from './composition.ts'

/**
 * Where this browser keeps what is being written until it is sent or kept on the server: for each administrator by
 * himself, so that the next one at the same machine does not find the words of another.
 */
export function keyOf(owner: string): string {
  return `social-desk ${owner}`
}

const text = z.string()
const Kept = z.object({
  x: text,
  nostr: text,
  pictures: z.array(SocialPicture),
  kind: z.enum(POST_KINDS),
  submissionId: text.nullable(),
  predictionId: text.nullable(),
  editing: z
    .object({
      id: text,
      state: z.enum(['draft', 'scheduled', 'missed']),
      seenAt: text.nullable().default(null),
      at: text.nullable().default(null),
    })
    .nullable(),
  when: text,
  whenAim: z.enum(['both', 'x', 'nostr']),
  asked: z.object({ key: text, what: text }).nullable(),
  sent: text.nullable(),
})

/** What was being written when the page was left; empty where nothing was, or nothing can be read. */
export function readComposition(store: DeviceStore | null, key: string): Composition {
  return readKept(store, key, Kept) ?? EMPTY
}

/** Keeps what is being written; a text that holds a secret key is left empty. */
export function keepComposition(
  store: DeviceStore | null,
  key: string,
  composition: Composition,
): void {
  const text = keptText(composition)
  keep(store, key, text === JSON.stringify(EMPTY) ? null : text)
}
