import { type AssetKey } from '#domain/asset.ts'
import { dueDay } from '#domain/claim/due-day.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { closeAt, deadlineError } from '#domain/scoring/deadline-error.ts'
import { type SaidCall } from '#domain/scoring/said-calls.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { type CatalogAsset, type Snapshot } from './catalog.service.ts'

const found = new WeakMap<CatalogAsset, readonly SaidCall[]>()

/** The calls of an asset as threads, oldest first, judged by intraday prices; made once for the same record. */
export function saidCalls(snapshot: Snapshot, asset: AssetKey): readonly SaidCall[] {
  const of = snapshot.assets[asset]
  const had = found.get(of)
  if (had) return had
  const calls = of.predictions
    .flatMap((prediction) => saidCall(prediction, of) ?? [])
    .toSorted((a, b) => a.made - b.made || a.id.localeCompare(b.id))
  found.set(of, calls)
  return calls
}

/** Null for a call made before the first price, and for one that a log axis cannot show. */
function saidCall(prediction: JudgedPrediction, { judged }: CatalogAsset): SaidCall | null {
  const { id, expert, made, claim, verdicts } = prediction
  const { outcome, direction, level } = verdicts.touch
  const from = closeAt(judged.series, made)
  const { min, max } = levelsOf(claim)
  const due = dueDay(prediction)
  const middle = (min + max) / 2
  if (from === null || !(middle > 0) || due <= made) return null
  const through = judged.series.bars.findLast((bar) => !bar.moving)?.day
  const isDecided =
    (outcome === 'hit' || outcome === 'miss') && through !== undefined && due <= through
  const close = isDecided ? closeAt(judged.series, due) : null
  const place = { direction, level, isMinimum: claim.type === 'by-date' }
  return {
    id,
    slug: expert.slug,
    name: expert.name,
    made,
    due,
    from,
    level: middle,
    outcome,
    isDecided,
    error: close === null ? null : deadlineError(place, close),
  }
}
