import { setImmediate as breathe } from 'node:timers/promises'
import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type z } from 'zod'
import { type onePrediction } from '#contracts/predictions.ts'
import { type signedRecord } from '#contracts/signed-record.ts'
import { JUDGE_MODES, type JudgeMode } from '#domain/judging/verdict.ts'
import { NOTIFY_AFTER_MS } from '#domain/publishing/following.ts'
import { naddrOf, npubOf } from '#domain/publishing/nostr.ts'
import { predictionEvents } from '#server/database/schema/predictions.ts'
import { nostrEvents, recordEvents } from '#server/database/schema/proofs.ts'
import { type Db, readRows } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { loadPredictions, type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import { type NostrEvent, type NostrSigner } from '#server/publishing/ports.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { approvedSince } from '#server/submissions/submissions.rows.ts'
import { PREDICTION_KIND, predictionDraft, UnsignedVerdict, verdictDraft } from './event-format.ts'

/** Signed per transaction, to limit the time of the lock. */
const BATCH = 200
/** Signing takes milliseconds each; other work runs after this many. */
const AT_ONCE = 8

const RECORD = {
  predictionId: recordEvents.predictionId,
  mode: recordEvents.mode,
  event: nostrEvents.event,
}

type RecordEvent = {
  readonly predictionId: string
  /** Null for the prediction itself. */
  readonly mode: JudgeMode | null
  readonly event: NostrEvent
}

export type SignedRecord = ReturnType<typeof signedRecordService>

/** Signs what changed since the last run. @param relays named in addresses of events @see docs/signed-record.md */
export function signedRecordService(
  { db, clock }: Pick<Kit, 'db' | 'clock'>,
  signer: NostrSigner | null,
  relays: readonly string[],
) {
  type Fresh = RecordEvent & { readonly verdictId: number | null }

  /** Times of events at one address must increase, as relays keep the newest. */
  const after = (ms: number, before: NostrEvent | undefined): number =>
    Math.max(Math.floor(ms / 1_000), before ? before.created_at + 1 : 0)

  /** Approvals that can still be undone are not signed yet, as signatures are permanent. */
  const stillOpen = (from: Db): Promise<ReadonlySet<string>> =>
    approvedSince(from, new Date(clock.now() - NOTIFY_AFTER_MS).toISOString())

  async function signBatch(by: NostrSigner): Promise<number> {
    return db.transaction(async (tx) => {
      await lockSigning(tx)
      const open = await stillOpen(tx)
      const stored = (await loadPredictions(tx)).filter(({ id }) => !open.has(id))
      const inForce = new Map<string, NostrEvent>()
      const know = (events: readonly RecordEvent[]): void => {
        for (const one of events) inForce.set(keyOf(one), one.event)
      }
      know(await recordInForce(tx, by.publicKey, 'predictions'))
      const fresh: Fresh[] = []
      const { predictionId, kind, at } = predictionEvents
      const changes = await tx
        .select({ id: predictionId, at: sql<string>`max(${at})` })
        .from(predictionEvents)
        .where(inArray(kind, ['published', 'edited', 'withdrawn', 'restored']))
        .groupBy(predictionId)
      const changedAt = new Map(changes.map((one) => [one.id, Date.parse(one.at)]))
      for (const one of stored) {
        if (fresh.length >= BATCH) break
        const made = await signPrediction(by, one, changedAt.get(one.id), inForce)
        if (!made) continue
        fresh.push(made)
        if (fresh.length % AT_ONCE === 0) await breathe()
      }
      const byId = new Map(stored.map((one) => [one.id, one]))
      // A verdict refers to its prediction's event, which must exist first.
      const room = BATCH - fresh.length
      const verdicts = room > 0 ? await unsignedVerdicts(tx, by.publicKey, room) : []
      const predictionIds = [...new Set(verdicts.map((one) => one.predictionId))]
      if (predictionIds.length > 0) know(await recordInForce(tx, by.publicKey, predictionIds))
      for (const verdict of verdicts) {
        const about = byId.get(verdict.predictionId)
        if (!about) continue
        const key = { predictionId: about.id, mode: verdict.verdict.mode }
        const before = inForce.get(keyOf(key))
        const event = await by.sign(
          verdictDraft(about, verdict, {
            pubkey: by.publicKey,
            at: after(verdict.at, before),
            previous: before?.id ?? null,
          }),
        )
        inForce.set(keyOf(key), event)
        fresh.push({ ...key, event, verdictId: verdict.id })
        if (fresh.length % AT_ONCE === 0) await breathe()
      }
      await addRecordEvents(tx, fresh, new Date(clock.now()).toISOString())
      // Pages show signatures.
      if (fresh.length > 0) await recordChanged(tx)
      return fresh.length
    })
  }

  async function signPrediction(
    by: NostrSigner,
    stored: StoredPrediction,
    changedAt: number | undefined,
    inForce: Map<string, NostrEvent>,
  ): Promise<Fresh | null> {
    const key = { predictionId: stored.id, mode: null }
    const before = inForce.get(keyOf(key))
    const recorded = changedAt ?? Date.parse(stored.createdAt)
    const isLater = before && Math.floor(recorded / 1_000) <= before.created_at
    const draft = predictionDraft(stored, {
      // Changes without a recorded time, such as imports, get the current one.
      at: after(isLater ? clock.now() : recorded, before),
      previous: before?.id ?? null,
    })
    if (before?.content === draft.content) return null
    const event = await by.sign(draft)
    inForce.set(keyOf(key), event)
    return { ...key, event, verdictId: null }
  }

  return {
    /** Signs what changed since the last run. @returns the number of events signed; 0 without a key */
    async sign(): Promise<number> {
      if (!signer) return 0
      let total = 0
      for (;;) {
        const made = await signBatch(signer)
        total += made
        if (made < BATCH) return total
      }
    },

    /** Whether something will be signed shortly without any further change. */
    waits: async (): Promise<boolean> => signer !== null && (await stillOpen(db)).size > 0,

    async shortOf(predictionId: string): Promise<z.infer<typeof onePrediction.reply>['record']> {
      const found = await find(predictionId)
      if (!found) return null
      const { newest, inForce, npub, naddr } = found
      const idOf = (mode: JudgeMode) => inForce.find((one) => one.mode === mode)?.event.id ?? null
      return {
        event_id: newest.id,
        npub,
        naddr,
        signed_at: new Date(newest.created_at * 1_000).toISOString(),
        verdict_ids: { touch: idOf('touch'), close: idOf('close') },
      }
    },

    /** @throws AppError if nothing is signed */
    async of(predictionId: string): Promise<z.input<typeof signedRecord.reply>> {
      const found = await find(predictionId)
      if (!found) throw failure('not_found', 'Nothing is signed for a prediction of this name.')
      const { newest, events, inForce, npub, naddr } = found
      return {
        npub,
        pubkey: newest.pubkey,
        naddr,
        in_force: inForce.map(({ event }) => plain(event)),
        earlier: events.filter((one) => !inForce.includes(one)).map(({ event }) => plain(event)),
      }
    },
  }

  /** The events of a prediction, newest first, and those in force by its newest key; null without any. */
  async function find(predictionId: string) {
    const events: RecordEvent[] = await db
      .select(RECORD)
      .from(recordEvents)
      .innerJoin(nostrEvents, eq(nostrEvents.id, recordEvents.eventId))
      .where(eq(recordEvents.predictionId, predictionId))
      .orderBy(desc(recordEvents.id))
    const newest = events.find(({ mode }) => mode === null)?.event
    if (!newest) return null
    const { pubkey } = newest
    const inForce = [null, ...JUDGE_MODES].flatMap(
      (mode) => events.find((one) => one.mode === mode && one.event.pubkey === pubkey) ?? [],
    )
    const address = { pubkey, kind: PREDICTION_KIND, d: predictionId, relays: relays.slice(0, 2) }
    return { newest, events, inForce, npub: npubOf(pubkey), naddr: naddrOf(address) }
  }
}

function keyOf({ predictionId, mode }: Pick<RecordEvent, 'predictionId' | 'mode'>): string {
  return `${mode ?? ''} ${predictionId}`
}

function plain(event: NostrEvent): NostrEvent & { tags: string[][] } {
  return { ...event, tags: event.tags.map((tag) => [...tag]) }
}

/** Serializes signing across processes until the transaction ends: each event names the previous one. */
export async function lockSigning(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('proof-of-price signed record'))`)
}

/** Verdicts not signed by this key, including replaced ones, oldest first. */
function unsignedVerdicts(db: Db, pubkey: string, most: number) {
  return readRows(db, UnsignedVerdict)`
    select id, prediction_id as "predictionId", evidence as verdict, change, computed_at as at,
      coalesce((select e.text from prediction_events e where e.verdict_id = verdicts.id order by e.id limit 1), '') as note,
      exists (select from prediction_events e where e.prediction_id = verdicts.prediction_id
        and e.kind = 'edited' and e.at > verdicts.computed_at)
      or exists (select from verdicts v where v.prediction_id = verdicts.prediction_id
        and v.mode = verdicts.mode and v.change = 'statement' and v.id > verdicts.id) as "isRestated"
    from verdicts where not exists (
      select from record_events r where r.pubkey = ${pubkey} and r.verdict_id = verdicts.id)
    order by id limit ${most}`
}

/** The newest events of a key: for all predictions, or the verdicts of some. */
async function recordInForce(db: Db, pubkey: string, of: 'predictions' | readonly string[]) {
  return db
    .selectDistinctOn([recordEvents.kind, recordEvents.d], RECORD)
    .from(recordEvents)
    .innerJoin(nostrEvents, eq(nostrEvents.id, recordEvents.eventId))
    .where(
      and(
        eq(recordEvents.pubkey, pubkey),
        of === 'predictions'
          ? isNull(recordEvents.mode)
          : and(isNotNull(recordEvents.mode), inArray(recordEvents.predictionId, [...of])),
      ),
    )
    .orderBy(recordEvents.kind, recordEvents.d, desc(recordEvents.id))
}

/** Adds events of the record. Requires `lockSigning`. */
async function addRecordEvents(
  tx: Db,
  events: readonly (RecordEvent & { readonly verdictId: number | null })[],
  at: string,
): Promise<void> {
  if (events.length === 0) return
  await tx
    .insert(nostrEvents)
    .values(
      events.map(({ event }) => ({
        id: event.id,
        purpose: 'record' as const,
        ref: null,
        event,
        signedAt: at,
      })),
    )
    .onConflictDoNothing()
  await tx.insert(recordEvents).values(
    events.map(({ event, predictionId, mode, verdictId }) => ({
      eventId: event.id,
      pubkey: event.pubkey,
      kind: event.kind,
      d: event.tags.find(([name]) => name === 'd')?.[1] ?? '',
      predictionId,
      mode,
      verdictId,
      createdAt: event.created_at,
    })),
  )
}
