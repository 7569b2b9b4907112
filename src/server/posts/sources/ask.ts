import { SourceError } from '#server/kit/ports.ts'
import {
  failedCall,
  httpCaller,
  type HttpAnswer,
  type HttpCaller,
  type HttpLimits,
} from '#server/kit/http-call.ts'
import { publicReach } from '#server/kit/reach.ts'

/** A post with all that belongs to it is a few kilobytes. */
const LIMITS: HttpLimits = { timeoutMs: 6_000, mostBytes: 1_000_000 }
/** As long as the windows in which X counts calls; a source that asks for a longer wait is asked again after this. */
const LONGEST_WAIT_MS = 15 * 60_000

/** Calls a source of posts at an address of the open internet, unless the settings name this machine itself. */
export function postCaller(title: string, base: URL, limits: Partial<HttpLimits> = {}): HttpCaller {
  return httpCaller(title, { ...LIMITS, ...limits, reach: publicReach(base) })
}

/** The error for a failed response. @param hasKey a source that is asked without a key cannot refuse one */
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

/** The characters that X writes as HTML does. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** "RT @name: …" is how a repost reads where its source does not mark it. */
export function repostIn(text: string): { handle: string; text: string } | null {
  const found = /^RT @(\w{1,20}): ([\s\S]*)$/.exec(text)
  return found ? { handle: `@${found[1] ?? ''}`, text: found[2] ?? '' } : null
}

/** Whether a text ends with the mark and the link of a text that goes on elsewhere. */
export function hasCutMark(text: string): boolean {
  return /(?:\u2026|\.\.\.)\s*https:\/\/t\.co\/\w+\s*$/.test(text)
}
