import { type NostrEvent, type NostrRelays, type NostrSigner, type RelayResult } from './ports.ts'
import { realRelays } from '#server/kit/settings/nostr.ts'
import { type Clock, type Log } from '#server/kit/ports.ts'
import { type NostrPublisher } from '#server/publishing/ports.ts'
import { isoIn as isoAfter } from '#server/kit/now.ts'
import { troubleOf } from '#server/kit/trouble.ts'
import { type Db } from '#server/kit/db.ts'
import { readFact, recordFact } from '#server/kit/facts.ts'
import {
  deliveryCounts,
  deliveriesOf,
  keepEvent,
  newestOf,
  noteDelivery,
  queueEvents,
  pauseRelay,
  takeDueEvents,
  type DueEvent,
} from './nostr-events.store.ts'
import { queueZapReceipts } from './zap-receipts.service.ts'
import { otherDueRelays } from './zap-receipts.store.ts'
import { queueRecord, takeSigningTurn } from '#server/attestation/signing-queue.rows.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** Pauses between attempts; a note or the receipt of a zap is given up after the last one, everything else is tried once a day from then on. */
const PAUSES_MS = [1, 5, 30, 120, 480, 1_440].map((minutes) => minutes * MINUTE_MS)
const LAST_PAUSE_MS = 1_440 * MINUTE_MS
/** A process that dies while sending leaves its events to the others after this. */
const TAKEN_FOR_MS = 5 * MINUTE_MS
const SEND_WITHIN_MS = 2 * MINUTE_MS
/** What is sent over one connection. */
const BATCH = 50
/** Relays that strangers have named which are called in one round, and how long that may take. */
const MOST_STRANGERS = 8
const STRANGERS_WITHIN_MS = 15 * SECOND_MS
const LIST_FACT = 'relay list on Nostr'

export type NostrOutbox = ReturnType<typeof nostrOutbox>

/**
 * Brings signed events to the relays, each until the relay has taken or refused it. They are stored before they are sent,
 * and sending one twice is harmless, so a crash at any moment loses nothing.
 */
