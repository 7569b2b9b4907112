import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { readEvent } from '#domain/proof/record-event.ts'
import { relaysOfZap, zapReceipt } from '#domain/publishing/nostr.ts'
import { lockSigning } from '#server/attestation/attestation.service.ts'
import { outbox as deliveries } from '#server/database/schema/kit.ts'
import { nostrEvents, type NostrPurpose } from '#server/database/schema/proofs.ts'
import { hasEffect, readRows, type Db } from '#server/kit/db.ts'
import {
  pauseAfter,
  type Answer,
  type Delivery,
  type DeliveryKind,
  type OutboxKit,
} from '#server/kit/deliver.ts'
import { readFact, recordFact } from '#server/kit/facts.ts'
import { type Outbox } from '#server/kit/outbox.ts'
import { realRelays, relayUrl } from '#server/kit/settings/nostr.ts'
import { jsonOrNull } from '#server/kit/text.ts'
import { isoIn, isoNow } from '#server/kit/time.ts'
import { troubleOf } from '#server/kit/trouble.ts'
import { type NostrEvent, type NostrSigner, type RelayResult } from '#server/publishing/ports.ts'
import { blossomPictures, signNote } from './blossom.ts'
import { type NostrRelays } from './relays.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 1_440 * MINUTE_MS
/** Events of a process that died while sending are taken over after this. */
const TAKEN_FOR_MS = 5 * MINUTE_MS
const SEND_WITHIN_MS = 2 * MINUTE_MS
/** Events per connection. */
const BATCH = 50
/** Time limit for a relay named by a stranger. */
const STRANGERS_WITHIN_MS = 15 * SECOND_MS
const RELAYS = 8
const LIST_FACT = 'relay list on Nostr'
/** Receipts signed per run. */
const MOST_RECEIPTS = 50
/** Maximum length of a stranger's relay address, as it is part of an index. */
const LONGEST_RELAY = 500

/** Kinds of deliveries, to our relays and to those named by strangers; the lane is the relay, `ref` the event. */
export const TO_RELAYS = 'relay'
const TO_STRANGERS = 'zap-relay'

const SAID = ['accepted', 'already', 'refused', 'given-up', 'replaced'] as const
/** A relay's result for an event, in addition to the delivery state. */
const Delivered = z.object({
  purpose: z.enum(['note', 'record', 'relay-list', 'zap']),
  said: z.enum(SAID).optional(),
})
const RelayCount = z.object({
  relay: z.string(),
  count: z.int(),
  state: z.enum(['waiting', ...SAID]),
})

export type NostrOutbox = ReturnType<typeof nostrOutbox>
export type NostrPublisher = NostrOutbox['publisher']

type NostrKit = OutboxKit & {
  readonly signer: NostrSigner
  readonly relays: NostrRelays
  /** Without one, notes have no pictures. */
  readonly pictureServers?: readonly string[]
  readonly outbox: Outbox
  readonly strangersWithinMs?: number
}

/**
 * Sends signed events to the relays until each has accepted or rejected them. Events are stored first, and
 * sending twice is harmless, so no crash loses any.
 */
