import { z } from 'zod'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { PredictionParams } from './fields.ts'
import { get } from './route.ts'

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

export const signedRecord = get('/api/v1/record/:id', 'public', {
  open: true,
  summary:
    'The signed record of a prediction and its verdicts as Nostr events, to be verified with any Nostr library; see docs/signed-record.md.',
  params: PredictionParams,
  reply: z.object({
    npub: z.string(),
    pubkey: hex(32),
    naddr: z.string(),
    in_force: z.array(NostrEventRow),
    /** Replaced events, newest first. */
    earlier: z.array(NostrEventRow),
  }),
})

export const RecordSummary = z.object({
  event_id: hex(32),
  npub: z.string(),
  naddr: z.string(),
  signed_at: z.string(),
  verdict_ids: z.object({ touch: hex(32).nullable(), close: hex(32).nullable() }),
})
export type RecordSummary = z.infer<typeof RecordSummary>

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

/**
 * How far the proof of a day is: no calendar is set up, none has taken it yet, at least one has, or one says that it is in a
 * block.
 */
const PROOF_STATES = ['unstamped', 'waiting', 'promised', 'attested'] as const

const ProofState = z.object({
  state: z.enum(PROOF_STATES),
  said: z.string(),
  block: z
    .object({
      height: z.int(),
      /** Null until its header was checked here; until then only the calendar vouches for the height. */
      hash: hash.nullable(),
      at: z.string().nullable(),
    })
    .nullable(),
})
export type ProofState = z.infer<typeof ProofState>

/** The days of the record as `/proofs.json` has them, newest first. */
export const ProofDays = z.object({
  days: z.array(ProofState.extend({ day, root: hash, events: z.int() })),
})

/** A day as `/proofs/<day>.json` has it. */
export const ProofDay = ProofState.extend({
  day,
  root: hash,
  made_at: z.string(),
  leaves: z.array(z.object({ event_id: hash, sha256: hash })),
})

export const recordProofs = get('/api/v1/record/:id/proofs', 'public', {
  open: true,
  summary:
    'The proofs in Bitcoin of all signed events of a prediction: each event’s path to the root of its day, and the state of that day; see docs/signed-record.md.',
  params: PredictionParams,
  reply: z.object({
    /** Oldest first. */
    events: z.array(
      z.object({
        event_id: hash,
        mode: z.enum(JUDGE_MODES).nullable(),
        signed_at: z.string(),
        /** Null until the day of its signature has ended. */
        proof: ProofState.extend({
          day,
          root: hash,
          sha256: hash,
          way: z.array(
            z.object({ step: z.enum(['append', 'prepend', 'sha256']), hex: z.string().nullable() }),
          ),
          has_file: z.boolean(),
        }).nullable(),
      }),
    ),
  }),
})
