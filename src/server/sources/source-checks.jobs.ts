import { type Kit } from '#server/kit/kit.ts'
import { startRounds } from '#server/kit/rounds.ts'
import { type SourcePages } from './ports.ts'
import { checkNext, PACE_MS } from './source-checks.service.ts'

const LONGEST_ROUND_MS = 10 * 60_000

/** Asks the addresses of sources, one a round; several processes share them, and the rows say what is due. */
export function startSourceChecks(
  kit: Pick<Kit, 'db' | 'clock' | 'log'> & { readonly pages: SourcePages },
  { roundMs = PACE_MS }: { readonly roundMs?: number } = {},
): { stop: () => Promise<void> } {
  const ending = new AbortController()
  const rounds = startRounds({
    log: kit.log,
    texts: {
      waits: 'Addresses of sources are asked once the database is back.',
      failed: 'Addresses of sources cannot be asked',
    },
    roundMs,
    longestMs: LONGEST_ROUND_MS,
    round: async () => {
      await checkNext(kit, ending.signal)
    },
  })
  return {
    stop: () => {
      ending.abort()
      return rounds.stop()
    },
  }
}
