import { type NostrEvent, type NostrSigner, type RelayResult } from './ports.ts'
import { type LookupFunction } from 'node:net'
import { type Clock } from '#server/kit/ports.ts'
import { jsonOrNull } from '#server/kit/text.ts'
import { openSocket } from '#server/kit/reconnecting.ts'
import { z } from 'zod'

/** How long we wait for a relay, milliseconds. */
type RelayPatience = {
  readonly connectMs: number
  /** For the answer to one event. */
  readonly answerMs: number
  /** After a notice, which names no event: how long its answer may still come. */
  readonly afterNoticeMs: number
}

const RELAY_PATIENCE: RelayPatience = {
  connectMs: 5_000,
  answerMs: 6_000,
  afterNoticeMs: 1_000,
}

export type RelayNeeds = {
  /** Proves to a relay that asks for it who writes (NIP-42). */
  readonly signer: NostrSigner
  readonly clock: Clock
  readonly patience?: RelayPatience
  /** Resolves the name of the relay; the usual way without. */
  readonly lookup?: LookupFunction | undefined
}

/** One open connection to a relay. */
export type RelayConnection = {
  /** Never throws. */
  readonly send: (event: NostrEvent) => Promise<Omit<RelayResult, 'relay'>>
  readonly close: () => void
}

/** A relay's words are cut to this length. */
const MOST_SAID = 200
/** The connection to a relay that sends more is closed. */
const MOST_FRAMES = 1_000

const Frame = z.union([
  z.tuple([z.literal('OK'), z.string(), z.boolean()]).rest(z.unknown()),
  z.tuple([z.literal('NOTICE'), z.string()]).rest(z.unknown()),
  z.tuple([z.literal('AUTH'), z.string().max(1_000)]).rest(z.unknown()),
])

type Answer = { readonly ok: boolean; readonly said: string }

/**
 * Connects to a relay.
 *
 * @param signal ends the connection, also while it is used
 * @returns a sentence where it cannot be reached
 * @see https://github.com/nostr-protocol/nips/blob/master/01.md
 */
