import { platformText } from '#domain/publishing/social-post.ts'
import { messageOf } from '#server/kit/message-of.ts'
import { isoNow } from '#server/kit/now.ts'
import { lockPost, noteApproval, resultsOf, markPostDone, postsToEnd } from './posts.store.ts'
import { type SendKit } from './publishing-kit.ts'

/**
 * Ends a post once all its networks have their results, and approves the submission it was made from. What is out is out:
 * a failure here is logged, and `endPosts` tries again.
 */
export async function endPost(kit: SendKit, postId: string): Promise<void> {
  try {
    await kit.approveInTurn(() => endAndApprove(kit, postId))
  } catch (error) {
    kit.log.warn({ post: postId }, `A post could not be ended yet: ${messageOf(error)}`)
  }
}

/** Ends what a process that died could no longer end. */
export async function endPosts(kit: SendKit): Promise<void> {
  for (const id of await postsToEnd(kit.db)) {
    await kit.approveInTurn(() => endAndApprove(kit, id))
  }
}

async function endAndApprove(kit: SendKit, postId: string): Promise<void> {
  const { db, approve } = kit
  await markPostDone(db, postId, isoNow(kit))
  await db.transaction(async (tx) => {
    const post = await lockPost(tx, postId)
    if (post?.state !== 'done' || post.approval !== 'waiting' || !post.submissionId) return
    const posted = (await resultsOf(tx, [postId])).filter((one) => one.state === 'posted')
    if (posted.length === 0) return
    const author = post.asker ?? { id: post.createdBy, username: post.author }
    const platform = platformText(posted.map((one) => one.network))
    const outcome = await approve(author, post.submissionId, platform)
    const approval = outcome.ok ? ('done' as const) : ('failed' as const)
    const approvalError = outcome.ok ? null : outcome.message
    await noteApproval(tx, postId, { approval, approvalError })
  })
}
