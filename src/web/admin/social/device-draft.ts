import { useCallback, useEffect, useRef, type RefObject } from 'react'
import { z } from 'zod'
import { SocialPicture } from '#contracts/publishing.ts'
import { eachNetwork, NETWORKS_OF_POSTS, POST_KINDS } from '#domain/publishing/social-post.ts'
import { deviceStore, keep, keptText, readKept, type DeviceStore } from '#web/ui/device-store.ts'
import { EMPTY, type Composition } from './composition.ts'

/** How long typing pauses before it is saved. */
const KEEP_MS = 300

/** Each administrator has a draft of their own, so that the next one at the same machine does not see it. The key keeps its old name, as drafts are saved under it. */
export function keyOf(owner: string): string {
  return `social-desk ${owner}`
}

const text = z.string()
const Kept = z.object({
  ...eachNetwork(() => text.default('')),
  pictures: z.array(SocialPicture),
  kind: z.enum(POST_KINDS),
  submissionId: text.nullable(),
  predictionId: text.nullable(),
  eventId: z.number().nullable().default(null),
  editing: z
    .object({
      id: text,
      state: z.enum(['draft', 'scheduled', 'missed']),
      seenAt: text.nullable().default(null),
      at: text.nullable().default(null),
    })
    .nullable(),
  when: text,
  where: z.array(z.enum(NETWORKS_OF_POSTS)).nullable().default(null),
  asked: z.object({ key: text, what: text }).nullable(),
  sent: text.nullable(),
})

/** What was being written when the page was left; empty if nothing was, or it cannot be read. */
export function readComposition(store: DeviceStore | null, key: string): Composition {
  return readKept(store, key, Kept) ?? EMPTY
}

/** Saves what is being written; a text that holds a secret key is left out. */
export function keepComposition(
  store: DeviceStore | null,
  key: string,
  composition: Composition,
): void {
  const text = keptText(composition)
  keep(store, key, text === JSON.stringify(EMPTY) ? null : text)
}

/**
 * Saves what is being written in this browser, and follows another tab while nothing is being done in this one.
 *
 * @param kept what was saved when the page was opened
 * @param onOther shows what another tab wrote; null while this one must not change
 * @returns saves at once
 */
export function useDeviceDraft(
  owner: string,
  kept: Composition,
  latest: RefObject<Composition>,
  onOther: ((composition: Composition) => void) | null,
): () => void {
  // What was saved or read here last: a tab in which nothing was done since must not replace newer words with old ones, or
  // bring back what was sent from another tab.
  const saved = useRef(kept)
  const save = useCallback(() => {
    if (latest.current === saved.current) return
    keepComposition(deviceStore(), keyOf(owner), latest.current)
    saved.current = latest.current
  }, [owner, latest])

  useEffect(() => {
    const timer = setTimeout(save, KEEP_MS)
    window.addEventListener('pagehide', save)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', save)
    }
  })
  // Another screen was opened.
  useEffect(() => save, [save])

  useEffect(() => {
    const follow = ({ key }: StorageEvent): void => {
      if (key !== keyOf(owner) || onOther === null || latest.current !== saved.current) return
      saved.current = readComposition(deviceStore(), key)
      onOther(saved.current)
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  })
  return save
}
