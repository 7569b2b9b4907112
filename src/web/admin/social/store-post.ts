import { type SocialPost } from '#contracts/publishing.ts'
import { CallError } from '#web/api/call.ts'
import { newKey } from '#web/api/new-key.ts'
import { changePost, makePost, sendStored, storedPost, type Ask } from './calls.ts'
import { editingOf, isAsAsked, type Composition, type Editing } from './composition.ts'

type Action = 'draft' | 'schedule' | 'send'

/** What storing a post reads and changes of the composer. */
type Kit = {
  readonly now: () => Composition
  readonly change: (part: Partial<Composition>) => void
  /** Saves in this browser at once. */
  readonly save: () => void
  readonly showPosts: (post: SocialPost) => Promise<void>
}

/** Makes a post of what is written, or changes the stored one that is being edited. */
export async function storePost(kit: Kit, action: Action, ask: Ask): Promise<SocialPost> {
  const { editing } = kit.now()
  return editing
    ? changeStored(kit, editing, action, ask)
    : makePost(action, ask, keyFor(kit, action, ask))
}

/** Asked for again after a lost answer, the same post has the same key. */
function keyFor({ now, change, save }: Kit, action: Action, ask: Ask): string {
  const what = JSON.stringify([action, ask])
  const { asked } = now()
  if (asked?.what === what) return asked.key
  const key = newKey()
  change({ asked: { key, what } })
  save()
  return key
}

/**
 * Where another administrator was faster, their version stays, and what is written here becomes a new post. A post that has
 * gone out just as it is asked for was sent by the press before, whose answer was lost.
 */
async function changeStored(
  { change, showPosts }: Kit,
  editing: Editing,
  action: Action,
  ask: Ask,
): Promise<SocialPost> {
  const put = (seenAt: string | null): Promise<SocialPost> =>
    action === 'send'
      ? sendStored(editing.id, { post: ask, seen_at: seenAt })
      : changePost(editing.id, action, ask, seenAt)
  try {
    return await put(editing.seenAt)
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'conflict') throw error
    const stored = await storedPost(editing.id)
    if (isAsAsked(stored, ask)) {
      if (editingOf(stored)) return put(stored.updated_at)
      if (stored.state !== 'cancelled' && action === 'send') return stored
    }
    change({ editing: null, eventId: null })
    await showPosts(stored)
    throw new CallError(`${error.message} Your text is kept as a new post.`, error.status)
  }
}
