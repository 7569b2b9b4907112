import { createServer } from 'node:http'
import { type Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { serving } from './serving.ts'

/** How the relay behaves towards events. */
export type RelayBehaviour =
  | 'takes'
  /** Opens the connection and stays silent. */
  | 'silent'
  /** Never finishes opening the connection. */
  | 'hangs'
  | 'rate-limits'
  | 'errs'
  /** Refuses notes of kind 1 and accepts all else. */
  | 'refuses-notes'
  | 'notice-only'
  | 'notice-invalid'
  /** Stores the event and breaks the connection before it answers. */
  | 'stores-and-breaks'
  | 'wants-auth'
  /** Sends its challenge only after the rejection. */
  | 'wants-auth-late'
  | 'duplicate-false'
  | 'empty-false'
  /** Answers with three elements, without a text. */
  | 'wordless'
  | 'garbage'
  | 'huge'
  | 'answers-for-others'

/** An event in the format of NIP-01. */
export const SentEvent = z.object({
  id: z.string(),
  pubkey: z.string(),
  created_at: z.number(),
  kind: z.number(),
  tags: z.array(z.array(z.string())),
  content: z.string(),
  sig: z.string(),
})
export type SentEvent = z.infer<typeof SentEvent>

const Message = z.tuple([z.enum(['EVENT', 'AUTH']), SentEvent])
const CHALLENGE = 'prove-it'
const REFUSALS: Readonly<Partial<Record<RelayBehaviour, string>>> = {
  'rate-limits': 'rate-limited: slow down there chief',
  errs: 'error: could not connect to the database',
  'refuses-notes': 'blocked: kind 1 is not taken here',
  'duplicate-false': 'duplicate: already have this event',
  'empty-false': '',
}

export type FaultyRelay = Awaited<ReturnType<typeof faultyRelay>>

export async function faultyRelay(behaviour: RelayBehaviour = 'takes') {
  const relay = {
    behaviour,
    /** Served as NIP-11; null answers 404. */
    about: null as object | null,
    /** Stored events, in order of arrival. */
    events: [] as SentEvent[],
    /** All received events, including refused ones. */
    seen: [] as SentEvent[],
    connections: 0,
    /** Before it acknowledges an event. */
    answerMs: 0,
  }

  function serve(line: WebSocket): void {
    let isKnown = false
    const say = (...message: unknown[]): void => line.send(JSON.stringify(message))
    if (relay.behaviour === 'wants-auth') say('AUTH', CHALLENGE)
    line.on('message', (data) => {
      const text = Buffer.isBuffer(data) ? data.toString() : ''
      const [kind, event] = Message.parse(JSON.parse(text))
      if (kind === 'AUTH') {
        isKnown = event.kind === 22_242 && event.tags.some(([, value]) => value === CHALLENGE)
        return say('OK', event.id, isKnown, '')
      }
      relay.seen.push(event)
      const ok = (isOk: boolean, ...why: readonly string[]): void =>
        say('OK', event.id, isOk, ...why)
      const { behaviour } = relay
      const why = REFUSALS[behaviour]
      if (why !== undefined && (behaviour !== 'refuses-notes' || event.kind === 1))
        return ok(false, why)
      if (behaviour === 'silent' || behaviour === 'hangs') return
      if (behaviour === 'notice-only') return say('NOTICE', 'your event was  seen\nbut not loved')
      if (behaviour === 'notice-invalid') return say('NOTICE', 'invalid: message too large')
      if (behaviour === 'huge') return line.send('x'.repeat(5_000_000))
      if (behaviour === 'answers-for-others') return say('OK', 'f'.repeat(64), true, '')
      if (!isKnown && behaviour.startsWith('wants-auth')) {
        ok(false, 'auth-required: who are you?')
        return behaviour === 'wants-auth-late' ? say('AUTH', CHALLENGE) : undefined
      }
      relay.events.push(event)
      if (behaviour === 'stores-and-breaks') return line.terminate()
      if (behaviour === 'garbage') {
        for (const text of ['this is not JSON', '["OK"]', '{"OK":true}']) line.send(text)
        line.send(Buffer.from([0, 255, 1]))
      }
      const words = behaviour === 'wordless' ? [] : ['']
      if (relay.answerMs === 0) return ok(true, ...words)
      setTimeout(() => ok(true, ...words), relay.answerMs)
    })
  }

  const { url, close } = await relayServer({
    about: () => relay.about,
    opens: () => relay.behaviour !== 'hangs',
    serve: (line) => {
      relay.connections += 1
      serve(line)
    },
  })
  return Object.assign(relay, { url, [Symbol.asyncDispose]: close })
}

/**
 * Starts the base of every relay of the tests: web sockets on a free port.
 *
 * @param about its self-description over HTTP (NIP-11); null answers 404
 * @param opens false lets opening connections hang
 */
export async function relayServer({
  serve,
  about = () => null,
  opens = () => true,
}: {
  serve: (socket: WebSocket) => void
  about?: () => object | null
  opens?: () => boolean
}): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((_, response) => {
    const message = about()
    if (message === null) response.writeHead(404).end()
    else
      response
        .writeHead(200, { 'content-type': 'application/nostr+json' })
        .end(JSON.stringify(message))
  })
  const sockets = new WebSocketServer({ noServer: true })
  const open = new Set<Duplex>()
  server.on('upgrade', (request, socket, head) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    if (opens()) sockets.handleUpgrade(request, socket, head, serve)
  })
  const { origin, [Symbol.asyncDispose]: close } = await serving(server)
  return {
    url: origin.replace('http', 'ws'),
    close: async () => {
      for (const socket of open) socket.destroy()
      await close()
    },
  }
}
