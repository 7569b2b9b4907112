import { SourceError } from '#server/kit/failure.ts'
import {
  failedCall,
  httpCaller,
  type HttpAnswer,
  type HttpCaller,
  type HttpLimits,
} from '#server/kit/http-call.ts'
import { publicReach } from '#server/kit/reach.ts'

/** A post with its attachments is a few kilobytes. */
const LIMITS: HttpLimits = { timeoutMs: 6_000, mostBytes: 1_000_000 }
/** X counts calls in windows of this length; longer requested pauses are shortened to it. */
const LONGEST_WAIT_MS = 15 * 60_000

/** Client for a source of posts on the public internet, or on this machine if configured so. */
export function postCaller(title: string, base: URL, limits: Partial<HttpLimits> = {}): HttpCaller {
  return httpCaller(title, { ...LIMITS, ...limits, reach: publicReach(base) })
}

/** The error for a failed response. @param hasKey whether the source can reject a key */
export function failedPost(title: string, answer: HttpAnswer, hasKey: boolean): SourceError {
  const { status } = answer
  if (status === 402) {
    return new SourceError(
      'refused',
      `${title} has no credit left (HTTP 402); it has to be topped up.`,
    )
  }
  if (status >= 300 && status < 400) {
    return new SourceError('nonsense', `${title} redirects us to an address that we do not follow.`)
  }
  const waitMs = answer.waitMs === null ? null : Math.min(answer.waitMs, LONGEST_WAIT_MS)
  return failedCall(title, { ...answer, waitMs }, hasKey)
}

/** Characters that X escapes as HTML. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Reads "RT @name: …", for sources that do not mark reposts. */
export function repostIn(text: string): { handle: string; text: string } | null {
  const found = /^RT @(\w{1,20}): ([\s\S]*)$/.exec(text)
  return found ? { handle: `@${found[1] ?? ''}`, text: found[2] ?? '' } : null
}

/** Whether a text ends with an ellipsis and a link, as truncated posts do. */
export function hasCutMark(text: string): boolean {
  return /(?:\u2026|\.\.\.)\s*https:\/\/t\.co\/\w+\s*$/.test(text)
}
