import { SourceError } from '#server/kit/ports.ts'
import { isIP } from 'node:net'
import { waitText } from '#server/kit/asked-wait.ts'
import { publicLookup } from '#server/kit/public-address.ts'
import { failedCall, restCaller, type RestAnswer } from '#server/kit/rest-call.ts'

/** A post with all that belongs to it is a few kilobytes. */
const MOST_BYTES = 1_000_000
const TIMEOUT_MS = 6_000
/** The windows that X counts calls in are as long; whoever asks for more is asked again after it. */
const LONGEST_WAIT_MS = 15 * 60_000

export type AskPosts = (
  url: URL,
  signal: AbortSignal,
  headers?: Readonly<Record<string, string>>,
) => Promise<RestAnswer>

export type AskLimits = { readonly timeoutMs?: number; readonly mostBytes?: number }

/**
 * Asks a source of posts: bounded in time and size, no redirects, and an address of the open internet, unless the settings
 * name this machine itself.
 *
 * @param title who is asked; begins every message
 */
export function postAsker(title: string, base: URL, limits: AskLimits = {}): AskPosts {
  const { timeoutMs = TIMEOUT_MS, mostBytes = MOST_BYTES } = limits
  const host = base.hostname.replace(/^\[|\]$/g, '')
  const call = restCaller(title, {
    mostBytes,
    // An address by number never meets the look-up; the settings alone can name one.
    ...(host === 'localhost' || isIP(host) !== 0 ? {} : { lookup: publicLookup() }),
  })
  return async (url, signal, headers = {}) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const answer = await call({
      method: 'GET',
      url,
      headers: { 'user-agent': 'proof-of-price/0.1 (price predictions, judged)', ...headers },
      signal: AbortSignal.any([signal, timeout]),
    })
    if (answer.status >= 300 && answer.status < 400) {
      throw new SourceError('nonsense', `${title} sends us elsewhere, where we do not go.`)
    }
    return answer
  }
}

/** What a failed answer means: a source that is asked without a key cannot refuse one. */
export function failedPost(title: string, answer: RestAnswer, hasKey: boolean): SourceError {
  if (answer.status === 402) {
    return new SourceError(
      'refused',
      `${title} has no credit left (HTTP 402); it has to be topped up.`,
    )
  }
  if (answer.status === 429) {
    const waitMs = answer.waitMs === null ? null : Math.min(answer.waitMs, LONGEST_WAIT_MS)
    return new SourceError('busy', `${title} asks to wait${waitText(waitMs)} (HTTP 429).`, waitMs)
  }
  if (!hasKey && (answer.status === 401 || answer.status === 403)) {
    return new SourceError('refused', `${title} refused us (HTTP ${String(answer.status)}).`)
  }
  return failedCall(title, answer)
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

/** Whether a text ends with the mark that more of it stands elsewhere. */
export function looksCut(text: string): boolean {
  return /(?:\u2026|\.\.\.)\s*https:\/\/t\.co\/\w+\s*$/.test(text)
}
