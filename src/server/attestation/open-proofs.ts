import { type Kit } from '#server/kit/kit.ts'
import { startRounds } from '#server/kit/rounds.ts'
import { type ProofPorts } from './ports.ts'
import { proofsService } from './proofs.service.ts'
import { closeDay, queueStamps, stampNext } from './stamping.service.ts'

export type ProofPace = { readonly roundMs?: number }

const ROUND_MS = 60_000
const LONGEST_ROUND_MS = 10 * 60_000

/** The proofs of the record: what everyone may read of them, and the work on them, which waits for `start`. */
export function openProofs(
  kit: Kit,
  { proofs }: { readonly proofs: ProofPorts },
  { roundMs = ROUND_MS }: ProofPace = {},
) {
  const work = { ...kit, ...proofs }
  const ending = new AbortController()
  let rounds: ReturnType<typeof startRounds> | null = null
  return {
    service: proofsService({ ...work, db: kit.readDb }),
    start: (): void => {
      rounds ??= startRounds({
        log: kit.log,
        texts: {
          waits: 'The signed record is stamped once the database is back.',
          failed: 'The signed record cannot be stamped',
        },
        roundMs,
        longestMs: LONGEST_ROUND_MS,
        round: async (isStopped) => {
          await closeDay(work)
          await queueStamps(work)
          while (!isStopped() && (await stampNext(work, ending.signal)));
        },
      })
    },
    stop: async (): Promise<void> => {
      ending.abort()
      await rounds?.stop()
    },
  }
}
