import { EventRepository, EventUtils, type Event, type Filter } from '@nostr-relay/common'
import { NostrRelay } from '@nostr-relay/core'
import {
  Client,
  Duration,
  Filter as ClientFilter,
  Event as ClientEvent,
  loadWasmAsync,
} from '@rust-nostr/nostr-sdk'
import { z } from 'zod'
import { relayServer, SentEvent } from './stand-ins/faulty-relay.ts'

const incoming = z.tuple([z.enum(['EVENT', 'REQ', 'CLOSE', 'AUTH'])]).rest(z.unknown())
type Incoming = Parameters<NostrRelay['handleMessage']>[1]

/**
 * Starts a relay on a free port, with its events in memory. It and the client below share no code with the site's: the
 * relay is in TypeScript, the client in Rust.
 */
export async function realRelay() {
  // Every answer is looked up, not cached for a second.
  const caches = { filterResultCacheTtl: 0, eventHandlingResultCacheTtl: 0 }
  const relay = new NostrRelay(eventsInMemory(), caches)
  const { url, close: closeServer } = await relayServer({
    serve: (socket) => {
      relay.handleConnection(socket)
      let answered: Promise<unknown> = Promise.resolve()
      socket.on('message', (data) => {
        const message = incoming.parse(
          JSON.parse(Buffer.isBuffer(data) ? data.toString() : ''),
        ) as Incoming
        // One after the other, so that answers keep the order of requests.
        answered = answered.then(() => relay.handleMessage(socket, message))
      })
      socket.on('close', () => relay.handleDisconnect(socket))
    },
  })
  const close = async (): Promise<void> => {
    await closeServer()
    await relay.destroy()
  }
  return { url, close, [Symbol.asyncDispose]: close }
}

/**
 * Events found on a relay by another client, with verified ids and signatures.
 *
 * @param filter in the format of NIP-01
 * @throws Error if the relay is unreachable or has an invalid event
 */
export async function readNotes(url: string, filter: object): Promise<SentEvent[]> {
  await loadWasmAsync()
  const client = new Client()
  try {
    await client.addRelay(url)
    await client.connect()
    const requested = ClientFilter.fromJson(JSON.stringify(filter))
    const found = await client.fetchEvents(requested, Duration.fromSecs(60))
    return found.toVec().map((event) => {
      if (!event.verify()) throw new Error(`The event ${event.id.toHex()} is not signed rightly.`)
      return SentEvent.parse(JSON.parse(event.asJson()))
    })
  } finally {
    await client.shutdown()
  }
}

/** Verifies id and signature of an event by an independent library. */
export async function isSigned(event: object): Promise<boolean> {
  await loadWasmAsync()
  return ClientEvent.fromJson(JSON.stringify(event)).verify()
}

/** Implements replaceable and addressable events (NIP-01). */
function eventsInMemory(): EventRepository {
  const stored = new Map<string, Event>()
  class EventsInMemory extends EventRepository {
    override isSearchSupported(): boolean {
      return false
    }
    override upsert(event: Event): { isDuplicate: boolean } {
      const place = placeOf(event)
      const before = stored.get(place)
      if (before && !replaces(event, before)) return { isDuplicate: true }
      stored.set(place, event)
      return { isDuplicate: false }
    }
    override find(filter: Filter): Event[] {
      return [...stored.values()]
        .filter((event) => EventUtils.isMatchingFilter(event, filter))
        .toSorted((a, b) => b.created_at - a.created_at)
        .slice(0, filter.limit)
    }
    override destroy(): Promise<void> {
      stored.clear()
      return Promise.resolve()
    }
  }
  return new EventsInMemory()
}

/** The key of an event: its id, or the key shared with those it replaces. */
function placeOf(event: Event): string {
  const tag = EventUtils.extractDTagValue(event)
  return tag === null ? event.id : `${String(event.kind)} ${event.pubkey} ${tag}`
}

function replaces(event: Event, before: Event): boolean {
  if (event.created_at !== before.created_at) return event.created_at > before.created_at
  return event.id < before.id
}
