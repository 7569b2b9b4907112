import { WebSocket } from 'ws'
import { jsonOrNull } from '#server/kit/json-or-null.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
const STABLE_MS = 30_000
const MOST_BYTES = 65_536

/**
 * Keeps a socket to a wallet that tells of payments. What it says is believed to be no more than a hint; what is missed
 * while it is broken is found by polling.
 *
 * @param read the payment hash that a message names; null when it tells of a payment without naming it, undefined when
 * it tells nothing
 */
export function hintSocket(
  {
    url,
    headers,
    certificate,
  }: { url: URL; headers?: Record<string, string>; certificate?: string | null },
  read: (message: unknown) => string | null | undefined,
  onHint: (paymentHash: string | null) => void,
): { close: () => void } {
  let socket: WebSocket | null = null
  let timer: NodeJS.Timeout | null = null
  let pauseMs = FIRST_PAUSE_MS
  let closed = false

  function connect(): void {
    timer = null
    let openedAt = Infinity
    const next = new WebSocket(url, {
      handshakeTimeout: 10_000,
      maxPayload: MOST_BYTES,
      perMessageDeflate: false,
      ...(headers ? { headers } : {}),
      ...(certificate ? { ca: certificate } : {}),
    })
    socket = next
    next.on('open', () => {
      openedAt = performance.now()
    })
    next.on('message', (data: Buffer) => {
      const hint = read(jsonOrNull(data.toString('utf8')))
      if (hint !== undefined) onHint(hint)
    })
    next.on('error', () => {
      // The close that follows brings the next attempt; polling goes on meanwhile.
    })
    next.on('close', () => {
      if (closed) return
      if (performance.now() - openedAt > STABLE_MS) pauseMs = FIRST_PAUSE_MS
      timer = setTimeout(connect, pauseMs * (0.5 + Math.random() / 2))
      timer.unref()
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    })
  }

  connect()
  return {
    close: () => {
      closed = true
      if (timer) clearTimeout(timer)
      socket?.terminate()
    },
  }
}
