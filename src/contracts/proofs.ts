import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { z } from 'zod'
import { textIn } from './address.ts'
import { defineRoute } from './route.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

/**
 * How far the proof of a day is: no calendar is set up, none has taken it yet, at least one has, or one says that it is in a
 * block.
 */
const PROOF_STATES = ['unstamped', 'waiting', 'promised', 'attested'] as const

const ProofState = z.object({
  state: z.enum(PROOF_STATES),
  /** The same, in a sentence. */
  said: z.string(),
  block: z
    .object({
      height: z.int(),
      /** Null until its header was compared here; before that the height is the word of the calendar. */
      hash: hash.nullable(),
      /** When its miner says that it was made. */
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
  /** In the order of the tree, which is that of their ids. */
  leaves: z.array(z.object({ event_id: hash, sha256: hash })),
})

export const recordProofs = defineRoute({
  method: 'GET',
  path: '/api/v1/record/:id/proofs',
  access: 'public',
  open: true,
  summary:
    'The proofs in Bitcoin of all signed events of a prediction: the root of the day that each is in, its way there, and how far it is; see docs/signed-record.md.',
  params: z.object({ id: textIn('There is no prediction at this address.') }),
  reply: z.object({
    /** Oldest first. */
    events: z.array(
      z.object({
        event_id: hash,
        /** Null for the prediction itself. */
        mode: z.enum(JUDGE_MODES).nullable(),
        signed_at: z.string(),
        /** Null until the day of its signature has ended. */
        proof: ProofState.extend({
          day,
          root: hash,
          /** Of the complete event; what the way begins with. */
          sha256: hash,
          way: z.array(
            z.object({ step: z.enum(['append', 'prepend', 'sha256']), hex: z.string().nullable() }),
          ),
          /** Whether there is a file yet that others can check. */
          has_file: z.boolean(),
        }).nullable(),
      }),
    ),
  }),
})
