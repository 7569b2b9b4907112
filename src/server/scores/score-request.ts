import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { addDays, isoDay, showDay, type Day } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { RULE_VERSION, type JudgeMode } from '#domain/judging/verdict.ts'
import { type ScoredPrediction } from '#domain/scoring/scored-call.ts'
import { HISTORIES, type ScoreRequest } from '#domain/scoring/scores.ts'
import { createHash } from 'node:crypto'

/** A change of the method, or of what the answer holds, gets a new number: kept scores are then computed again. */
const METHOD = 7

/** What a digest begins with. */
const METHOD_MARK = `${String(METHOD)}-`

/** What is on record, for scores of a day. */
export type ScoreInputs = {
  /** Those made by that day, in parts, in the order of ids. */
  readonly predictions:
    | Iterable<readonly ScoredPrediction[]>
    | AsyncIterable<readonly ScoredPrediction[]>
  readonly bars: Readonly<Record<AssetKey, readonly AgreedBar[]>>
}

/** Whose scores: as of a day, by a mode. */
export type Asked = { readonly asOf: Day; readonly mode: JudgeMode }

/** All that scores are computed from. */
export type RequestText = Asked & {
  readonly rule: number
  readonly seed: string
  readonly histories: number
  readonly text: string
  /** Of the text: the same digest gives the same scores. */
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

/**
 * Why there are no scores of a day that somebody asks for, in a sentence; null when there are.
 *
 * @param first the day of the first prediction on record; null without any
 */
export function asOfFault(first: Day | null, asOf: Day, today: Day): string | null {
  if (asOf > today) {
    return `${showDay(asOf)} is in the future. Scores are known up to ${showDay(today)}.`
  }
  // Today can be asked for also while there is no prediction at all.
  if (asOf === today || (first !== null && asOf >= first)) return null
  return first === null
    ? 'There is no prediction yet, and so there are no scores.'
    : `The first prediction was made on ${showDay(first)}: there are no scores of earlier days.`
}

/** Whether scores were computed by this version: those of another may be of another shape. */
export function isOfThisMethod(digest: string): boolean {
  return digest.startsWith(METHOD_MARK)
}

/** What the scores of a day are computed from: claims made and bars ended by then. */
export async function writeRequest(
  { predictions, bars }: ScoreInputs,
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
  const barsOf = (key: AssetKey): PackedBar[] => packBars(bars[key], asOf)
  const packed: Written['bars'] = { btc: barsOf('btc'), mstr: barsOf('mstr'), naka: barsOf('naka') }
  const texts = [`${JSON.stringify(head).slice(0, -1)},"predictions":[`]
  let comma = ''
  for await (const part of predictions) {
    const rows = part.filter(({ made }) => made <= asOf).map(scoredOf)
    if (rows.length === 0) continue
    texts.push(comma + JSON.stringify(rows).slice(1, -1))
    comma = ','
  }
  const text = [...texts, `],"bars":${JSON.stringify(packed)}}`].join('')
  const digest = METHOD_MARK + createHash('sha256').update(text).digest('base64url').slice(0, 22)
  const { rule, seed, histories } = head
  return { asOf, mode, rule, seed, histories, text, digest }
}

/** Reads the text of a request, which is our own. Predictions of an expert share what they say of that expert. */
export function readRequest(text: string): ReadRequest {
  const { lastOver, bars, predictions, ...request } = JSON.parse(text) as Written
  const experts = new Map<string, ScoredPrediction['expert']>()
  for (const row of predictions) {
    const { slug } = row.expert
    const expert = experts.get(slug) ?? row.expert
    experts.set(slug, expert)
    Object.assign(row, { expert })
  }
  const unpacked = ASSET_KEYS.map((key) => [key, bars[key].map(unpackBar)])
  return {
    lastOver,
    request: { ...request, predictions, bars: Object.fromEntries(unpacked) },
  }
}

function scoredOf(prediction: ScoredPrediction): ScoredPrediction {
  const {
    id,
    asset,
    claim,
    made,
    madePrecision = 'day',
    from,
    by,
    expert,
    createdAt,
    verdicts,
  } = prediction
  const isRuled = verdicts && Object.values(verdicts).some(({ reason }) => reason === 'overridden')
  return {
    id,
    asset,
    claim,
    made,
    ...(madePrecision !== 'day' && { madePrecision }),
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
