import { relaysOfZap, zapReceipt } from '#domain/publishing/zap.ts'
import { readEvent } from '#domain/proof/record-event.ts'
import { isoNow } from '#server/kit/now.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { jsonOrNull } from '#server/kit/json-or-null.ts'
import { type Reach } from '#server/kit/reach.ts'
import { relayUrl } from '#server/kit/settings/nostr.ts'
import { keepEvent, queueEvents } from './nostr-events.store.ts'
import { type NostrSigner } from './ports.ts'
import { paidZaps, type PaidZap } from './zap-receipts.store.ts'

/** Receipts that are signed in one go. */
const BATCH = 50
/** Characters of the address of a relay that a stranger names; an index of the outbox takes no text of any length. */
const LONGEST_RELAY = 500

/**
 * Signs the receipts of zaps that our own wallet has said are paid, and queues them for our relays and for those that the
 * requests name. What others publish as receipts is never read.
 *
 * @returns how many there were
 * @throws the first failure, once all others have their receipts
 */
export async function queueZapReceipts(
  { db, clock, signer }: { readonly db: Db; readonly clock: Clock; readonly signer: NostrSigner },
  { own, strangers }: { readonly own: readonly string[]; readonly strangers: Reach },
): Promise<number> {
  async function queue({ ref, description, bolt11, preimage, paidAt }: PaidZap): Promise<void> {
    const request = readEvent(jsonOrNull(description))
    // It was checked before its invoice was made.
    if (!request) throw new Error('a paid zap without its request')
    const paid = { bolt11, preimage, paidMs: Date.parse(paidAt) }
    const event = await signer.sign(zapReceipt({ request, description }, paid))
    const asked = relaysOfZap(request).flatMap((relay) => relayUrl(relay) ?? [])
    const allowed = asked.filter(
      (relay) => relay.length <= LONGEST_RELAY && strangers.isAllowed(new URL(relay)),
    )
    const at = isoNow({ clock })
    await db.transaction(async (tx) => {
      // Another process may have been first.
      if (!(await keepEvent(tx, { event, purpose: 'zap', ref, at }))) return
      const relays = [...new Set([...own, ...allowed])]
      await queueEvents(tx, [event.id], relays, { now: at, nextTryAt: at })
    })
  }

  const zaps = await paidZaps(db, BATCH)
  const failures: unknown[] = []
  for (const zap of zaps) await queue(zap).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return zaps.length
}
