import { useState } from 'react'
import { type SocialPost } from '#contracts/publishing.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { changePost, useShowPosts } from './calls.ts'
import { longMoment, ownZone } from './moments.ts'
import { askAgain } from './post-rows.tsx'
import { type Composer } from './use-composer.ts'

/** A post that is picked up, and the time it would have. */
export type Held = { readonly post: SocialPost; readonly ms: number }

/** Whether a post can be given another time. */
export function isMovable({ state }: SocialPost): boolean {
  return state === 'scheduled' || state === 'missed'
}

const OVER = 'That time has passed. Please choose a later one.'

/**
 * The post of a calendar that is picked up, moved and dropped.
 *
 * @param onDropped gets the time that it has then
 */
export function useHeld(composer: Composer, onDropped: (ms: number) => void) {
  const [held, setHeld] = useState<Held | null>(null)
  const [said, setSaid] = useState('')
  const toasts = useToasts()
  const showPosts = useShowPosts()
  const change = useChange({
    onFailed({ message }) {
      toasts.failed(message)
      setHeld(null)
      void showPosts()
    },
  })

  /** Gives a post another time; its texts and pictures stay. */
  async function plan(post: SocialPost, ms: number): Promise<SocialPost> {
    const ask = { ...askAgain(post), scheduled_at: new Date(ms).toISOString(), zone: ownZone() }
    const moved = await changePost(post.id, 'schedule', ask, post.updated_at)
    composer.moved(moved)
    await showPosts(moved)
    return moved
  }

  return {
    held,
    /** What a screen reader hears. */
    said,
    isBusy: change.isBusy,

    pickUp: (post: SocialPost): void => {
      const ms = timeOf(post)
      setHeld({ post, ms })
      setSaid(
        `Picked up at ${longMoment(ms)}. Arrow keys move it by an hour or a day, Enter drops it, Escape puts it back.`,
      )
    },

    /** Shows it at another time, without saving it. */
    moveTo: (post: SocialPost, ms: number): void => {
      setHeld({ post, ms })
      setSaid(`${longMoment(ms)}${ms <= Date.now() ? ', which is over' : ''}`)
    },

    putBack: (): void => {
      if (!held) return
      setHeld(null)
      setSaid(`Back at ${longMoment(timeOf(held.post))}.`)
    },

    /** Saves its new time; one that is over is refused, and it stays picked up. */
    drop: async ({ post, ms }: Held): Promise<void> => {
      const before = timeOf(post)
      if (ms === before) {
        setHeld(null)
        setSaid(`Left at ${longMoment(ms)}.`)
        return
      }
      if (ms <= Date.now()) {
        setSaid(OVER)
        toasts.failed(OVER)
        return
      }
      await change.run(async () => {
        const moved = await plan(post, ms)
        setHeld(null)
        onDropped(ms)
        const words = `Moved to ${longMoment(ms)}.`
        setSaid(words)
        if (before <= Date.now()) toasts.done(words)
        else {
          const undo = async (): Promise<void> => void (await plan(moved, before))
          toasts.undoable(words, () => void change.run(undo))
        }
      })
    },
  }
}

/** When a post is planned for, or went out. */
export function timeOf({ scheduled_at: at, created_at: made }: SocialPost): number {
  return Date.parse(at ?? made)
}
