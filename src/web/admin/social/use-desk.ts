import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type SocialPost } from '#contracts/publishing.ts'
import { CallError, sentenceOf } from '#web/api/call.ts'
import { newKey } from '#web/api/payments.ts'
import { deviceStore } from '#web/ui/device-store.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import { changePost, makePost, sendStored, storedPost, useShowPosts, type Ask } from './calls.ts'
import {
  afterSending,
  afterTryingAgain,
  askOf,
  draftAskOf,
  EMPTY,
  isAsAsked,
  momentMeant,
  type Aim,
  type Composition,
  type Editing,
} from './composition.ts'
import { keepComposition, keyOf, readComposition } from './device-draft.ts'
import { fieldOfMoment, ownZone } from './moments.ts'
import { usePictures } from './use-pictures.ts'

/** Typing is written down when it rests. */
const KEEP_MS = 300

export type Desk = ReturnType<typeof useDesk>

/** What somebody is writing, with all that can be done with it. */
export function useDesk(given: {
  /** Whose words are kept in this browser; another one is another desk. */
  readonly owner: string
  readonly submissionId: string | null
  readonly predictionId: string | null
}) {
  const [store] = useState(() => deviceStore())
  const [place] = useState(() => keyOf(given.owner))
  const [kept] = useState(() => readComposition(store, place))
  const [composition, setComposition] = useState<Composition>(() => opened(kept, given))
  const [work, setWork] = useState<Work>(null)
  const [faults, setFaults] = useState<Faults>({})
  const toasts = useToasts()
  const showPosts = useShowPosts()
  const latest = useRef(composition)
  const pictures = usePictures(composition.pictures, (list) => change({ pictures: list }))

  function set(next: Composition): void {
    latest.current = next
    setComposition(next)
  }

  function change(part: Partial<Composition>): void {
    set({ ...latest.current, ...part })
  }

  // What was written down or read here last: a tab in which nothing was done since must not put old words in the place of
  // newer ones, or bring back what was sent from another tab.
  const written = useRef(kept)
  const write = useCallback(() => {
    if (latest.current === written.current) return
    keepComposition(store, place, latest.current)
    written.current = latest.current
  }, [store, place])

  useEffect(() => {
    const timer = setTimeout(write, KEEP_MS)
    window.addEventListener('pagehide', write)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', write)
    }
  }, [write, composition])
  // Another screen was opened.
  useEffect(() => write, [write])

  // A tab that rests shows what is written in the other one.
  useEffect(() => {
    const follow = ({ key }: StorageEvent): void => {
      if (key !== place || work !== null || latest.current !== written.current) return
      written.current = readComposition(store, place)
      show(written.current)
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  })

  // Something else was handed over than what was being written here.
  const offerKept = useEffectEvent(() => {
    if (hasContent(kept) && !hasContent(latest.current)) {
      toasts.undoable('Your unsaved post was set aside.', () => show(kept))
    }
  })
  useEffect(() => offerKept(), [])

  function show(next: Composition): void {
    set(next)
    setFaults({})
    pictures.replace(next.pictures)
  }

  /** The same post asked for again after a lost answer is the same post. */
  function keyFor(action: string, ask: Ask): string {
    const what = JSON.stringify([action, ask])
    const { asked } = latest.current
    if (asked?.what === what) return asked.key
    const key = newKey()
    change({ asked: { key, what } })
    write()
    return key
  }

  async function run(
    kind: NonNullable<Work>,
    place: Place,
    body: () => Promise<void>,
  ): Promise<void> {
    setWork(kind)
    setFaults({})
    try {
      await body()
    } catch (error) {
      setFaults({ [place]: faultText(error) })
    } finally {
      setWork(null)
    }
  }

  /**
   * Changes the stored post that is on the desk, or sends it as it stands here. Where somebody else was faster, theirs stays, and what is written here
   * becomes a new post. One that has gone out just as it is asked for was sent by the press before, whose answer was lost.
   */
  async function changed(
    editing: Editing,
    aim: 'draft' | 'schedule' | 'send',
    ask: Ask,
  ): Promise<SocialPost> {
    const put = (seenAt: string | null): Promise<SocialPost> =>
      aim === 'send'
        ? sendStored(editing.id, { post: ask, seen_at: seenAt })
        : changePost(editing.id, aim, ask, seenAt)
    try {
      return await put(editing.seenAt)
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'conflict') throw error
      const stored = await storedPost(editing.id)
      if (isAsAsked(stored, ask)) {
        if (editingOf(stored)) return put(stored.updated_at)
        if (stored.state !== 'cancelled' && aim === 'send') return stored
      }
      change({ editing: null })
      await showPosts(stored)
      throw new CallError(`${error.message} What stands here is kept, as a new post.`, error.status)
    }
  }

  return {
    composition,
    pictures,
    work,
    /** What the server said, by the place where it is shown. */
    faults,
    change,
    /** A fault found before the server was asked. */
    complain: (place: Place, text: string): void => setFaults({ [place]: text }),

    send: (aim: Aim): Promise<void> =>
      run(aim, aim, async () => {
        // The outcome of the post before would be taken for this one's.
        change({ sent: null })
        const { editing } = latest.current
        const ask = askOf(aim, latest.current)
        const post = editing
          ? await changed(editing, 'send', ask)
          : await makePost('send', ask, keyFor('send', ask))
        const shown = showPosts(post)
        show(afterSending(latest.current, aim, post))
        await shown
      }),

    schedule: (aim: Aim): Promise<void> =>
      run('schedule', 'schedule', async () => {
        const { editing } = latest.current
        const when = timeOf(latest.current)
        if (!when) throw new CallError('Please choose a date and a time.', 400)
        const ask = askOf(aim, latest.current, when)
        const post = editing
          ? await changed(editing, 'schedule', ask)
          : await makePost('schedule', ask, keyFor('schedule', ask))
        show(EMPTY)
        toasts.done('The post is scheduled.')
        await showPosts(post)
      }),

    saveDraft: (): Promise<void> =>
      run('draft', 'draft', async () => {
        const { editing } = latest.current
        const ask = draftAskOf(latest.current, timeOf(latest.current))
        const post = editing
          ? await changed(editing, 'draft', ask)
          : await makePost('draft', ask, keyFor('draft', ask))
        show(EMPTY)
        toasts.done('The draft is kept.')
        await showPosts(post)
      }),

    /** Takes a stored post onto the desk; what stood there can be taken back. */
    edit: (post: SocialPost): void => {
      const before = latest.current
      show(compositionOf(post))
      if (hasContent(before)) {
        toasts.undoable('Your unsaved post was set aside.', () => show(before))
      }
    },

    clear: (): void => {
      const before = latest.current
      show(EMPTY)
      if (hasContent(before)) toasts.undoable('The desk was cleared.', () => show(before))
    },

    /** Puts texts in place of those that stand there. */
    fill: (part: Partial<Composition>): void => {
      const before = latest.current
      change({ ...part, asked: null })
      setFaults({})
      const isLost =
        (part.x !== undefined && before.x.trim() !== '' && before.x !== part.x) ||
        (part.nostr !== undefined && before.nostr.trim() !== '' && before.nostr !== part.nostr)
      if (isLost) toasts.undoable('The texts were replaced.', () => show(before))
    },

    /** A post was sent from the lists; it may be the one that is being changed here. */
    sentFromList: (post: SocialPost): void => {
      const { editing } = latest.current
      const isHere = editing?.id === post.id
      change({ sent: post.id, ...(isHere ? { editing: null } : {}) })
      const next = isHere ? afterTryingAgain(latest.current, post) : latest.current
      if (next !== latest.current) show(next)
    },

    /** A post of before was sent once more, or somebody knows now what became of it. */
    settle: (post: SocialPost): void => {
      const next = afterTryingAgain(latest.current, post)
      if (next !== latest.current) show(next)
    },
  }
}