export function connectRelay(
  relay: string,
  { signer, clock, patience = RELAY_PATIENCE, lookup }: RelayNeeds,
  signal: AbortSignal,
): Promise<RelayConnection | string> {
  const name = relayName(relay)
  const { connectMs } = patience
  const socket = openSocket(relay, lookup ? { connectMs, lookup } : { connectMs })
  const waiting = new Map<string, (answer: Answer) => void>()
  let onNotice: (() => void) | null = null
  let notice: string | null = null
  let challenge: string | null = null
  let onChallenge: (() => void) | null = null
  let frames = 0
  let closed = false

  socket.on('message', (data, isBinary) => {
    frames += 1
    if (frames > MOST_FRAMES) socket.terminate()
    const text = !isBinary && Buffer.isBuffer(data) ? data.toString('utf8') : ''
    const frame = Frame.safeParse(jsonOrNull(text)).data
    if (frame?.[0] === 'OK') {
      const [, id, ok, said] = frame
      waiting.get(id)?.({ ok, said: typeof said === 'string' ? said : '' })
    } else if (frame?.[0] === 'NOTICE') {
      notice = frame[1]
      onNotice?.()
    } else if (frame?.[0] === 'AUTH') {
      challenge = frame[1]
      onChallenge?.()
    }
  })

  /** What the relay answers to one message about an event; null when nothing came in time. */
  function ask(message: readonly unknown[], id: string): Promise<Answer | null> {
    return new Promise((done) => {
      let timer = setTimeout(() => end(null), patience.answerMs)
      const gone = (): void => end(null)
      const end = (answer: Answer | null): void => {
        clearTimeout(timer)
        waiting.delete(id)
        onNotice = null
        socket.off('close', gone)
        done(answer)
      }
      notice = null
      onNotice = () => {
        clearTimeout(timer)
        timer = setTimeout(() => end(null), patience.afterNoticeMs)
      }
      waiting.set(id, end)
      socket.once('close', gone)
      if (closed) return end(null)
      socket.send(JSON.stringify(message), (error) => {
        if (error) end(null)
      })
    })
  }

  /** Most relays send the text to sign as soon as they are connected; others after they refuse. */
  function challenged(): Promise<void> {
    if (challenge !== null || closed) return Promise.resolve()
    return new Promise((done) => {
      const end = (): void => {
        clearTimeout(timer)
        onChallenge = null
        socket.off('close', end)
        done()
      }
      const timer = setTimeout(end, patience.afterNoticeMs)
      onChallenge = end
      socket.once('close', end)
    })
  }

  async function authenticate(): Promise<boolean> {
    await challenged()
    if (challenge === null) return false
    const event = await signer.sign({
      created_at: Math.floor(clock.now() / 1_000),
      kind: 22_242,
      tags: [
        ['relay', relay],
        ['challenge', challenge],
      ],
      content: '',
    })
    challenge = null
    return (await ask(['AUTH', event], event.id))?.ok ?? false
  }

  const connection: RelayConnection = {
    async send(event) {
      let answer = await ask(['EVENT', event], event.id)
      if (answer?.said.startsWith('auth-required:') && (await authenticate())) {
        answer = await ask(['EVENT', event], event.id)
      }
      if (answer) return resultOf(name, answer)
      if (closed) return { state: 'later', reason: `${name} closed the connection.` }
      if (notice === null) return { state: 'later', reason: `${name} did not answer in time.` }
      const { state } = resultOf(name, { ok: false, said: notice })
      const isFinal = state === 'refused' && PREFIX.test(notice)
      return {
        state: isFinal ? 'refused' : 'later',
        reason: `${name} answered only with a notice: ${quoted(notice)}`,
      }
    },
    close: () => socket.terminate(),
  }

  const stop = (): void => socket.terminate()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()

  return new Promise((done) => {
    // A handshake that stays silent is ended by the socket itself; this bounds the look-up of its name, too.
    const timer = setTimeout(() => socket.terminate(), patience.connectMs + 500)
    let reason = `${name} cannot be reached.`
    socket.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : ''
      const status = /unexpected server response: (\d{3})/i.exec(error.message)?.[1]
      if (status !== undefined) reason = `${name} cannot be reached (HTTP ${status}).`
      else if (/^E[A-Z_]+$/.test(code)) reason = `${name} cannot be reached (${code}).`
      else if (/timed? ?out/i.test(error.message)) reason = `${name} did not answer in time.`
    })
    socket.on('close', () => {
      closed = true
      signal.removeEventListener('abort', stop)
      clearTimeout(timer)
      done(reason)
    })
    socket.on('open', () => {
      clearTimeout(timer)
      done(connection)
    })
  })
}

/** A relay's name in sentences. */
export function relayName(relay: string): string {
  return relay.replace(/^wss?:\/\//, '')
}

const PREFIX = /^([a-z-]+):/
/** Reasons that may pass; the same event is worth another try. */
const PASSING = ['rate-limited', 'error']

/** @see https://github.com/nostr-protocol/nips/blob/master/01.md, "Standardized prefixes" */
function resultOf(name: string, { ok, said }: Answer): Omit<RelayResult, 'relay'> {
  const prefix = PREFIX.exec(said)?.[1] ?? null
  if (prefix === 'duplicate') return { state: 'already', reason: null }
  if (ok) return { state: 'accepted', reason: null }
  if (said.trim() === '') return { state: 'later', reason: `${name} refused without a reason.` }
  if (prefix !== null && PASSING.includes(prefix)) {
    return { state: 'later', reason: `${name} cannot take it now: ${quoted(said)}` }
  }
  return { state: 'refused', reason: `${name} refused it: ${quoted(said)}` }
}

/** A relay's words, shortened to one line. */
function quoted(said: string): string {
  const line = said.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return `“${line.length > MOST_SAID ? `${line.slice(0, MOST_SAID)}…` : line}”`
}
