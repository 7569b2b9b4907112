import { jsonOrNull } from './json-or-null.ts'
import { type TickListener } from './ports.ts'
import { WebSocket, type RawData } from 'ws'
import { isAllowed } from './fetch-json.ts'

/** How patient a connection is, milliseconds. */
export type SocketPatience = {
  /** A connection on which nothing at all arrives for so long is dead. */
  readonly silenceMs: number
  /** One on which things arrive, but no price for so long, tells us nothing: perhaps its messages look otherwise now. */
  readonly pricelessMs: number
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** A connection that held so long starts with a short pause again. */
  readonly stableMs: number
  readonly connectMs: number
}

export const PATIENCE: SocketPatience = {
  silenceMs: 10_000,
  pricelessMs: 60_000,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  stableMs: 60_000,
  connectMs: 10_000,
}

/** What a frame means: a price in USD, a refusal, or nothing that matters. */
export type FrameMeaning =
  | {
      readonly kind: 'price'
      readonly usd: number
      /** The venue's own time of it, milliseconds since 1970; null where it sends none. */
      readonly at: number | null
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | null

export type SocketPlan = {
  readonly title: string
  readonly url: URL
  /** Sent once connected. */
  readonly hello: object
  readonly read: (frame: unknown) => FrameMeaning
  readonly patience: SocketPatience
}

const MOST_BYTES = 65_536

/**
 * Keeps a connection to a venue: a watchdog on any frame, and new attempts with growing, scattered pauses. A frame that
 * is no JSON or of another shape is passed over.
 */
export function reconnectingSocket(plan: SocketPlan, on: TickListener): { close: () => void } {
  const { title, url, hello, read, patience } = plan
  let socket: WebSocket | null = null
  let retry: NodeJS.Timeout | null = null
  let pauseMs = patience.firstPauseMs
  let closed = false
  let hadPrice = false

  function connect(): void {
    retry = null
    if (!isAllowed(url)) {
      on.down(`${title} has an address without https.`)
      return
    }
    const next = new WebSocket(url, {
      handshakeTimeout: patience.connectMs,
      maxPayload: MOST_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
    })
    socket = next
    let began = 0
    let isUp = false
    let watchdog: Watch | null = null
    let priceDog: Watch | null = null
    let reason = `${title} closed the connection.`

    const giveUp = (why: string): void => {
      reason = why
      next.terminate()
    }
    next.on('open', () => {
      began = performance.now()
      watchdog = watchOver(patience.silenceMs, () =>
        giveUp(`${title} has been silent for ${String(patience.silenceMs / 1_000)} s.`),
      )
      priceDog = watchOver(patience.pricelessMs, () =>
        giveUp(`${title} sends nothing that is a price.`),
      )
      next.send(JSON.stringify(hello))
    })
    const alive = (): void => {
      watchdog?.stirs()
    }
    next.on('ping', alive)
    next.on('message', (data, isBinary) => {
      alive()
      const meaning = isBinary ? null : read(jsonOrNull(textOf(data)))
      if (meaning?.kind === 'refused') giveUp(meaning.reason)
      if (meaning?.kind !== 'price') return
      priceDog?.stirs()
      if (!isUp) {
        isUp = true
        on.up(hadPrice)
        hadPrice = true
      }
      on.tick(meaning.usd, meaning.at)
    })
    next.on('error', (error) => {
      const code =
        'code' in error && /^[A-Z_]+$/.test(String(error.code)) ? ` (${String(error.code)})` : ''
      if (began === 0) reason = `${title} cannot be reached${code}.`
    })
    next.on('close', () => {
      watchdog?.end()
      priceDog?.end()
      if (closed) return
      socket = null
      if (isUp && performance.now() - began >= patience.stableMs) pauseMs = patience.firstPauseMs
      on.down(reason)
      retry = setTimeout(connect, pauseMs * (0.5 + Math.random() / 2))
      pauseMs = Math.min(pauseMs * 2, patience.longestPauseMs)
    })
  }

  connect()
  return {
    close: () => {
      closed = true
      if (retry) clearTimeout(retry)
      socket?.terminate()
    },
  }
}

type Watch = { readonly stirs: () => void; readonly end: () => void }

/** Calls `giveUp` once nothing has stirred for so long. */
function watchOver(ms: number, giveUp: () => void): Watch {
  let isQuiet = true
  const timer = setTimeout(() => {
    isQuiet = true
    // After this process has stood still, its timers come before what has arrived meanwhile: that is read first.
    setImmediate(() => {
      if (isQuiet) giveUp()
    })
  }, ms)
  return {
    stirs: () => {
      isQuiet = false
      timer.refresh()
    },
    end: () => {
      isQuiet = false
      clearTimeout(timer)
    },
  }
}

/** Text frames arrive as one buffer. */
function textOf(data: RawData): string {
  return Buffer.isBuffer(data) ? data.toString('utf8') : ''
}
