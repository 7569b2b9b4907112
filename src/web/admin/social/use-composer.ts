import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  cancelPost,
  createPost,
  editPost,
  sendPost,
  type Proposal,
  type SocialPost,
} from '#contracts/publishing.ts'
import {
  NETWORKS_OF_POSTS,
  platformText,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { useDecision } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { CallError, newKey } from '#web/api/call.ts'
import { deviceStore, keep, storedText, readStored } from '#web/ui/device-store.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import {
  afterSending,
  askOf,
  Composition,
  compositionOf,
  EMPTY,
  fieldOf,
  hasContent,
  type Aim,
  type Ask,
} from './composition.ts'
import { usePictures } from './use-pictures.ts'

const SET_ASIDE = 'Your unsaved post was set aside.'
/** X with pictures takes longest. */
export const SEND_PATIENCE = { patienceMs: 150_000 }

export type Work = SocialNetwork | 'all' | 'schedule' | 'draft'
type Action = 'draft' | 'schedule' | 'soon' | 'send'
export type Composer = ReturnType<typeof useComposer>
type HandOver = { readonly submissionId: string | null; readonly predictionId: string | null }
type Sent = { readonly post: SocialPost }

const keyOf = (owner: string): string => `post of ${owner}`

export function makePost(action: Action, ask: Ask, key: string): Promise<Sent> {
  const headers = { 'idempotency-key': key }
  return adminCall(createPost, { body: { ...ask, action }, headers, ...SEND_PATIENCE })
}

/**
 * The post being written, with its actions.
 *
 * @param options the owner of the post stored in this tab, and the hand-over from the address; different values need a
 *   new composer
 */
