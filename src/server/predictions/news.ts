import { type PredictionMessage, type VerdictMessage } from '#contracts/live.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { type Catalog, type Snapshot } from './catalog.service.ts'
import { type LivePrices } from '#server/prices/live-prices.ts'
import { type Shown } from '#server/judging/shown.service.ts'

/** Every page that hears of one reads its list again: of an import it need not hear each. */
const MOST_SENT = 100

/** Sends open pages what has changed whenever the record has been read again. @returns ends it */
export function sendNews(
  catalog: Pick<Catalog, 'snapshot' | 'onRefresh'>,
  live: Pick<LivePrices, 'recorded'>,
): () => void {
  return catalog.onRefresh((before) => {
    const after = catalog.snapshot()
    if (!after || before?.version === after.version) return
    live.recorded({
      since: before?.version ?? null,
      version: after.version,
      verdicts: verdictNews(before, after),
      predictions: predictionNews(before, after),
    })
  })
}

/** The verdicts that were put on record between two states of it, of predictions that were shown before. */
export function verdictNews(before: Snapshot | null, after: Snapshot | null): VerdictMessage[] {
  if (!before || !after || before === after) return []
  const old = shownIn(before)
  return [...shownIn(after).values()].flatMap((one) => {
    const known = old.get(one.id)
    if (!known || known === one) return []
    const { id, asset, verdicts } = one.prediction
    return JUDGE_MODES.flatMap((mode) =>
      one[mode] === null || one[mode] === known[mode]
        ? []
        : [{ id, asset, mode, outcome: verdicts[mode].outcome }],
    )
  })
}

/** The predictions that came, went, or of which something else than a verdict changed between two states of the record. */
export function predictionNews(
  before: Snapshot | null,
  after: Snapshot | null,
): PredictionMessage[] {
  if (!before || !after || before === after) return []
  const [old, now] = [shownIn(before), shownIn(after)]
  const gone = [...old.values()].filter(({ id }) => !now.has(id))
  const changed = [...now.values()].filter(({ id, mark }) => mark !== old.get(id)?.mark)
  return [...changed, ...gone]
    .slice(0, MOST_SENT)
    .map(({ prediction: { id, asset, expert } }) => ({ id, asset, expert: expert.slug }))
}

function shownIn({ assets }: Snapshot): ReadonlyMap<string, Shown> {
  return new Map(Object.values(assets).flatMap(({ judged }) => [...judged.shown]))
}
