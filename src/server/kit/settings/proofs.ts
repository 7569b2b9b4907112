import { z } from 'zod'
import { list, serviceUrl } from './nostr.ts'

/** How the signed record is proved in Bitcoin. */
export type ProofSettings = {
  /** Calendars of OpenTimestamps, without a slash at the end; empty leaves the record unstamped. */
  readonly calendars: readonly string[]
  /** An explorer in the manner of Esplora, which has the headers of blocks; null where nobody is asked. */
  readonly headersUrl: string | null
}

const MOST_CALENDARS = 10

export const ProofEnvironment = z.object({
  OTS_CALENDARS: list(serviceUrl, MOST_CALENDARS).optional(),
  BLOCK_HEADERS_URL: list(serviceUrl, 1).optional(),
})

export const PROOF_HELP: Readonly<Record<string, string>> = {
  OTS_CALENDARS: `must list 1 to ${String(MOST_CALENDARS)} https addresses of OpenTimestamps calendars, such as https://alice.btc.calendar.opentimestamps.org, separated by commas; http:// is taken for this machine only`,
  BLOCK_HEADERS_URL:
    'must be the https address of an explorer in the manner of Esplora, such as https://blockstream.info/api; http:// is taken for this machine only',
}

export function proofSettings(env: z.infer<typeof ProofEnvironment>): ProofSettings {
  return { calendars: env.OTS_CALENDARS ?? [], headersUrl: env.BLOCK_HEADERS_URL?.[0] ?? null }
}
