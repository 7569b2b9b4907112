import { z } from 'zod'
import { SocialPicture } from '#contracts/social.ts'
import { holdsSecretKey } from '#domain/publishing/nostr-key.ts'
import { POST_KINDS } from '#domain/publishing/social-post.ts'
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

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The storage of the browser; null where it is switched off. */
export function deviceStore(): Store | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}

/** What was being written when the page was left; empty where nothing was, or nothing can be read. */
export function readKept(store: Store | null, key: string): Composition {
  try {
    const kept = Kept.safeParse(JSON.parse(store?.getItem(key) ?? 'null'))
    return kept.success ? kept.data : EMPTY
  } catch {
    return EMPTY
  }
}

/** A text that holds a secret key is not kept. */
export function keep(store: Store | null, key: string, composition: Composition): void {
  const safe = (value: string): string => (holdsSecretKey(value) ? '' : value)
  const { x, nostr } = composition
  const pictures = composition.pictures.map((picture) => ({ ...picture, alt: safe(picture.alt) }))
  try {
    if (JSON.stringify(composition) === JSON.stringify(EMPTY)) store?.removeItem(key)
    else {
      const kept = { ...composition, x: safe(x), nostr: safe(nostr), pictures }
      store?.setItem(key, JSON.stringify(kept))
    }
  } catch {
    // Full or refused: nothing but a reload loses what was typed.
  }
}
