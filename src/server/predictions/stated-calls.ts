import { type AssetKey, ASSET_KEYS } from '#domain/asset.ts'
import { levelsOf } from '#domain/claim/claim.ts'
import { dueDay } from '#domain/claim/prediction.ts'
import { type Span } from '#domain/claim/search.ts'
import { type StatedCall } from '#domain/scoring/stated-calls.ts'
import { closeAt, deadlineError } from '#domain/scoring/year-card.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { BY_DAY } from '#server/record/list-query.ts'
import { type AssetPrices } from '#server/record/prices.ts'
import { type PublicRecord } from '#server/record/record.service.ts'

/** Calls on an asset as threads, oldest first, judged by intraday prices. @param some filter by span, person or newest */
export async function statedCalls(
  record: PublicRecord,
  asset: AssetKey,
  {
    made,
    person,
    most,
    repeats = [],
  }: {
    readonly made?: Span
    /** Slug of the person. */
    readonly person?: string
    readonly most?: number
    readonly repeats?: readonly string[] | undefined
  } = {},
): Promise<readonly StatedCall[]> {
  const again = new Set(repeats)
  const prices = await record.prices()
  const query = { asset, ...(made && { made }), ...(person !== undefined && { experts: [person] }) }
  const calls = await record.list(query, { order: BY_DAY, ...(most && { limit: most }) })
  return calls
    .flatMap((prediction) => statedCall(prediction, prices[asset], again) ?? [])
    .toSorted((a, b) => a.made - b.made || a.id.localeCompare(b.id))
}

/** Null for a call before the first price, or one that a log axis cannot show. */
function statedCall(
  prediction: JudgedPrediction,
  { series, closed }: AssetPrices,
  repeats: ReadonlySet<string>,
): StatedCall | null {
  const { id, expert, made, claim, verdicts } = prediction
  const { outcome, direction, level } = verdicts.touch
  const from = closeAt(series, made)
  const { min, max } = levelsOf(claim)
  const due = dueDay(prediction)
  const middle = (min + max) / 2
  if (from === null || !(middle > 0) || due <= made) return null
  const through = closed.at(-1)?.day
  const isDecided =
    (outcome === 'hit' || outcome === 'miss') && through !== undefined && due <= through
  const close = isDecided ? closeAt(series, due) : null
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
    isRepeat: repeats.has(id),
    error: close === null ? null : deadlineError(place, close),
  }
}

/** Years with due calls by asset, oldest first. */
export async function yearsDue(record: PublicRecord) {
  const rows = ASSET_KEYS.map(async (asset) => {
    const { due } = await record.figures({ asset })
    return [asset, due.toReversed()] as const
  })
  return new Map((await Promise.all(rows)).filter(([, years]) => years.length > 0))
}

/** Neighbours of a year among those with predictions; null without predictions. */
export async function yearPlace(record: PublicRecord, asset: AssetKey, year: number) {
  const due = await yearsDue(record)
  const years = due.get(asset) ?? []
  const at = years.indexOf(year)
  if (at < 0) return null
  return {
    before: years[at - 1] ?? null,
    after: years[at + 1] ?? null,
    assets: [...due].filter(([, those]) => those.includes(year)).map(([key]) => key),
  }
}
