import { type YearPlace } from '#contracts/year.ts'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { partsOf } from '#domain/day.ts'
import { type Snapshot } from './catalog.service.ts'

type YearsDue = ReadonlyMap<AssetKey, readonly number[]>

const found = new WeakMap<Snapshot, YearsDue>()

/** For each asset with predictions the years in which they were or are due, oldest first. */
export function yearsDue(snapshot: Snapshot): YearsDue {
  const had = found.get(snapshot)
  if (had) return had
  const due = new Map<AssetKey, readonly number[]>()
  for (const key of ASSET_KEYS) {
    const years = new Set(snapshot.assets[key].predictions.map(({ by }) => partsOf(by).year))
    if (years.size > 0)
      due.set(
        key,
        [...years].toSorted((a, b) => a - b),
      )
  }
  found.set(snapshot, due)
  return due
}

/** Where a year is among those that have predictions; null for one that has none. */
export function yearPlace(snapshot: Snapshot, asset: AssetKey, year: number): YearPlace | null {
  const due = yearsDue(snapshot)
  const years = due.get(asset) ?? []
  const at = years.indexOf(year)
  if (at < 0) return null
  return {
    before: years[at - 1] ?? null,
    after: years[at + 1] ?? null,
    assets: [...due].filter(([, those]) => those.includes(year)).map(([key]) => key),
  }
}
