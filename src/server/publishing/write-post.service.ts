import { type PostInput, type SocialPost } from '#contracts/publishing.ts'
import { failure } from '#server/kit/failure.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Admin } from '#server/kit/ports.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { randomUUID } from 'node:crypto'
import {
  auditedFields,
  auditPost,
  lockedPost,
  postDetail,
  refuseToTurn,
  refuseUnseen,
} from './post-changes.service.ts'
import { readInput } from './post-input.ts'
import {
  addPost,
  beginResults,
  noteLeft,
  postByIdempotency,
  resultsOf,
  turnPost,
} from './posts.store.ts'
import { type PublishingKit } from './publishing-kit.ts'
import { sendParts, waitUntilSent } from './send-now.service.ts'

const ACTION_STATES = {
  draft: 'draft',
  schedule: 'scheduled',
  soon: 'scheduled',
  send: 'sending',
} as const
const ACTION_WORDS = {
  draft: 'post drafted',
  schedule: 'post planned',
  soon: 'post planned',
  send: 'post sent',
} as const

const TAKEN_UP = 'There is a post about this already. Please look at the scheduled and sent ones.'
const UNKNOWN = 'Please look on X first, and say whether the post is there.'

/** By what a request is known as the same one again; the key is null where its sender gave none. */
export type Repeat = { readonly key: string | null; readonly of: unknown }

/** Keeps, plans or sends a post. The same key with the same content gives the same post. */
export async function writePost(
  kit: PublishingKit,
  admin: Admin,
  input: PostInput,
  action: keyof typeof ACTION_STATES,
  { key, of }: Repeat,
): Promise<SocialPost> {
  const { db } = kit
  const repeat =
    key === null
      ? null
      : {
          idempotencyHash: sha256(`post ${String(admin.id)} ${key}`),
          fingerprint: sha256(JSON.stringify([action, of])),
        }
  const before = repeat && (await replayPost(kit, repeat))
  if (before) return before
  const values = await readInput(kit, input, action)
  const id = randomUUID()
  const at = isoNow(kit)
  const isAdded = await db.transaction(async (tx) => {
    const isNew = await addPost(tx, {
      id,
      ...values,
      ...repeat,
      eventId: input.event_id ?? null,
      state: ACTION_STATES[action],
      approval: action === 'send' && values.submissionId !== null ? 'waiting' : null,
      askedBy: action === 'draft' ? null : admin.id,
      createdBy: admin.id,
      createdAt: at,
      updatedAt: at,
    })
    if (!isNew) return false
    if (action === 'send') await beginResults(tx, id, values.networks, at)
    await auditPost(kit, tx, admin, id, {
      action: ACTION_WORDS[action],
      before: null,
      after: values,
    })
    return true
  })
  if (!isAdded) {
    const same = repeat && (await replayPost(kit, repeat))
    if (same) return same
    throw failure('conflict', input.event_id ? TAKEN_UP : 'This post is already being sent.')
  }
  if (action === 'send') await sendParts(kit, id, values.networks)
  return postDetail(kit, id)
}

/** The post that the same request made before. */
async function replayPost(
  kit: PublishingKit,
  { idempotencyHash, fingerprint }: { idempotencyHash: string; fingerprint: string },
): Promise<SocialPost | null> {
  const before = await postByIdempotency(kit.db, idempotencyHash)
  if (!before) return null
  if (before.fingerprint !== fingerprint) {
    throw failure('conflict', 'This Idempotency-Key was used for another post.')
  }
  await waitUntilSent(kit, before.id)
  return postDetail(kit, before.id)
}

/** Changes a draft or a planned post; see `refuseUnseen` for `seenAt`. */
export async function changePost(
  kit: PublishingKit,
  admin: Admin,
  id: string,
  input: PostInput,
  action: 'draft' | 'schedule',
  seenAt: string | null,
): Promise<SocialPost> {
  const values = await readInput(kit, input, action)
  await kit.db.transaction(async (tx) => {
    const before = await lockedPost(tx, id)
    const askedBy = action === 'draft' ? null : admin.id
    // Later than the change before, also within the same millisecond.
    const updatedMs = Math.max(kit.clock.now(), Date.parse(before.updatedAt) + 1)
    const next = { ...values, askedBy, updatedAt: new Date(updatedMs).toISOString() }
    refuseToTurn(before, ACTION_STATES[action])
    refuseUnseen(before, seenAt)
    await turnPost(tx, id, ACTION_STATES[action], next)
    const entry = { action: 'post edited', before: auditedFields(before), after: values }
    await auditPost(kit, tx, admin, id, entry)
  })
  return postDetail(kit, id)
}

export async function cancelPlanned(
  kit: PublishingKit,
  admin: Admin,
  id: string,
): Promise<SocialPost> {
  await kit.db.transaction(async (tx) => {
    const before = await lockedPost(tx, id)
    if (before.state === 'cancelled') return
    refuseToTurn(before, 'cancelled')
    await turnPost(tx, id, 'cancelled', { updatedAt: isoNow(kit) })
    const entry = { action: 'post cancelled', before: { state: before.state }, after: null }
    await auditPost(kit, tx, admin, id, entry)
  })
  return postDetail(kit, id)
}

/** Leaves a post as it is that a network did not take: no one has to decide about it any more. */
export async function leavePost(kit: PublishingKit, admin: Admin, id: string): Promise<SocialPost> {
  await kit.db.transaction(async (tx) => {
    const { leftAt } = await lockedPost(tx, id)
    if (leftAt !== null) return
    const states = (await resultsOf(tx, [id])).map(({ state }) => state)
    if (states.includes('unknown')) throw failure('conflict', UNKNOWN)
    if (!states.includes('failed')) throw failure('conflict', 'Nothing has failed of this post.')
    await noteLeft(tx, id, isoNow(kit))
    const entry = { action: 'failed post left as it is', before: null, after: null }
    await auditPost(kit, tx, admin, id, entry)
  })
  return postDetail(kit, id)
}
