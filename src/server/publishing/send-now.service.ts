import { type PostInput, type SocialPost } from '#contracts/publishing.ts'
import { ONCE_ONLY, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { failure } from '#server/kit/failure.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Admin } from '#server/kit/ports.ts'
import { setTimeout as pause } from 'node:timers/promises'
import {
  auditedFields,
  auditPost,
  lockedPost,
  postDetail,
  refuseToTurn,
  refuseUnseen,
} from './post-changes.service.ts'
import { checkPictures, checkTexts, readInput } from './post-input.ts'
import { beginResults, postById, resultsOf, turnPost, type StoredResult } from './posts.store.ts'
import { type PublishingKit } from './publishing-kit.ts'
import { sendPart } from './send-posts.service.ts'

/** How long a request waits for a post that another process is sending, or that the same key has begun. */
const WAIT_MS = 60_000
const CHECK_MS = 200
const UNKNOWN =
  'We don’t know whether this post is on X already. Look there first, or send it again anyway.'

/** Sends a post now, or once more to the networks and relays that did not take it. */
export async function sendNow(
  kit: PublishingKit,
  admin: Admin,
  id: string,
  {
    evenIfUnknown,
    only,
    seenAt,
    input,
  }: {
    evenIfUnknown: boolean
    only: readonly SocialNetwork[] | null
    /** See `refuseUnseen`. */
    seenAt: string | null
    /** What goes out in the place of what is stored. */
    input: PostInput | null
  },
): Promise<SocialPost> {
  const values = input && (await readInput(kit, input, 'send'))
  const networks = await kit.db.transaction(async (tx) => {
    const stored = await lockedPost(tx, id)
    refuseToTurn(stored, 'sending')
    refuseUnseen(stored, seenAt)
    if (values) refuseToTurn(stored, 'draft')
    const post = { ...stored, ...values }
    checkTexts(post)
    await checkPictures(tx, post)
    const results = new Map((await resultsOf(tx, [id])).map((one) => [one.network, one]))
    const asked = post.networks.filter(
      // What was never sent goes everywhere at once.
      (network) => post.state !== 'done' || only === null || only.includes(network),
    )
    const isUnknown = asked.some(
      (network) => ONCE_ONLY.includes(network) && results.get(network)?.state === 'unknown',
    )
    if (isUnknown && !evenIfUnknown) throw failure('conflict', UNKNOWN)
    const open = asked.filter((network) => isOpen(results.get(network)))
    if (open.length === 0) throw failure('conflict', 'This post is out already.')
    const at = isoNow(kit)
    const approval = post.submissionId === null ? null : (post.approval ?? 'waiting')
    const next = {
      ...values,
      scheduledAt: at,
      updatedAt: at,
      approval,
      askedBy: admin.id,
      leftAt: null,
    }
    await turnPost(tx, id, 'sending', next)
    await beginResults(tx, id, open, at)
    await auditPost(kit, tx, admin, id, {
      action: 'post sent',
      before: values ? auditedFields(stored) : { state: stored.state },
      after: { ...values, networks: open },
    })
    return open
  })
  await sendParts(kit, id, networks)
  return postDetail(kit, id)
}

/** Whether a network may be asked: one that has the post already may not, but for relays that have still to take the note. */
function isOpen(result: StoredResult | undefined): boolean {
  if (!result || result.state === 'failed' || result.state === 'unknown') return true
  const { state, relays } = result
  return state === 'posted' && (relays?.some((one) => one.state === 'later') ?? false)
}

/** Sends what waits of a post, and waits for it; another process may be sending it. */
export async function sendParts(
  kit: PublishingKit,
  id: string,
  networks: readonly SocialNetwork[],
): Promise<void> {
  await Promise.all(networks.map((network) => sendPart(kit, id, network)))
  await waitUntilSent(kit, id)
}

/** Waits until a post is no longer being sent, or for a minute. */
export async function waitUntilSent({ db }: PublishingKit, id: string): Promise<void> {
  const until = performance.now() + WAIT_MS
  while ((await postById(db, id))?.state === 'sending' && performance.now() < until) {
    await pause(CHECK_MS)
  }
}
