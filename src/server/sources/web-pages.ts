import { SourceError } from '#server/kit/failure.ts'
import { httpCaller, isOk, type HttpAnswer, type HttpLimits } from '#server/kit/http-call.ts'
import { NOT_ASKED, PUBLIC_WEB, whyNotReached, type Reach } from '#server/kit/reach.ts'

/** Result of a link check. */
export type PageReply =
  | { readonly kind: 'page' }
  /** Undetermined: the site blocks checks, or may not be called. `said` is a sentence. */
  | { readonly kind: 'closed'; readonly reason: string }
  | {
      readonly kind: 'failed'
      readonly reason: string
      /** Whether a server answered; otherwise our own connection may be down. */
      readonly isAnswer: boolean
    }

export type SourcePages = {
  /** @throws only the abort reason of `signal` */
  readonly ask: (url: string, signal: AbortSignal) => Promise<PageReply>
}

const TITLE = 'The page'
const ANSWER_WITHIN_MS = 10_000
/** For all redirects and both methods together. */
const END_WITHIN_MS = 40_000
const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]
/** Gone, or a fault of the server; other refusals are treated as blocked checks. */
const FAILURES = [404, 408, 410]
const HEADERS = { accept: 'text/html, */*;q=0.5' }

type HttpReply = PageReply & { readonly status?: number }

/**
 * Checks pages at public addresses by `HEAD`, then by `GET` if that fails, as some servers do not support
 * `HEAD`. Never reads bodies. Follows redirects to public addresses only.
 */
export function webPages({
  reach = PUBLIC_WEB,
  timeoutMs = ANSWER_WITHIN_MS,
}: { readonly reach?: Reach; readonly timeoutMs?: HttpLimits['timeoutMs'] } = {}): SourcePages {
  const { status } = httpCaller(TITLE, { reach, timeoutMs })

  async function follow(
    method: 'HEAD' | 'GET',
    url: string,
    signal: AbortSignal,
  ): Promise<HttpReply> {
    let at = URL.parse(url)
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      if (!at || whyNotReached(reach, at) !== null) {
        return { kind: 'closed', reason: hops === 0 ? `${TITLE} ${NOT_ASKED}` : SENT_AWAY }
      }
      const answer = await status({ method, url: at, headers: HEADERS, signal })
      const to = REDIRECTS.includes(answer.status) ? answer.headers['location'] : undefined
      if (to === undefined) return meaningOf(answer)
      at = URL.parse(to, at.href)
    }
    const message = `${TITLE} redirects us too often (more than ${String(MOST_REDIRECTS)} redirects).`
    return { kind: 'failed', reason: message, isAnswer: true }
  }

  return {
    ask: async (url, signal) => {
      const within = AbortSignal.any([signal, AbortSignal.timeout(END_WITHIN_MS)])
      const request = (method: 'HEAD' | 'GET') =>
        follow(method, url, within).catch((error: unknown): HttpReply => {
          signal.throwIfAborted()
          if (!(error instanceof SourceError)) throw error
          return error.fault === 'refused'
            ? { kind: 'closed', reason: `${TITLE} ${NOT_ASKED}` }
            : { kind: 'failed', reason: error.message, isAnswer: false }
        })
      const head = await request('HEAD')
      const isFinal =
        head.kind === 'page' ||
        head.status === 429 ||
        (head.kind === 'closed' && head.status === undefined)
      return isFinal ? head : request('GET')
    },
  }
}

const SENT_AWAY = `${TITLE} redirects us to an address that we may not call.`

function meaningOf(answer: HttpAnswer): HttpReply {
  const { status, headers } = answer
  if (isOk(answer)) return { kind: 'page', status }
  const http = `HTTP ${String(status)}`
  // Cloudflare sends this header when it wants to see a person, whatever the status.
  const isChallenge = headers['cf-mitigated'] !== undefined
  if (!isChallenge && (FAILURES.includes(status) || (status >= 500 && status < 600))) {
    return { kind: 'failed', reason: `${TITLE} answered ${http}.`, isAnswer: true, status }
  }
  return { kind: 'closed', reason: `${TITLE} cannot be checked (${http}).`, status }
}
