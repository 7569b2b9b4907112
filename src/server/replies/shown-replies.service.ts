import { type ShownReply } from '#contracts/shown-reply.ts'
import { type Db } from '#server/kit/db.ts'
import { iso, isoOrNull } from '#server/kit/iso.ts'
import { publishedOf, type StoredReply } from './replies.store.ts'

/** What the page of a prediction, or of a person, shows of replies: all that were ever published there, oldest first. */
export async function shownReplies(
  db: Db,
  of: Pick<StoredReply, 'influencerId' | 'predictionId'>,
): Promise<ShownReply[]> {
  const rows = await publishedOf(db, of)
  return rows.flatMap(({ reply, name }) => shown(reply, name) ?? [])
}

function shown(reply: StoredReply, name: string): ShownReply | null {
  const { id, way, state, evidence, publishedAt } = reply
  if (publishedAt === null || state === 'waiting') return null
  const isShown = state === 'published'
  const proof = isShown ? evidence : null
  return {
    id,
    state: state === 'declined' ? 'taken-down' : state,
    name,
    text: isShown ? reply.text : null,
    link: isShown ? reply.link : null,
    way,
    received_at: iso(reply.receivedAt),
    published_at: iso(publishedAt),
    ended_at: isoOrNull(reply.endedAt),
    reason: reply.state === 'declined' ? reply.reason : null,
    event: proof?.way === 'nostr' ? plainEvent(proof.event) : null,
    post: proof?.way === 'post' ? proof.url : null,
  }
}

function plainEvent(event: {
  readonly tags: readonly (readonly string[])[]
}): NonNullable<ShownReply['event']> {
  const given = event as NonNullable<ShownReply['event']>
  return { ...given, tags: event.tags.map((tag) => [...tag]) }
}
