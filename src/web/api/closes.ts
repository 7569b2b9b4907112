import { type PackedPrices } from '#contracts/fields.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { unpackPrices, type Prices } from './prices.ts'
import { fetchFresh, noteAnswer } from './reach.ts'

/** Which closes: those of a version never change, those of a past day are of what was known then. */
export type WhichCloses = { readonly version: string } | { readonly past: Day }

export function closesPath(asset: AssetKey, which: WhichCloses | null): string {
  const path = `/api/v1/assets/${asset}/closes`
  if (which === null) return path
  return 'past' in which ? `${path}?day=${isoDay(which.past)}` : `${path}?version=${which.version}`
}

export async function fetchCloses(
  asset: AssetKey,
  which: WhichCloses | null,
  signal: AbortSignal,
): Promise<Prices> {
  // What is preloaded, or kept under its version, is taken without asking.
  const response = await fetchFresh(closesPath(asset, which), {
    signal,
    ...(which !== null && { cache: 'default' }),
  }).catch((cause: unknown) => {
    throw signal.aborted ? cause : new Error('The server cannot be reached.')
  })
  // A schema would weigh more than all else here.
  const packed = (await response.json().catch(() => null)) as Partial<PackedPrices> | null
  if (!response.ok || !Array.isArray(packed?.closes) || !Array.isArray(packed.steps)) {
    throw new Error('The server had a problem.')
  }
  noteAnswer(response.headers)
  return unpackPrices(packed as PackedPrices)
}
