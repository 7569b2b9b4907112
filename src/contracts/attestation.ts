import { z } from 'zod'
import { textIn } from './address.ts'
import { defineRoute } from './route.ts'

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${String(bytes * 2)}}$`))

/** A signed event in the shape that relays use (NIP-01). */
const NostrEventRow = z
  .object({
    id: hex(32),
    pubkey: hex(32),
    created_at: z.int(),
    kind: z.int(),
    tags: z.array(z.array(z.string())),
    content: z.string(),
    sig: hex(64),
  })
  .meta({ id: 'NostrEvent' })

export const signedRecord = defineRoute({
  method: 'GET',
  path: '/api/v1/record/:id',
  access: 'public',
  open: true,
  summary:
    'The signed record of a prediction and its verdicts as Nostr events, to be verified with any Nostr library; see docs/signed-record.md.',
  params: z.object({ id: textIn('There is no prediction at this address.') }),
  reply: z.object({
    npub: z.string(),
    pubkey: hex(32),
    /** The address of the prediction's event on relays. */
    naddr: z.string(),
    /** The prediction, its verdict by touch and its verdict by close, if signed. */
    in_force: z.array(NostrEventRow),
    /** Events that these have replaced, newest first. */
    earlier: z.array(NostrEventRow),
  }),
})

/** What the page of a prediction shows of its signed record. */
export const RecordSummary = z.object({
  event_id: hex(32),
  npub: z.string(),
  naddr: z.string(),
  signed_at: z.string(),
  verdict_ids: z.object({ touch: hex(32).nullable(), close: hex(32).nullable() }),
})
export type RecordSummary = z.infer<typeof RecordSummary>
