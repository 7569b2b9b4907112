import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { addDays, dayFromNumber, isoDay, showDay, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { RULE_VERSION, type JudgeMode } from '#domain/judging/verdict.ts'
import { type ScoredPrediction } from '#domain/scoring/scored-call.ts'
import { HISTORIES, type ScoreRequest } from '#domain/scoring/scores.ts'
import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'

/** A change of the method, or of what the answer holds, gets a new number: kept scores are then computed again. */
const METHOD = 4

/** What a digest begins with. */
const METHOD_MARK = `${String(METHOD)}-`

/** Predictions and bars on record, as the catalog has them. */
type OnRecord = {
  readonly assets: Readonly<
    Record<
      AssetKey,
      {
        readonly predictions: readonly ScoredPrediction[]
        readonly judged: { readonly series: { readonly bars: readonly AgreedBar[] } }
      }
    >
  >
}

/** Whose scores: as of a day, by a mode. */
export type Asked = { readonly asOf: Day; readonly mode: JudgeMode }

/** The text of a request: what comes before the predictions, so many of them at a time, and what follows. */
export type RequestParts = Iterable<string> | AsyncIterable<string>

/** All that scores are computed from. */
export type RequestText = Asked & {
  readonly rule: number
  readonly seed: string
  readonly histories: number
  /** Writes it, from the record as it was. */
  readonly parts: () => AsyncIterable<string>
  /** Of the whole text: the same digest gives the same scores. */
  readonly digest: string
}

/** What a request's text says. */
type ReadRequest = {
  readonly request: ScoreRequest
  /** The last day up to the as-of day that is over: of later ones nobody can know a complete price. */
  readonly lastOver: Day
}

/** Day, high, low, close, lone high and lone low: what decides, of each bar. */
type PackedBar = readonly [Day, ...(readonly (number | null)[])]

/** In this order in the text. */
type Head = {
  readonly asOf: Day
  readonly lastOver: Day
  readonly mode: JudgeMode
  readonly rule: typeof RULE_VERSION
  readonly seed: string
  readonly histories: number
}

type Written = Head & {
  readonly predictions: readonly ScoredPrediction[]
  readonly bars: Readonly<Record<AssetKey, readonly PackedBar[]>>
}

/** Why there are no scores of a day that somebody asks for, in a sentence; null when there are. */
export function asOfFault({ assets }: OnRecord, asOf: Day, today: Day): string | null {
  if (asOf > today) {
    return `${showDay(asOf)} is in the future. Scores are known up to ${showDay(today)}.`
  }
  const first = ASSET_KEYS.reduce(
    (earliest, key) =>
      assets[key].predictions.reduce((day, { made }) => Math.min(day, made), earliest),
    Infinity,
  )
  // Today can be asked for also while there is no prediction at all.
  if (asOf >= first || asOf === today) return null
  return Number.isFinite(first)
    ? `The first prediction was made on ${showDay(dayFromNumber(first))}: there are no scores of earlier days.`
    : 'There is no prediction yet, and so there are no scores.'
}

/** Whether scores were computed by this version: those of another may be of another shape. */
export function isOfThisMethod(digest: string): boolean {
  return digest.startsWith(METHOD_MARK)
}

/** So many are written at a time, and others are answered in between. */
const AT_ONCE = 2_000

/** What the scores of a day are computed from: claims made and bars ended by then. */
export async function writeRequest(
  { assets }: OnRecord,
  { asOf, mode }: Asked,
  today: Day,
): Promise<RequestText> {
  const head: Head = {
    asOf,
    lastOver: asOf < today ? asOf : addDays(today, -1),
    mode,
    rule: RULE_VERSION,
    seed: isoDay(asOf),
    histories: HISTORIES,
  }
  const parts = (): AsyncIterable<string> => writeParts(assets, head)
  const hash = createHash('sha256')
  for await (const part of parts()) hash.update(part)
  const digest = `${METHOD_MARK}${hash.digest('base64url').slice(0, 22)}`
  const { rule, seed, histories } = head
  return { asOf, mode, rule, seed, histories, parts, digest }
}

async function* writeParts(assets: OnRecord['assets'], head: Head): AsyncIterable<string> {
  const { asOf } = head
  const predictions = ASSET_KEYS.flatMap((key) =>
    assets[key].predictions.filter(({ made }) => made <= asOf),
  ).sort((a, b) => (a.id < b.id ? -1 : 1))
  const barsOf = (key: AssetKey): PackedBar[] => packBars(assets[key].judged.series.bars, asOf)
  const bars: Written['bars'] = { btc: barsOf('btc'), mstr: barsOf('mstr'), naka: barsOf('naka') }
  yield `${JSON.stringify(head).slice(0, -1)},"predictions":[`
  for (let from = 0; from < predictions.length; from += AT_ONCE) {
    if (from > 0) await breathe()
    const rows = predictions.slice(from, from + AT_ONCE).map(scoredOf)
    yield (from > 0 ? ',' : '') + JSON.stringify(rows).slice(1, -1)
  }
  yield `],"bars":${JSON.stringify(bars)}}`
}

/** Reads the parts of a request one by one. Predictions of an expert share what they say of that expert. */
export async function readRequest(parts: RequestParts): Promise<ReadRequest> {
  const predictions: ScoredPrediction[] = []
  const experts = new Map<string, ScoredPrediction['expert']>()
  let [head, tail] = ['', '']
  // Our own text, from the same process.
  for await (const part of parts) {
    if (head === '') head = part
    else if (part.startsWith(']')) tail = part
    else {
      const rows = JSON.parse(`[${part.replace(/^,/, '')}]`) as ScoredPrediction[]
      for (const row of rows) {
        const { expert } = row
        const last = experts.get(expert.slug)
        const shared = last?.name === expert.name ? last : expert
        experts.set(expert.slug, shared)
        predictions.push(Object.assign(row, { expert: shared }))
      }
    }
  }
  const { lastOver, bars, ...request } = JSON.parse(head + tail) as Written
  const unpacked = ASSET_KEYS.map((key) => [key, bars[key].map(unpackBar)])
  const given = handedOver(predictions)
  return {
    lastOver,
    request: { ...request, predictions: given, bars: Object.fromEntries(unpacked) },
  }
}

/** Gives them out and keeps none: a record of 100,000 takes forty megabytes. */
function handedOver(predictions: readonly ScoredPrediction[]): Iterable<ScoredPrediction> {
  let held: readonly ScoredPrediction[] | null = predictions
  return {
    [Symbol.iterator]() {
      if (!held) throw new Error('the predictions of a request can be read once')
      const given = held
      held = null
      return given.values()
    },
  }
}

function scoredOf(prediction: ScoredPrediction): ScoredPrediction {
  const { id, asset, claim, made, from, by, expert, createdAt, verdicts } = prediction
  const isRuled = verdicts && Object.values(verdicts).some(({ reason }) => reason === 'overridden')
  return {
    id,
    asset,
    claim,
    made,
    from,
    by,
    expert: { name: expert.name, slug: expert.slug },
    createdAt,
    ...(isRuled ? { verdicts } : {}),
  }
}

function packBars(bars: readonly AgreedBar[], asOf: Day): PackedBar[] {
  const firstMoving = bars.find((bar) => bar.moving)?.day ?? Infinity
  return bars
    .filter(({ day }) => day <= asOf && day < firstMoving)
    .map(({ day, high, low, close, loneHigh, loneLow }) => [
      day,
      high,
      low,
      close,
      loneHigh,
      loneLow,
    ])
}

function unpackBar([day, high, low, close, loneHigh, loneLow]: PackedBar): AgreedBar {
  return {
    day,
    open: null,
    high: high ?? null,
    low: low ?? null,
    close: close ?? 0,
    source: '',
    loneHigh: loneHigh ?? null,
    loneLow: loneLow ?? null,
  }
}
