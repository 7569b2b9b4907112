import { siteTokens } from '#server/kit/site-tokens.ts'
import { type Db } from '#server/kit/db.ts'
import { dropQuestion, followerById, forgetAddress } from './followers.store.ts'
import { messageFollower } from './news.store.ts'

const NO_BOUNCE = 'Nothing was ended: this is no message about a mail that failed for good.'
const NOT_OURS =
  'Nothing was ended: the message names no mail of ours, or what it was about is gone already.'

/**
 * Ends the subscription of a mail that was taken and then came back (RFC 3464). It is found by the Message-ID, which cannot be
 * guessed: a forged bounce ends nothing.
 *
 * @param text the whole message, as a mail server hands it over
 * @returns a sentence for people
 */
export async function endBounced(db: Db, text: string): Promise<string> {
  const isReport = /^content-type:\s*message\/(?:global-)?delivery-status/im.test(text)
  // 5.7 is about us or about one mail, not about the address.
  const isFinal =
    /^action:\s*failed\b/im.test(text) && /^status:\s*5\.(?!7\.)\d{1,3}\.\d{1,3}/im.test(text)
  if (!isReport || !isFinal) return NO_BOUNCE
  const tokens = await siteTokens(db)
  const [, question] = /<follow-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/.exec(text) ?? []
  if (question !== undefined) {
    if (!(await dropQuestion(db, question))) return NOT_OURS
    return 'The address was asked for nothing more: its mail came back.'
  }
  const [, number, token] = /<news-(\d{1,15})-([\w-]{32})@/.exec(text) ?? []
  if (number === undefined || tokens?.message(number) !== token) return NOT_OURS
  const followerId = await messageFollower(db, Number(number))
  const follower = followerId === null ? null : await followerById(db, followerId)
  if (!follower) return NOT_OURS
  await forgetAddress(db, follower)
  return 'The subscription of the address has ended, and the address is deleted.'
}