export function useComposer(options: HandOver & { readonly owner: string }) {
  const store = deviceStore('session')
  const [stored] = useState(() => readStored(store, keyOf(options.owner), Composition) ?? EMPTY)
  const isHandedOver = isOther(options, stored)
  const [composition, setComposition] = useState<Composition>(() =>
    isHandedOver
      ? { ...EMPTY, submission_id: options.submissionId, prediction_id: options.predictionId }
      : stored,
  )
  const [last, setLast] = useState<Work>('all')
  const decision = useDecision()
  const toasts = useToasts()
  const latest = useRef(composition)
  const pictures = usePictures(composition.pictures, (list) => change({ pictures: [...list] }))
  const now = (): Composition => latest.current
  const { failed, isBusy } = decision

  function change(part: Partial<Composition>): void {
    latest.current = { ...latest.current, ...part }
    setComposition(latest.current)
    keep(store, keyOf(options.owner), storedText(latest.current))
  }

  function show(next: Composition): void {
    change(next)
    decision.forget()
    pictures.replace(next.pictures)
  }

  function replace(next: Composition, message = SET_ASIDE): void {
    const before = now()
    show(next)
    if (hasContent(before)) toasts.undoable(message, () => show(before))
  }

  const offerStored = useEffectEvent(() => {
    if (isHandedOver && hasContent(stored)) toasts.undoable(SET_ASIDE, () => show(stored))
  })
  useEffect(() => offerStored(), [])

  async function storePost(action: Action, ask: Ask): Promise<Sent> {
    const { editing, asked } = now()
    if (editing === null) {
      // A retry after a lost answer reuses the key.
      const what = JSON.stringify([action, ask])
      const key = asked?.what === what ? asked.key : newKey()
      change({ asked: { key, what } })
      return makePost(action, ask, key)
    }
    const input = { params: { id: editing.id }, ...SEND_PATIENCE }
    const seen_at = editing.updated_at
    try {
      if (action === 'draft' || action === 'schedule') {
        return await adminCall(editPost, { ...input, body: { ...ask, action, seen_at } })
      }
      return await adminCall(sendPost, { ...input, body: { post: ask, seen_at } })
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'conflict') throw error
      // Another administrator was faster: keep their version.
      change({ editing: null, event_id: null })
      throw new CallError(`${error.message} Your text is kept as a new post.`, error.status)
    }
  }

  async function save(
    action: 'draft' | 'schedule',
    aim: Aim,
    obstacle: string | null,
  ): Promise<void> {
    setLast(action)
    await decision.run(async () => {
      if (obstacle !== null) throw new CallError(obstacle, 400)
      await storePost(action, askOf(aim, now(), action === 'draft'))
      show(EMPTY)
      return { message: action === 'draft' ? 'The draft is saved.' : 'The post is scheduled.' }
    })
  }

  return {
    composition,
    pictures,
    isHandedOver,
    work: isBusy ? last : null,
    /** Server errors by the place that shows them. */
    faults: (failed === null ? {} : { [last]: faultText(failed) }) as Partial<Record<Work, string>>,
    change: (part: Partial<Composition>): void => {
      decision.forget()
      change(part)
    },
    clear: () => replace(EMPTY, 'The post was cleared.'),
    saveDraft: (aim: Aim) => save('draft', aim, null),
    /** @param obstacle why it cannot be scheduled, shown as the error; null if it can */
    schedule: (aim: Aim, obstacle: string | null = null) => save('schedule', aim, obstacle),

    /**
     * Sends a new post by the common button after ten seconds with undo; otherwise immediately.
     *
     * @param place where a failure is shown
     * @param obstacle why it cannot be sent now, shown as the error; null if it can
     */
    async send(
      aim: Aim,
      place: SocialNetwork | 'all',
      obstacle: string | null = null,
    ): Promise<void> {
      const before = now()
      const isSoon = place === 'all' && before.editing === null
      setLast(place)
      await decision.run(
        async () => {
          if (obstacle !== null) throw new CallError(obstacle, 400)
          // Otherwise the previous outcome would be shown as the new one.
          change({ sent: null })
          const { post } = await storePost(isSoon ? 'soon' : 'send', askOf(aim, before))
          show(afterSending(now(), aim, post.id))
          const message = `Posting on ${platformText(post.networks)} in ten seconds.`
          return isSoon ? { post, message } : { post }
        },
        {
          undo: isSoon
            ? async ({ post }) => {
                await adminCall(cancelPost, { params: { id: post.id } })
                replace({ ...before, asked: null, sent: null })
              }
            : undefined,
        },
      )
    },

    takeUp(from: SocialPost | Proposal): void {
      replace(compositionOf(from))
      if ('has_chart' in from && from.has_chart) void pictures.addChart(from.prediction_id)
    },

    /** Copies a sent post for some of its networks; its outcome stays on screen. */
    reuse: (post: SocialPost, networks: Aim) =>
      replace({ ...compositionOf(post), networks: [...networks], sent: now().sent }),

    fill(part: Partial<Composition>): void {
      const before = now()
      change({ event_id: null, ...part, asked: null })
      decision.forget()
      const isLost = NETWORKS_OF_POSTS.map(fieldOf).some((one) => {
        return part[one] !== undefined && before[one].trim() !== '' && before[one] !== part[one]
      })
      if (isLost) toasts.undoable('The texts were replaced.', () => show(before))
    },

    /** A post was sent from a list; it may be the one being edited here. */
    sent({ id }: SocialPost): void {
      if (now().editing?.id === id) replace({ ...EMPTY, sent: id })
      else change({ sent: id })
    },
  }
}

function isOther({ submissionId, predictionId }: HandOver, stored: Composition): boolean {
  if (submissionId !== null) return submissionId !== stored.submission_id
  return predictionId !== null && predictionId !== stored.prediction_id
}

/** Without an answer, a retry is safe. */
function faultText({ message, status, fields }: CallError): string {
  return status === 0
    ? `${message} Nothing you typed is lost. Press again: it is not posted twice.`
    : [...new Set([message, ...Object.values(fields)])].join(' ')
}
