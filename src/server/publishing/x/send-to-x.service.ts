import { messageOf } from '#server/kit/message-of.ts'
import { isoNow } from '#server/kit/now.ts'
import { postPictures } from '#server/publishing/pictures/pictures.service.ts'
import { type NotPosted, type XLimits } from '#server/publishing/ports.ts'
import { beginPosting, type StoredPost, type TakenResult } from '#server/publishing/posts.store.ts'
import { type SendKit } from '#server/publishing/publishing-kit.ts'
import { failed, notSetUp, POSTED, type Outcome } from '#server/publishing/send-outcome.ts'
import { NO_X, type XAccount } from './x-account.service.ts'

/** Another process has taken the work over; it alone goes on. */
class LeaseLost extends Error {}

/**
 * Posts on X once. Just before the one request that publishes, that is written down, and only the holder of the lease may
 * write it: a process that finds it later without an outcome knows that the post may be out.
 *
 * @param until the last moment for another automatic try; null allows none
 * @returns null when another process has taken the work over
 */
export async function sendToX(
  kit: SendKit,
  post: StoredPost,
  taken: TakenResult,
  until: number | null,
): Promise<Outcome | null> {
  const { db, log, x, limits } = kit
  if (!x) return failed(kit, notSetUp(NO_X), taken, null)
  const closedUntil = await x.closedUntil()
  if (closedUntil !== null) {
    const message = 'X takes no more posts for now, as it said with the last one.'
    return failed(kit, { state: 'limited', until: closedUntil, message }, taken, until)
  }
  const pictures = await postPictures(db, post)
  const progress = { hasBegun: false }
  const answers: XLimits[] = []
  try {
    const outcome = await x.publisher.post(
      { text: post.xText, pictures },
      {
        signal: AbortSignal.timeout(limits.sendWithinMs),
        beforePost: async () => {
          if (!(await beginPosting(db, taken, isoNow(kit)))) throw new LeaseLost()
          progress.hasBegun = true
        },
        onLimits: (answer) => void answers.push(answer),
      },
    )
    await learn(kit, x, outcome, answers)
    if (outcome.state !== 'posted') return failed(kit, outcome, taken, until)
    return { ...POSTED, remoteId: outcome.id, finishedAt: isoNow(kit) }
  } catch (error) {
    if (error instanceof LeaseLost) return null
    const state = progress.hasBegun ? 'unknown' : 'unsent'
    log.warn({ post: post.id }, `Posting on X failed: ${messageOf(error)}`)
    return failed(kit, { state, message: 'Something went wrong on our side.' }, taken, until)
  }
}

/** Keeps what X said of its limits beside the outcome; the outcome does not depend on it. */
async function learn(
  { log }: SendKit,
  x: XAccount,
  outcome: { readonly state: 'posted' } | NotPosted,
  answers: readonly XLimits[],
): Promise<void> {
  try {
    for (const limits of answers) await x.noteLimits(limits)
    await x.noteOutcome(outcome)
  } catch (error) {
    log.warn({}, `What X said of its limits was not kept: ${messageOf(error)}`)
  }
}
