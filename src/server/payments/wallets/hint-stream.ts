import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const MOST_LINE = 65_536

/**
 * Keeps a call open whose answer never ends and tells of payments line by line, each a JSON text. Like `hintSocket` it
 * brings hints only; what is missed while it is broken is found by polling.
 */
export function hintStream(
  {
    url,
    headers,
    certificate,
  }: { url: URL; headers: Record<string, string>; certificate: string | null },
  read: (message: unknown) => string | null | undefined,
  onHint: (paymentHash: string | null) => void,
): { close: () => void } {
  let ending: AbortController | null = null
  let timer: NodeJS.Timeout | null = null
  let pauseMs = FIRST_PAUSE_MS
  let closed = false

  function again(): void {
    if (closed || timer) return
    timer = setTimeout(connect, pauseMs * (0.5 + Math.random() / 2))
    timer.unref()
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }

  function take(line: string): void {
    try {
      const hint = read(JSON.parse(line))
      if (hint !== undefined) onHint(hint)
    } catch {
      // Half a line, or none of ours.
    }
  }

  function connect(): void {
    timer = null
    const own = new AbortController()
    ending = own
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const options = { headers, signal: own.signal, ...(certificate ? { ca: certificate } : {}) }
    const sending = send(url, options, (incoming) => {
      let rest = ''
      if (incoming.statusCode === 200) pauseMs = FIRST_PAUSE_MS
      incoming.setEncoding('utf8')
      incoming.on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        if (rest.length > MOST_LINE) own.abort()
        for (const line of lines) if (line.trim() !== '') take(line)
      })
      incoming.on('error', () => {})
      incoming.on('close', again)
    })
    sending.on('error', again)
    sending.end()
  }

  connect()
  return {
    close: () => {
      closed = true
      if (timer) clearTimeout(timer)
      ending?.abort()
    },
  }
}
