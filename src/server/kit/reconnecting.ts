import { type ClientOptions, WebSocket } from 'ws'
import { httpCaller } from './http-call.ts'
import { jsonOrNull } from './json-or-null.ts'
import { AS_SET, whyNotReached, type Reach } from './reach.ts'
import { retries } from './retries.ts'

/** How patient a connection is, milliseconds. */
export type Patience = {
  readonly connectMs: number
  /** A connection on which nothing at all arrives for so long is dead; null: it may be silent. */
  readonly silenceMs: number | null
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** A connection that worked for so long starts with a short pause again. */
  readonly stableMs: number
}

type Connection = {
  /** It is of use: what broke it off will perhaps pass soon. */
  readonly works: () => void
  /** Ends it, for a reason that is a sentence, and connects again. */
  readonly giveUp: (reason: string) => void
}

/** What one connection is used for. */
export type Handlers = {
  /** @param message what arrived as JSON; null when it is none */
  readonly message: (message: unknown) => void
  readonly ended?: () => void
}

export type Plan = {
  /** The other side, as people read it; it begins every sentence. */
  readonly title: string
  readonly url: URL
  readonly reach?: Reach
  readonly headers?: Readonly<Record<string, string>>
  /** PEM of a certificate to trust instead of the usual authorities. */
  readonly certificate?: string | null
  readonly patience: Patience
  /**
   * Of a web socket: asks the other side to answer while it has nothing to say. Counted, not timed: after this process has
   * stood still a live connection must not look dead.
   */
  readonly pings?: boolean
  readonly opened: (connection: Connection) => Handlers
  /** Called for each attempt that failed and each connection that broke. @param reason a sentence */
  readonly down?: (reason: string) => void
}

export type Reconnecting = { readonly close: () => void }

const MOST_BYTES = 65_536
/** In the time of a silence. */
const PINGS = 3

/**
 * A web socket that connects again, with growing pauses, whenever it breaks or falls silent.
 *
 * @param hello sent once connected
 */
export function reconnectingSocket(plan: Plan & { readonly hello?: object }): Reconnecting {
  const { title, url, headers, certificate, patience, hello, pings = false } = plan
  return reconnecting(plan, (on) => {
    const socket = openSocket(url, {
      connectMs: patience.connectMs,
      ...(headers ? { headers } : {}),
      ...(certificate ? { ca: certificate } : {}),
    })
    let pinging: NodeJS.Timeout | undefined
    let unanswered = 0
    const heard = (): void => {
      unanswered = 0
      on.heard()
    }
    const ping = (): void => {
      unanswered += 1
      if (unanswered <= PINGS) socket.ping()
      else on.silent()
    }
    let reason = `${title} closed the connection.`
    let isOpen = false
    socket.on('open', () => {
      isOpen = true
      on.opened()
      if (hello) socket.send(JSON.stringify(hello))
      if (pings && patience.silenceMs !== null) {
        pinging = setInterval(ping, patience.silenceMs / PINGS).unref()
      }
    })
    socket.on('ping', heard)
    socket.on('pong', heard)
    socket.on('message', (data, isBinary) => {
      heard()
      // Text arrives as one buffer.
      if (!isBinary && Buffer.isBuffer(data)) on.message(jsonOrNull(data.toString('utf8')))
    })
    socket.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : ''
      const shown = /^[A-Z_]+$/.test(code) ? ` (${code})` : ''
      if (!isOpen) reason = `${title} cannot be reached${shown}.`
    })
    socket.on('close', () => {
      clearInterval(pinging)
      on.ended(reason)
    })
    return () => socket.terminate()
  })
}

/** The same for an answer over http that never ends and says what there is to say in lines of JSON. */
export function reconnectingLines(plan: Plan): Reconnecting {
  const { title, url, reach = AS_SET, headers = {}, certificate = null } = plan
  const { lines } = httpCaller(title, { reach, certificate })
  return reconnecting(plan, (on) => {
    const ending = new AbortController()
    on.opened()
    const onLine = (line: string): void => {
      on.heard()
      on.message(jsonOrNull(line))
    }
    lines({ url, headers, signal: ending.signal }, MOST_BYTES, onLine).then(
      () => on.ended(`${title} closed the connection.`),
      (error: unknown) => on.ended(error instanceof Error ? error.message : String(error)),
    )
    return () => ending.abort()
  })
}

/** A web socket with our bounds: of the time to connect and of each message, without redirects. */
export function openSocket(
  url: URL | string,
  { connectMs, ...options }: { readonly connectMs: number } & Pick<ClientOptions, 'headers' | 'ca'>,
): WebSocket {
  return new WebSocket(url, {
    handshakeTimeout: connectMs,
    maxPayload: MOST_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
    ...options,
  })
}

type Events = {
  readonly opened: () => void
  /** Anything at all has arrived. */
  readonly heard: () => void
  readonly silent: () => void
  readonly message: (message: unknown) => void
  readonly ended: (reason: string) => void
}

/** @param connect begins one connection; returns what cuts it, after which `ended` is called */
function reconnecting(plan: Plan, connect: (on: Events) => () => void): Reconnecting {
  const { title, url, reach = AS_SET, patience, opened, down = () => {}, pings = false } = plan
  const { silenceMs, firstPauseMs, longestPauseMs, stableMs } = patience
  const retry = retries(attempt, { firstMs: firstPauseMs, longestMs: longestPauseMs })
  let cut = (): void => {}
  let closed = false

  function attempt(): void {
    const refusal = whyNotReached(reach, url)
    if (refusal !== null) {
      down(`${title} ${refusal}`)
      return
    }
    let handlers: Handlers | null = null
    let silence: SilenceTimer | null = null
    let began = 0
    let works = false
    let given: string | null = null
    const connection: Connection = {
      works: () => {
        works = true
      },
      giveUp: (reason) => {
        given ??= reason
        cut()
      },
    }
    const silent = (): void => {
      const seconds = String((silenceMs ?? 0) / 1_000)
      connection.giveUp(`${title} has been silent for ${seconds} s.`)
    }
    cut = connect({
      silent,
      opened: () => {
        began = performance.now()
        if (silenceMs !== null && !pings) silence = silenceTimer(silenceMs, silent)
        handlers = opened(connection)
      },
      heard: () => silence?.restart(),
      message: (message) => handlers?.message(message),
      ended: (reason) => {
        silence?.end()
        handlers?.ended?.()
        handlers = null
        if (closed) return
        if (works && performance.now() - began >= stableMs) retry.reset()
        down(given ?? reason)
        retry.again()
      },
    })
  }

  attempt()
  return {
    close: () => {
      closed = true
      retry.stop()
      cut()
    },
  }
}

export type SilenceTimer = { readonly restart: () => void; readonly end: () => void }

/** Calls `onSilence` when it has not been restarted for so long. */
export function silenceTimer(ms: number, onSilence: () => void): SilenceTimer {
  let isQuiet = true
  const timer = setTimeout(() => {
    isQuiet = true
    // After this process has stood still, its timers come before what has arrived meanwhile: that is read first.
    setImmediate(() => {
      if (isQuiet) onSilence()
    })
  }, ms)
  return {
    restart: () => {
      isQuiet = false
      timer.refresh()
    },
    end: () => {
      isQuiet = false
      clearTimeout(timer)
    },
  }
}
