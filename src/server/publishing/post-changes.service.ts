import { type SocialPost } from '#contracts/publishing.ts'
import {
  mayTurn,
  textColumns,
  textsOfColumns,
  type PostState,
} from '#domain/publishing/social-post.ts'
import { writeAudit, type AuditState } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Admin } from '#server/kit/ports.ts'
import { postRows, type RowsKit } from './post-rows.ts'
import { lockPost, postById, type StoredPost } from './posts.store.ts'
import { type PublishingKit } from './publishing-kit.ts'

/*
 * What all changes of a post share.
 */

export const NO_POST = 'There is no such post.'
const CANCELLED = 'This post was withdrawn. Please write a new one.'
const GONE_OUT = 'This post is already being sent and can no longer be changed.'

/** @throws AppError `not_found` */
export async function postDetail(kit: RowsKit, id: string): Promise<SocialPost> {
  const post = await postById(kit.db, id)
  const [row] = post ? await postRows(kit, [post]) : []
  if (!row) throw failure('not_found', NO_POST)
  return row
}

/** The post, locked until the transaction ends. @throws AppError `not_found` */
export async function lockedPost(tx: Db, id: string): Promise<StoredPost> {
  const post = await lockPost(tx, id)
  if (!post) throw failure('not_found', NO_POST)
  return post
}

/** @throws AppError `conflict` where a locked post can no longer go to that state */
export function refuseToTurn({ state }: StoredPost, to: PostState): void {
  if (!mayTurn(state, to)) throw failure('conflict', state === 'cancelled' ? CANCELLED : GONE_OUT)
}

/**
 * @param seenAt when the post had last been changed, as the administrator saw it; null overwrites what is stored
 * @throws AppError `conflict` where it was changed since
 */
export function refuseUnseen(post: StoredPost, seenAt: string | null): void {
  if (seenAt === null || Date.parse(post.updatedAt) === Date.parse(seenAt)) return
  throw failure('conflict', 'This post has been changed in the meantime.')
}

export async function auditPost(
  kit: Pick<PublishingKit, 'clock'>,
  tx: Db,
  admin: Admin,
  id: string,
  entry: { action: string; before: AuditState; after: AuditState },
): Promise<void> {
  await writeAudit(tx, { ...entry, at: isoNow(kit), admin, subject: { kind: 'social post', id } })
}

/** The fields of a post that its audit log shows. */
export function auditedFields(post: StoredPost) {
  const { state, networks, pictures, scheduledAt, zone } = post
  const texts = textsOfColumns(post)
  return { state, networks, ...textColumns((one) => texts[one]), pictures, scheduledAt, zone }
}