export function nostrOutbox(kit: NostrKit) {
  const { db, clock, log, signer, relays, outbox } = kit
  const { pictureServers: servers = [], strangersWithinMs = STRANGERS_WITHIN_MS } = kit
  const now = (): string => isoNow({ clock })
  const pictures = blossomPictures(servers, signer, clock)
  const named = (): string[] => realRelays(relays.urls)
  const keyOf = (event: NostrEvent, relay: string): string => `${event.id} ${relay}`
  const rowsOf = (event: NostrEvent, urls: readonly string[], purpose: NostrPurpose, more = {}) =>
    urls.map((lane) => {
      return { key: keyOf(event, lane), ref: event.id, lane, payload: { purpose }, ...more }
    })

  defineRelays(outbox, async (kind, rows, stopped) => {
    const isOurs = kind === TO_RELAYS
    if (isOurs && !named().includes(rows[0]?.lane ?? '')) return rows.map(() => UNNAMED)
    const ending = AbortSignal.timeout(isOurs ? SEND_WITHIN_MS : strangersWithinMs)
    const through = isOurs ? relays.send : relays.sendToStranger
    return sendRows(kit, rows, through, AbortSignal.any([stopped, ending]))
  })

  /** Announces the site's relays (kind 10002), once per change of the list. */
  async function announceRelays(): Promise<void> {
    const list = JSON.stringify([signer.publicKey, named()])
    if ((await readFact(db, LIST_FACT)) === list) return
    await db.transaction(async (tx) => {
      await lockSigning(tx)
      if ((await readFact(tx, LIST_FACT)) === list) return
      // Relays keep the newest event, or either of two from the same second.
      const { purpose, event: stored } = nostrEvents
      const ofThisKey = sql`${stored}->>'pubkey' = ${signer.publicKey}`
      const [before] = await tx
        .select({ at: sql<string | null>`max((${stored}->>'created_at')::bigint)` })
        .from(nostrEvents)
        .where(and(eq(purpose, 'relay-list'), ofThisKey))
      const event = await signer.sign({
        created_at: Math.max(Math.floor(clock.now() / SECOND_MS), Number(before?.at ?? 0) + 1),
        kind: 10_002,
        tags: named().map((relay) => ['r', relay]),
        content: '',
      })
      await keepEvent(tx, { event, purpose: 'relay-list', ref: null, at: now() })
      await outbox.add(tx, TO_RELAYS, rowsOf(event, named(), 'relay-list'))
      await recordFact(tx, LIST_FACT, list)
    })
  }

  /** Stores a note and sends it to relays; those that fail get the same event again later. */
  async function publish(event: NostrEvent, signal: AbortSignal, to: readonly string[]) {
    await db.transaction(async (tx) => {
      await keepEvent(tx, { event, purpose: 'note', ref: null, at: now() })
      // Sent by this process; if it dies, the outbox takes over.
      const due = isoIn({ clock }, TAKEN_FOR_MS)
      await outbox.add(tx, TO_RELAYS, rowsOf(event, realRelays(to), 'note', { due }))
    })
    const results = (
      await Promise.all(to.map((relay) => relays.send(relay, [event], signal)))
    ).flat()
    for (const result of results) {
      const answer = answerOf({ purpose: 'note' }, 1, result)
      await outbox.settle(TO_RELAYS, keyOf(event, result.relay), answer)
    }
    // Readers find notes at the relays announced by their author (NIP-65).
    await announceRelays().catch((error: unknown) => {
      log.warn({}, `The relay list will be sent later. ${troubleOf(error).message}`)
    })
    return results
  }

  async function queueReceipt({ ref, description, paidAt, ...paid }: PaidZap): Promise<void> {
    const request = readEvent(jsonOrNull(description))
    // Validated before its invoice was made.
    if (!request) throw new Error('a paid zap without its request')
    const paidMs = Date.parse(paidAt)
    const event = await signer.sign(zapReceipt({ request, description }, { ...paid, paidMs }))
    const own = named()
    const requested = new Set(relaysOfZap(request).flatMap((relay) => relayUrl(relay) ?? []))
    const others = [...requested].filter(
      (relay) =>
        !own.includes(relay) &&
        relay.length <= LONGEST_RELAY &&
        relays.strangers.isAllowed(new URL(relay)),
    )
    await db.transaction(async (tx) => {
      // Another process may have signed it first.
      if (!(await keepEvent(tx, { event, purpose: 'zap', ref, at: now() }))) return
      await outbox.add(tx, TO_RELAYS, rowsOf(event, own, 'zap'))
      await outbox.add(tx, TO_STRANGERS, rowsOf(event, others, 'zap'))
    })
  }

  return {
    /** The site's key with its relays. */
    publisher: {
      npub: signer.npub,
      relays: relays.urls,

      /** Number of relays that accept a connection, and a sentence for each other one. */
      connected: async (signal: AbortSignal): Promise<{ count: number; faults: string[] }> => {
        const faults = (await relays.check(signal)).filter((fault) => fault !== null)
        return { count: relays.urls.length - faults.length, faults }
      },

      prepare: (note: Parameters<typeof signNote>[2], signal: AbortSignal): Promise<NostrEvent> =>
        signNote(signer, pictures, note, signal),

      publish,

      /** Results of a note per relay, including later attempts. */
      results: async (eventId: string): Promise<RelayResult[]> => {
        const { kind, ref, lane } = deliveries
        const isOf = and(inArray(kind, [TO_RELAYS, TO_STRANGERS]), eq(ref, eventId))
        const rows = await db.select().from(deliveries).where(isOf).orderBy(asc(lane))
        return rows.map(({ lane: relay, state, payload, lastError: reason }) => {
          const { said } = Delivered.parse(payload)
          if (state === 'sent')
            return { relay, state: said === 'already' ? said : 'accepted', reason }
          return { relay, state: state === 'failed' ? 'refused' : 'later', reason }
        })
      },
    },

    announceRelays,

    /** Number of waiting, delivered and failed events of the signed record, by relay. */
    recordCounts: () =>
      readRows(db, RelayCount)`
        select lane as relay, count(*)::int as count,
          case when state in ('waiting', 'sending') then 'waiting'
            else coalesce(payload->>'said', 'given-up') end as state
        from outbox where kind = ${TO_RELAYS} and payload->>'purpose' = 'record'
        group by lane, 3 order by lane, 3`,

    /** Queues events of the signed record in force, and drops those replaced before they were sent. */
    queueRecord: (): Promise<void> =>
      db.transaction(async (tx) => {
        const inForce = sql`
          select distinct on (kind, d) event_id from record_events
          where pubkey = ${signer.publicKey} order by kind, d, id desc`
        const isAdded = await hasEffect(
          tx.execute(sql`
            insert into outbox (kind, key, ref, lane, payload, due, created_at, updated_at)
            select ${TO_RELAYS}, event_id || ' ' || relay, event_id, relay, '{"purpose":"record"}',
              ${now()}::timestamptz, ${now()}::timestamptz, ${now()}::timestamptz
            from (${inForce}) r cross join unnest(${sql.param(named())}::text[]) relay
            on conflict (kind, key) do nothing`),
        )
        await tx.execute(sql`
          update outbox set state = 'failed', due = null, payload = payload || '{"said":"replaced"}',
            last_error = 'A newer event has replaced it.', updated_at = ${now()}::timestamptz
          where kind = ${TO_RELAYS} and state = 'waiting' and payload->>'purpose' = 'record' and ref not in (${inForce})`)
        if (isAdded) for (const relay of named()) await outbox.wake(tx, TO_RELAYS, relay)
      }),

    /** Sends due events at our own relays. */
    sendDue: (): Promise<boolean> => outbox.deliver(TO_RELAYS),

    /**
     * Signs receipts for zaps that our own wallet reports as paid, and queues them for our relays and those named in
     * the requests. Receipts published by others are never read.
     * @returns how many there were
     * @throws the first failure, after all others were signed
     */
    async queueZapReceipts(): Promise<number> {
      const zaps = await paidZaps(db, MOST_RECEIPTS)
      const failures: unknown[] = []
      for (const zap of zaps) {
        await queueReceipt(zap).catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
      return zaps.length
    },
  }
}

/** Defines the deliveries to relays; without a key, those from before wait. */
export function defineRelays(
  outbox: Outbox,
  send: (
    kind: string,
    ...to: Parameters<DeliveryKind['send']>
  ) => ReturnType<DeliveryKind['send']> = async (_, rows) => rows.map(() => UNNAMED),
): void {
  const common = { takenForMs: TAKEN_FOR_MS, batch: BATCH, lanes: RELAYS }
  for (const [kind, title] of [
    [TO_RELAYS, 'Sending events to relays'],
    [TO_STRANGERS, 'Sending receipts to other relays'],
  ] as const) {
    outbox.define({ ...common, kind, title, send: (...to) => send(kind, ...to) })
  }
}

/** Sends some deliveries to one relay. */
async function sendRows(
  { db, log }: OutboxKit,
  rows: readonly Delivery[],
  through: NostrRelays['send'],
  signal: AbortSignal,
): Promise<Answer[]> {
  const [first] = rows
  if (!first) return []
  const { id, event } = nostrEvents
  const refs = rows.map(({ ref }) => ref)
  const stored = await db
    .select({ id, event })
    .from(nostrEvents)
    .where(inArray(id, refs))
    .orderBy(
      sql`(${event}->>'created_at')::bigint`,
      sql`array_position(${sql.param(refs)}::text[], ${id})`,
    )
  const events = stored.map((one) => one.event)
  const results = await through(first.lane, events, signal).catch((error: unknown) => {
    log.warn(
      { relay: first.lane },
      `Events for a relay will be sent later. ${troubleOf(error).message}`,
    )
    return null
  })
  const found = new Map(stored.map((one, i) => [one.id, results?.[i] ?? null]))
  return rows.map(({ ref, payload, tries }) => {
    const result = found.get(ref)
    return result === undefined ? { state: 'dropped' } : answerOf(payload, tries, result)
  })
}

/** The relay or the key was removed from the settings. */
const UNNAMED: Answer = { state: 'waiting', dueMs: DAY_MS, isFree: true, pausesLane: true }

/** Notes and zap receipts fail after the last delay; everything else is retried daily. */
function answerOf(
  payload: Delivery['payload'],
  tries: number,
  result: Pick<RelayResult, 'state' | 'reason'> | null,
): Answer {
  // Outcome unknown; sending again is harmless.
  if (!result) return { state: 'waiting', dueMs: TAKEN_FOR_MS, pausesLane: true }
  const { purpose } = Delivered.parse(payload)
  const { state, reason: error } = result
  const withResult = (words: string) => ({ ...payload, said: words })
  if (state === 'accepted' || state === 'already')
    return { state: 'sent', error, payload: withResult(state) }
  if (state === 'refused') return { state: 'failed', error, payload: withResult(state) }
  const pauseMs = pauseAfter(tries)
  if (pauseMs === undefined && (purpose === 'note' || purpose === 'zap')) {
    return { state: 'failed', error, payload: withResult('given-up') }
  }
  return { state: 'waiting', error, dueMs: pauseMs ?? DAY_MS, pausesLane: true }
}

/**
 * Stores a signed event before it is sent.
 * @param ref its purpose, unique
 * @returns false when this event, or another with the same `ref`, is already stored
 */
export function keepEvent(
  db: Db,
  input: { event: NostrEvent; purpose: NostrPurpose; ref: string | null; at: string },
): Promise<boolean> {
  const { event, purpose, ref, at } = input
  const values = { id: event.id, purpose, ref, event, signedAt: at }
  return hasEffect(db.insert(nostrEvents).values(values).onConflictDoNothing())
}

const PaidZap = z.object({
  ref: z.string(),
  description: z.string(),
  bolt11: z.string(),
  preimage: z.string().nullable(),
  paidAt: z.string(),
})
type PaidZap = z.output<typeof PaidZap>

/** Paid zaps without a receipt, oldest first; `ref` is the key of that. */
function paidZaps(db: Db, most: number): Promise<PaidZap[]> {
  return readRows(db, PaidZap)`
    select 'zap ' || p.id as ref, description, bolt11, preimage, paid_at as "paidAt"
    from payments p left join nostr_events receipt on receipt.ref = 'zap ' || p.id
    where p.purpose = 'zap' and status in ('paid', 'paid_late') and receipt.id is null
      and description is not null and bolt11 is not null and paid_at is not null
    order by paid_at, p.id limit ${most}`
}
