import { type LookupFunction } from 'node:net'
import { type ClientOptions, WebSocket } from 'ws'
import { httpCaller } from './http-call.ts'
import { AS_SET, whyNotReached, type Reach } from './reach.ts'
import { jsonOrNull } from './text.ts'

/** Timeouts of a connection, ms. */
export type Patience = {
  readonly connectMs: number
  /** A connection without data for this long is considered dead; null to allow silence. */
  readonly silenceMs: number | null
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  /** Time after which the back-off is reset. */
  readonly stableMs: number
}

export type Plan = {
  /** Name of the other side; begins every message. */
  readonly title: string
  readonly url: URL
  readonly reach?: Reach
  readonly headers?: Readonly<Record<string, string>>
  /** PEM of a certificate to trust instead of the usual authorities. */
  readonly certificate?: string | null
  readonly patience: Patience
  /** Closes a connection without useful messages for this long, as their format may have changed. */
  readonly useful?: { readonly withinMs: number; readonly orElse: string }
  /**
   * Handles a message parsed as JSON; null if it isn't JSON.
   *
   * @returns whether it was useful; a sentence closes the connection
   */
  readonly message: (message: unknown, isFirst: boolean) => boolean | string
  /** Called for each failed attempt and each lost connection. @param reason a sentence */
  readonly down?: (reason: string) => void
}

export type Reconnecting = { readonly close: () => void }

const MOST_BYTES = 65_536
/** Number per silence timeout. */
const PINGS = 3

/**
 * A web socket that reconnects with back-off when it breaks or falls silent.
 * @param hello sent after connecting
 * @param pings sends pings. They are counted, not timed, as a live connection must not look dead after this process was
 *   suspended
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
    const received = (): void => {
      unanswered = 0
      on.received()
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
    socket.on('ping', received)
    socket.on('pong', received)
    socket.on('message', (data, isBinary) => {
      received()
      // Text arrives as one buffer.
      if (!isBinary && Buffer.isBuffer(data)) on.message(jsonOrNull(data.toString('utf8')))
    })
    socket.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : ''
      const suffix = /^[A-Z_]+$/.test(code) ? ` (${code})` : ''
      if (!isOpen) reason = `${title} cannot be reached${suffix}.`
    })
    socket.on('close', () => {
      clearInterval(pinging)
      on.ended(reason)
    })
    return () => socket.terminate()
  })
}

/** The same for an endless HTTP response of JSON lines. */
export function reconnectingLines(plan: Plan): Reconnecting {
  const { title, url, reach = AS_SET, headers = {}, certificate = null } = plan
  const { lines } = httpCaller(title, { reach, certificate })
  return reconnecting(plan, (on) => {
    const ending = new AbortController()
    on.opened()
    const onLine = (line: string): void => {
      on.received()
      on.message(jsonOrNull(line))
    }
    lines({ url, headers, signal: ending.signal }, MOST_BYTES, onLine).then(
      () => on.ended(`${title} closed the connection.`),
      (error: unknown) => on.ended(error instanceof Error ? error.message : String(error)),
    )
    return () => ending.abort()
  })
}

/** Opens a web socket with a connection timeout and a message size limit, without redirects. */
export function openSocket(
  url: URL | string,
  {
    connectMs,
    ...options
  }: {
    readonly connectMs: number
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
  /** Data has arrived. */
  readonly received: () => void
  readonly message: (message: unknown) => void
  readonly giveUp: (reason: string) => void
  readonly ended: (reason: string) => void
}

/** @param connect opens a connection; returns a function that closes it, after which `ended` is called */
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
    let closeReason: string | null = null
    let silence: ReturnType<typeof silenceTimer> | null = null
    let uselessness: ReturnType<typeof silenceTimer> | null = null
    const giveUp = (reason: string): void => {
      closeReason ??= reason
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
      received: () => silence?.restart(),
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
        down(closeReason ?? reason)
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

/** Calls `onSilence` unless restarted in time. */
function silenceTimer(ms: number, onSilence: () => void) {
  let isQuiet = true
  const timer = setTimeout(() => {
    isQuiet = true
    // After this process was suspended, timers fire before buffered data is read: read it first.
    setImmediate(() => {
      if (isQuiet) onSilence()
    })
  }, ms)
  return {
    restart: (): void => {
      isQuiet = false
      timer.refresh()
    },
    end: (): void => {
      isQuiet = false
      clearTimeout(timer)
    },
  }
}

/**
 * Retries with exponential back-off up to a maximum, with jitter over the second half of each delay to spread reconnections.
 */
export function retries(
  attempt: () => void,
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
) {
  let timer: NodeJS.Timeout | null = null
  let pauseMs = firstMs
  let stopped = false
  return {
    /** Retries after the next delay; not concurrently. */
    again: (): void => {
      if (stopped || timer) return
      timer = setTimeout(
        () => {
          timer = null
          attempt()
        },
        pauseMs * (0.5 + Math.random() / 2),
      )
      timer.unref()
      pauseMs = Math.min(pauseMs * 2, longestMs)
    },
    reset: (): void => {
      pauseMs = firstMs
    },
    stop: (): void => {
      stopped = true
      if (timer) clearTimeout(timer)
    },
  }
}