/** What is being done; null while nothing is. */
export type Work = Aim | 'schedule' | 'draft' | null
export type Place = Aim | 'schedule' | 'draft'
export type Faults = Partial<Readonly<Record<Place, string>>>

/** What was handed over by the address goes before what was kept of another. */
function opened(
  kept: Composition,
  { submissionId, predictionId }: { submissionId: string | null; predictionId: string | null },
): Composition {
  if (submissionId !== null && submissionId !== kept.submissionId) {
    return { ...EMPTY, submissionId, predictionId }
  }
  return predictionId === null ? kept : { ...kept, predictionId }
}

/** The time that is chosen, as the server is told of it. */
function timeOf(composition: Composition): { at: string; zone: string } | undefined {
  const ms = momentMeant(composition)
  return ms === null ? undefined : { at: new Date(ms).toISOString(), zone: ownZone() }
}

function compositionOf(post: SocialPost): Composition {
  const { networks, scheduled_at: at } = post
  return {
    ...EMPTY,
    x: post.x_text,
    nostr: post.nostr_text,
    pictures: post.pictures,
    kind: post.kind,
    submissionId: post.submission_id,
    predictionId: post.prediction_id,
    editing: editingOf(post),
    when: at === null ? '' : fieldOfMoment(Date.parse(at)),
    whenAim: networks.length > 1 ? 'both' : (networks[0] ?? 'both'),
  }
}

/** A stored post as what is being changed; null where it cannot be any more. */
function editingOf({
  id,
  state,
  updated_at: seenAt,
  scheduled_at: at,
}: SocialPost): Editing | null {
  const isOpen = state === 'draft' || state === 'scheduled' || state === 'missed'
  return isOpen ? { id, state, seenAt, at } : null
}

export function hasContent({ x, nostr, pictures }: Composition): boolean {
  return x.trim() !== '' || nostr.trim() !== '' || pictures.length > 0
}

/** Where nobody answered, it is said that another press is safe. */
function faultText(error: unknown): string {
  if (!(error instanceof CallError)) return sentenceOf(error)
  if (error.status === 0) {
    return `${error.message} Nothing you typed is lost. Press again: it is not posted twice.`
  }
  return [...new Set([error.message, ...Object.values(error.fields)])].join(' ')
}
