import { type LookupFunction } from 'node:net'
import { z } from 'zod'
import { truncate } from '#domain/clean-text.ts'
import { openSocket } from '#server/kit/reconnecting.ts'
import { jsonOrNull } from '#server/kit/text.ts'
import { type Clock } from '#server/kit/time.ts'
import { type NostrEvent, type NostrSigner, type RelayResult } from '#server/publishing/ports.ts'

const RELAY_PATIENCE = {
  connectMs: 5_000,
  /** Time limit for the answer to one event. */
  answerMs: 6_000,
  /** Extra time for an answer after a notice, which names no event. */
  afterNoticeMs: 1_000,
}

export type RelayNeeds = {
  /** Authenticates us if a relay requires it (NIP-42). */
  readonly signer: NostrSigner
  readonly clock: Clock
  readonly patience?: typeof RELAY_PATIENCE
  readonly lookup?: LookupFunction | undefined
}

export type RelayConnection = Exclude<Awaited<ReturnType<typeof connectRelay>>, string>

/** Quoted relay messages are truncated to this length. */
const MOST_SAID = 200
/** Closes connections that send more. */
const MOST_FRAMES = 1_000

const Frame = z.union([
  z.tuple([z.literal('OK'), z.string(), z.boolean()]).rest(z.unknown()),
  z.tuple([z.literal('NOTICE'), z.string()]).rest(z.unknown()),
  z.tuple([z.literal('AUTH'), z.string().max(1_000)]).rest(z.unknown()),
])
type Frame = z.infer<typeof Frame>

type Answer = { readonly ok: boolean; readonly message: string }

/**
 * Connects to a relay.
 * @param signal closes the connection at any time
 * @returns a sentence if it cannot be reached
 * @see https://github.com/nostr-protocol/nips/blob/master/01.md
 */
export function connectRelay(
  relay: string,
  { signer, clock, patience = RELAY_PATIENCE, lookup }: RelayNeeds,
  signal: AbortSignal,
) {
  const name = relayName(relay)
  const { connectMs } = patience
  const socket = openSocket(relay, lookup ? { connectMs, lookup } : { connectMs })
  /** Receives each frame, and null once the connection is closed. */
  let listener: (frame: Frame | null) => void = () => {}
  let notice: string | null = null
  let challenge: string | null = null
  let frames = 0
  let closed = false

  socket.on('message', (data, isBinary) => {
    frames += 1
    if (frames > MOST_FRAMES) socket.terminate()
    const text = !isBinary && Buffer.isBuffer(data) ? data.toString('utf8') : ''
    const frame = Frame.safeParse(jsonOrNull(text)).data
    if (frame?.[0] === 'NOTICE') notice = frame[1]
    if (frame?.[0] === 'AUTH') challenge = frame[1]
    if (frame) listener(frame)
  })

  /** @returns the result of `pick` for a frame; null after the time limit, or if the connection is closed */
  function nextFrame<T>(pick: (frame: Frame) => T | null, withinMs: number): Promise<T | null> {
    return new Promise((done) => {
      const end = (found: T | null): void => {
        clearTimeout(timer)
        listener = () => {}
        done(found)
      }
      let timer = setTimeout(end, withinMs, null)
      listener = (frame) => {
        const found = frame && pick(frame)
        if (frame === null || found !== null) return end(found)
        if (frame[0] !== 'NOTICE') return
        clearTimeout(timer)
        timer = setTimeout(end, patience.afterNoticeMs, null)
      }
      if (closed) end(null)
    })
  }

  function ask(message: readonly unknown[], eventId: string): Promise<Answer | null> {
    notice = null
    // A message that could not be sent gets no reply.
    socket.send(JSON.stringify(message), () => {})
    return nextFrame((frame) => {
      if (frame[0] !== 'OK' || frame[1] !== eventId) return null
      const [, , ok, reason] = frame
      return { ok, message: typeof reason === 'string' ? reason : '' }
    }, patience.answerMs)
  }

  async function authenticate(): Promise<boolean> {
    // Most relays send the challenge on connection, others after a refusal.
    challenge ??= await nextFrame(
      (frame) => (frame[0] === 'AUTH' ? frame[1] : null),
      patience.afterNoticeMs,
    )
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

  const connection = {
    /** Never throws. */
    async send(event: NostrEvent): Promise<Omit<RelayResult, 'relay'>> {
      let answer = await ask(['EVENT', event], event.id)
      if (answer?.message.startsWith('auth-required:') && (await authenticate())) {
        answer = await ask(['EVENT', event], event.id)
      }
      if (answer) return resultOf(name, answer)
      if (closed) return { state: 'later', reason: `${name} closed the connection.` }
      if (notice === null) return { state: 'later', reason: `${name} did not answer in time.` }
      const { state } = resultOf(name, { ok: false, message: notice })
      const isFinal = state === 'refused' && PREFIX.test(notice)
      return {
        state: isFinal ? 'refused' : 'later',
        reason: `${name} answered only with a notice: ${quoted(notice)}`,
      }
    },
    close: (): void => socket.terminate(),
  }

  const stop = (): void => socket.terminate()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()

  return new Promise<typeof connection | string>((done) => {
    // The socket limits a silent handshake itself; this also limits the name resolution.
    const timer = setTimeout(stop, patience.connectMs + 500)
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
      listener(null)
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
/** Transient reasons: the same event is worth another attempt. */
const PASSING = ['rate-limited', 'error']

/** @see https://github.com/nostr-protocol/nips/blob/master/01.md, "Standardized prefixes" */
function resultOf(name: string, { ok, message }: Answer): Omit<RelayResult, 'relay'> {
  const prefix = PREFIX.exec(message)?.[1] ?? null
  if (prefix === 'duplicate') return { state: 'already', reason: null }
  if (ok) return { state: 'accepted', reason: null }
  if (message.trim() === '') return { state: 'later', reason: `${name} refused without a reason.` }
  if (prefix !== null && PASSING.includes(prefix)) {
    return { state: 'later', reason: `${name} cannot take it now: ${quoted(message)}` }
  }
  return { state: 'refused', reason: `${name} refused it: ${quoted(message)}` }
}

/** A relay's message, on one line and truncated. */
function quoted(message: string): string {
  const line = message.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return `“${truncate(line, MOST_SAID)}”`
}
