import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Proposal, type SocialPost } from '#contracts/publishing.ts'
import { NETWORKS_OF_POSTS, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { CallError } from '#web/api/call.ts'
import { deviceStore } from '#web/ui/device-store.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { useShowPosts, type Ask } from './calls.ts'
import {
  afterSending,
  afterTryingAgain,
  askOf,
  compositionOf,
  draftAskOf,
  EMPTY,
  hasContent,
  proposedComposition,
  timeOf,
  type Aim,
  type Composition,
} from './composition.ts'
import { keyOf, readComposition, useDeviceDraft } from './device-draft.ts'
import { storePost } from './store-post.ts'
import { usePictures } from './use-pictures.ts'

const SET_ASIDE = 'Your unsaved post was set aside.'

/** What can be done with a post, and where its failure is shown. */
export type Work = SocialNetwork | 'all' | 'schedule' | 'draft'
export type Composer = ReturnType<typeof useComposer>

/**
 * The post that is being written, and all that can be done with it.
 *
 * @param given whose draft is kept in this browser, and what the address hands over; other ones need another composer
 */
export function useComposer(given: {
  readonly owner: string
  readonly submissionId: string | null
  readonly predictionId: string | null
}) {
  const [kept] = useState(() => readComposition(deviceStore(), keyOf(given.owner)))
  const [composition, setComposition] = useState<Composition>(() => opened(kept, given))
  const [last, setLast] = useState<Work>('all')
  const { run, isBusy, failed, forget } = useChange()
  const toasts = useToasts()
  const showPosts = useShowPosts()
  const latest = useRef(composition)
  const pictures = usePictures(composition.pictures, (list) => change({ pictures: list }))
  const save = useDeviceDraft(given.owner, kept, latest, isBusy ? null : show)
  const now = (): Composition => latest.current
  const kit = { now, change, save, showPosts }
  const faults: Faults = failed === null ? {} : { [last]: faultText(failed) }

  function change(part: Partial<Composition>): void {
    latest.current = { ...latest.current, ...part }
    setComposition(latest.current)
  }

  function show(next: Composition): void {
    change(next)
    forget()
    pictures.replace(next.pictures)
  }

  /** Shows something else; what was written before can be taken back. */
  function replace(next: Composition, said: string): void {
    const before = now()
    show(next)
    if (hasContent(before)) toasts.undoable(said, () => show(before))
  }

  // The address hands over something else than what was being written here.
  const offerKept = useEffectEvent(() => {
    if (hasContent(kept) && !hasContent(now())) toasts.undoable(SET_ASIDE, () => show(kept))
  })
  useEffect(() => offerKept(), [])

  async function work(kind: Work, body: () => Promise<void>): Promise<void> {
    await run(() => {
      setLast(kind)
      return body()
    })
  }

  function store(action: 'draft' | 'schedule', ask: () => Ask): Promise<void> {
    return work(action, async () => {
      const post = await storePost(kit, action, ask())
      show(EMPTY)
      toasts.done(action === 'draft' ? 'The draft is saved.' : 'The post is scheduled.')
      await showPosts(post)
    })
  }

  /** What became of a post that was sent before: its texts are not left to be sent again. */
  function settle(post: SocialPost): void {
    const next = afterTryingAgain(now(), post)
    if (next !== now()) show(next)
  }

  return {
    composition,
    pictures,
    /** What is being done; null while nothing is. */
    work: isBusy ? last : null,
    /** What the server said against it, by the place where it is shown. */
    faults,
    change,
    settle,

    /**
     * @param place where a failure is shown
     * @param obstacle why it cannot be sent now, which is shown instead; null when it can
     */
    send: (aim: Aim, place: SocialNetwork | 'all', obstacle: string | null = null) =>
      work(place, async () => {
        if (obstacle !== null) throw new CallError(obstacle, 400)
        // The outcome of the post before would be taken for this one's.
        change({ sent: null })
        const post = await storePost(kit, 'send', askOf(aim, now()))
        const shown = showPosts(post)
        show(afterSending(now(), aim, post))
        await shown
      }),

    schedule: (aim: Aim) =>
      store('schedule', () => {
        const when = timeOf(now())
        if (!when) throw new CallError('Please choose a date and a time.', 400)
        return askOf(aim, now(), when)
      }),

    saveDraft: (aim: Aim) => store('draft', () => draftAskOf(aim, now(), timeOf(now()))),

    edit: (post: SocialPost) => replace(compositionOf(post), SET_ASIDE),

    /** Takes up what the record proposes, with its chart. */
    takeUp(proposal: Proposal): void {
      replace(proposedComposition(proposal), SET_ASIDE)
      if (proposal.has_chart) void pictures.addChart(proposal.prediction_id)
    },

    clear: () => replace(EMPTY, 'The post was cleared.'),

    /** Puts texts in place of those that are written. */
    fill(part: Partial<Composition>): void {
      const before = now()
      change({ eventId: null, ...part, asked: null })
      forget()
      const isLost = NETWORKS_OF_POSTS.some(
        (network) =>
          part[network] !== undefined &&
          before[network].trim() !== '' &&
          before[network] !== part[network],
      )
      if (isLost) toasts.undoable('The texts were replaced.', () => show(before))
    },

    /** A post has another time; it may be the one that is being edited here. */
    moved(post: SocialPost): void {
      const { editing, when } = compositionOf(post)
      if (editing && now().editing?.id === post.id) change({ editing, when })
    },

    /** A post was sent from the lists; it may be the one that is being edited here. */
    sentFromList(post: SocialPost): void {
      const isHere = now().editing?.id === post.id
      change({ sent: post.id, ...(isHere ? { editing: null } : {}) })
      if (isHere) settle(post)
    },
  }
}

type Faults = Partial<Readonly<Record<Work, string>>>

/** What the address hands over goes before what was kept of another. */
function opened(
  kept: Composition,
  { submissionId, predictionId }: { submissionId: string | null; predictionId: string | null },
): Composition {
  if (submissionId !== null && submissionId !== kept.submissionId) {
    return { ...EMPTY, submissionId, predictionId }
  }
  return predictionId === null ? kept : { ...kept, predictionId }
}

/** Without an answer, it is safe to press again. */
function faultText({ message, status, fields }: CallError): string {
  return status === 0
    ? `${message} Nothing you typed is lost. Press again: it is not posted twice.`
    : [...new Set([message, ...Object.values(fields)])].join(' ')
}