export function nostrOutbox({
  db,
  clock,
  log,
  signer,
  relays,
  strangersWithinMs = STRANGERS_WITHIN_MS,
}: {
  db: Db
  clock: Clock
  log: Log
  signer: NostrSigner
  relays: NostrRelays
  strangersWithinMs?: number
}) {
  const isoIn = (ms: number): string => isoAfter({ clock }, ms)
  const named = (): string[] => realRelays(relays.urls)

  async function note(event: NostrEvent, given: DueEvent, result: RelayResult): Promise<void> {
    const { relay, state, reason } = result
    const pauseMs = PAUSES_MS[given.attempts - 1]
    const isOver =
      state === 'later' &&
      pauseMs === undefined &&
      (given.purpose === 'note' || given.purpose === 'zap')
    await noteDelivery(db, event.id, relay, {
      state: isOver ? 'given-up' : state === 'later' ? 'waiting' : state,
      reason,
      nextTryAt: isoIn(pauseMs ?? LAST_PAUSE_MS),
      now: isoIn(0),
    })
  }

  /** Sends one batch to a relay. @returns false when nothing more is to be sent to it for now */
  async function sendBatch(
    relay: string,
    send: NostrRelays['send'],
    signal: AbortSignal,
  ): Promise<boolean> {
    const most = { now: isoIn(0), until: isoIn(TAKEN_FOR_MS), most: BATCH }
    const due = await takeDueEvents(db, relay, most)
    if (due.length === 0) return false
    const events = due.map(({ event }) => event)
    const results = await send(relay, events, signal)
    for (const [i, given] of due.entries()) {
      const result = results[i]
      if (result) await note(given.event, given, result)
    }
    const waits = due.find((_, i) => results[i]?.state === 'later')
    if (!waits) return due.length === BATCH
    const pauseMs = PAUSES_MS[waits.attempts - 1] ?? LAST_PAUSE_MS
    await pauseRelay(db, relay, isoIn(pauseMs))
    return false
  }

  /** Announces which relays the site uses (kind 10002), once for each change of the list. */
  async function announceRelays(): Promise<void> {
    const list = JSON.stringify([signer.publicKey, named()])
    if ((await readFact(db, LIST_FACT)) === list) return
    await db.transaction(async (tx) => {
      await takeSigningTurn(tx)
      if ((await readFact(tx, LIST_FACT)) === list) return
      // Relays keep the newest, and of two of the same second one of their choice.
      const before = await newestOf(tx, signer.publicKey, 'relay-list')
      const event = await signer.sign({
        created_at: Math.max(Math.floor(clock.now() / SECOND_MS), (before ?? 0) + 1),
        kind: 10_002,
        tags: named().map((relay) => ['r', relay]),
        content: '',
      })
      await keepEvent(tx, { event, purpose: 'relay-list', ref: null, at: isoIn(0) })
      const at = { now: isoIn(0), nextTryAt: isoIn(0) }
      await queueEvents(tx, [event.id], named(), at)
      await recordFact(tx, LIST_FACT, list)
    })
  }

  async function ignoring(
    isStopped: () => boolean,
    relay: string,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isStopped()) {
        log.warn({ relay }, `Events for a relay have to wait. ${troubleOf(error).said}`)
      }
    }
  }

  return {
    /**
     * A publisher that stores a note before it sends it; relays that could not take it get the same event again later.
     */
    keeping: (publisher: NostrPublisher): NostrPublisher => ({
      ...publisher,
      results: (eventId) => deliveriesOf(db, eventId),
      async publish(event, signal, given = publisher.relays) {
        const at = { now: isoIn(0), nextTryAt: isoIn(TAKEN_FOR_MS) }
        await db.transaction(async (tx) => {
          await keepEvent(tx, { event, purpose: 'note', ref: null, at: isoIn(0) })
          await queueEvents(tx, [event.id], realRelays(given), at)
        })
        const results = await publisher.publish(event, signal, given)
        for (const result of results) {
          await note(event, { event, purpose: 'note', attempts: 1 }, result)
        }
        // Readers look for notes at the relays that their author names (NIP-65).
        await announceRelays().catch((error: unknown) => {
          log.warn({}, `The list of relays has to wait. ${troubleOf(error).said}`)
        })
        return results
      },
    }),

    /** What each relay has made of an event by now, also in later tries. */
    resultsOf: (eventId: string): Promise<RelayResult[]> => deliveriesOf(db, eventId),

    announceRelays,

    /** For each relay: how many events of the signed record wait, have arrived and have failed. */
    recordCounts: () => deliveryCounts(db, 'record'),

    /** Queues the events of the signed record that are not queued yet. */
    queueRecord: (): Promise<void> => queueRecord(db, signer.publicKey, named(), isoIn(0)),

    /** Sends what is due at our own relays, which do not wait for one another. */
    async sendDue(isStopped: () => boolean = () => false): Promise<void> {
      await Promise.all(
        named().map((relay) =>
          ignoring(isStopped, relay, async () => {
            const next = () => sendBatch(relay, relays.send, AbortSignal.timeout(SEND_WITHIN_MS))
            while (!isStopped() && (await next())) {
              // The next batch.
            }
          }),
        ),
      )
    },

    /**
     * Sends receipts of zaps to relays that strangers have named: a batch to each of a few, and together they take no longer than
     * the slowest may. What is not sent by then waits.
     *
     * @param stopped ends it at once
     */
    async sendToStrangers(stopped: AbortSignal = new AbortController().signal): Promise<void> {
      const most = { now: isoIn(0), most: MOST_STRANGERS }
      const strange = await otherDueRelays(db, named(), most)
      const signal = AbortSignal.any([stopped, AbortSignal.timeout(strangersWithinMs)])
      await Promise.all(
        strange.map((relay) =>
          ignoring(
            () => stopped.aborted,
            relay,
            async () => void (await sendBatch(relay, relays.sendToStranger, signal)),
          ),
        ),
      )
    },

    /** Signs the receipts of zaps that have been paid, and queues them. */
    queueZapReceipts: (): Promise<number> =>
      queueZapReceipts({ db, clock, signer }, { own: named(), strangers: relays.strangers }),
  }
}
