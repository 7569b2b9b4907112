import { type LookupFunction } from 'node:net'
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
  /** A connection that held for so long starts with a short pause again. */
  readonly stableMs: number
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
  /** A connection that brings nothing of use for so long is given up, as messages may have another shape now. */
  readonly useful?: { readonly withinMs: number; readonly orElse: string }
  /**
   * Takes what arrived, parsed as JSON; null when it is not JSON.
   *
   * @returns whether it was of use; a sentence gives the connection up
   */
  readonly message: (message: unknown, isFirst: boolean) => boolean | string
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
 * @param pings asks the other side to answer while it has nothing to say. Counted, not timed: after this process has been
 * paused, a live connection must not seem dead
 */
export function reconnectingSocket(
  plan: Plan & { readonly hello?: object; readonly pings?: boolean },
): Reconnecting {
  const { title, url, headers, certificate, hello, pings = false } = plan
  const { connectMs, silenceMs } = plan.patience
  const patience = pings ? { ...plan.patience, silenceMs: null } : plan.patience
  return reconnecting({ ...plan, patience }, (on) => {
    const socket = openSocket(url, {
      connectMs,
      ...(headers ? { headers } : {}),
      ...(certificate ? { ca: certificate } : {}),
    })
    let pinging: NodeJS.Timeout | undefined
    let unanswered = 0
    let reason = `${title} closed the connection.`
    let isOpen = false
    const heard = (): void => {
      unanswered = 0
      on.heard()
    }
    socket.on('open', () => {
      isOpen = true
      on.opened()
      if (hello) socket.send(JSON.stringify(hello))
      if (!pings || silenceMs === null) return
      pinging = setInterval(() => {
        unanswered += 1
        if (unanswered <= PINGS) return socket.ping()
        on.giveUp(silent(title, silenceMs))
      }, silenceMs / PINGS).unref()
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
  {
    connectMs,
    ...options
  }: {
    readonly connectMs: number
    /** Resolves the name; the usual way without. */
    readonly lookup?: LookupFunction
  } & Pick<ClientOptions, 'headers' | 'ca'>,
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
  readonly message: (message: unknown) => void
  readonly giveUp: (reason: string) => void
  readonly ended: (reason: string) => void
}

/** @param connect begins one connection; returns what cuts it, after which `ended` is called */
function reconnecting(plan: Plan, connect: (on: Events) => () => void): Reconnecting {
  const { title, url, reach = AS_SET, patience, useful, message, down = () => {} } = plan
  const { silenceMs, firstPauseMs, longestPauseMs, stableMs } = patience
  const retry = retries(attempt, { firstMs: firstPauseMs, longestMs: longestPauseMs })
  let cut = (): void => {}
  let closed = false

  function attempt(): void {
    const refusal = whyNotReached(reach, url)
    if (refusal !== null) return down(`${title} ${refusal}`)
    let began = Infinity
    let isUsed = false
    let given: string | null = null
    let silence: SilenceTimer | null = null
    let uselessness: SilenceTimer | null = null
    const giveUp = (reason: string): void => {
      given ??= reason
      cut()
    }
    cut = connect({
      opened: () => {
        began = performance.now()
        if (silenceMs !== null) {
          silence = silenceTimer(silenceMs, () => giveUp(silent(title, silenceMs)))
        }
        if (useful) uselessness = silenceTimer(useful.withinMs, () => giveUp(useful.orElse))
      },
      heard: () => silence?.restart(),
      message: (read) => {
        const found = message(read, !isUsed)
        if (typeof found === 'string') giveUp(found)
        if (found !== true) return
        isUsed = true
        uselessness?.restart()
      },
      giveUp,
      ended: (reason) => {
        silence?.end()
        uselessness?.end()
        if (closed) return
        if ((isUsed || !useful) && performance.now() - began >= stableMs) retry.reset()
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

function silent(title: string, ms: number): string {
  return `${title} has been silent for ${String(ms / 1_000)} s.`
}

type SilenceTimer = { readonly restart: () => void; readonly end: () => void }

/** Calls `onSilence` when it has not been restarted for so long. */
function silenceTimer(ms: number, onSilence: () => void): SilenceTimer {
  let isQuiet = true
  const timer = setTimeout(() => {
    isQuiet = true
    // After a pause of this process its timers fire before what has arrived meanwhile is read: that is read first.
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
