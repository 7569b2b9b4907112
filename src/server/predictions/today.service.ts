import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type LandingNow, type PageMetrics } from '#contracts/page.ts'
import { CORRECTION_NAMES } from '#contracts/public-logs.ts'
import {
  type NowCall,
  type Today,
  type TodayItem,
  type TodayKind,
  type TodayView,
  sinceOf,
} from '#contracts/today.ts'
import { ASSET_KEYS, byAsset, type AssetKey } from '#domain/asset.ts'
import { expertName, statementText } from '#domain/claim/prediction.ts'
import {
  type Day,
  addDays,
  day,
  dayFromNumber,
  dayOf,
  isoDay,
  showDay,
  plural,
} from '#domain/day.ts'
import { splitFactor } from '#domain/judging/bar.ts'
import { decidesAtEnd } from '#domain/judging/verdict.ts'
import { levelFigures } from '#domain/level-figures.ts'
import { oddsOf } from '#domain/scoring/call-odds.ts'
import { leftText, resultText } from '#domain/scoring/odds-text.ts'
import { type PriceHistories, motionAt, priceHistory } from '#domain/scoring/price-history.ts'
import { listCorrections } from '#server/corrections/corrections-log.service.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { recentEvents } from '#server/judging/verdicts.rows.ts'
import { BY_DAY, HIGHEST, LOWEST, type ListQuery, splitOf } from '#server/record/list-query.ts'
import { type Prices, barsOn } from '#server/record/prices.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { publishedReplies } from '#server/replies/replies.rows.ts'
import { type PublicSite } from './predictions.service.ts'

const MOST = 10
const AHEAD_DAYS = 30
/** Multiple of the limit to fetch, as some candidates are dropped later. */
const CANDIDATES = 4

type Reading = Pick<PublicSite, 'readDb' | 'record'>

/** Events since a day, newest first, limited per kind. */
export async function newsSince({ readDb: db, record }: Reading, since: Day | null, most: number) {
  const at = since === null ? '-infinity' : `${isoDay(since)}T00:00:00Z`
  const [calls, decisions, changes, replies] = await Promise.all([
    recentEvents(db, most, { since: at, kind: 'published' }),
    recentEvents(db, most, { since: at, kind: 'decided' }),
    listCorrections(
      db,
      record,
      { asset: null, kind: null, person: null, since: at },
      { skip: 0, most },
    ),
    publishedReplies(db, { since: at }, most),
  ])
  const corrected = new Map(changes.map((one) => [one.number, one]))
  const found = [
    ...calls.map((one) => ({ ...one, kind: 'call' as const, detail: null })),
    // A verdict that reverses another one is a correction.
    ...decisions
      .filter(({ event }) => !corrected.has(event))
      .map((one) => ({ ...one, kind: 'verdict' as const, detail: null })),
    ...changes.map(({ number, at: then, prediction: { id }, what, why }) => ({
      kind: 'correction' as const,
      event: number,
      id,
      at: then,
      detail: why === null ? what : `${what} Reason: ${why}`,
    })),
    ...replies.map(({ id: event, predictionId: id, text: detail, at: then }) => {
      return { kind: 'reply' as const, event, id, at: then, detail }
    }),
  ]
  const all = await record.byIds([...new Set(found.map(({ id }) => id))])
  const byId = new Map(all.map((one) => [one.id, one]))
  return found.flatMap(({ kind, event, id, at: then, detail, ...of }): TodayItem[] => {
    const now = byId.get(id)
    if (!now || (now.withdrawn && kind !== 'correction')) return []
    const touch = ('verdict' in of && of.verdict) || now.verdicts.touch
    const one = { ...now, verdicts: { ...now.verdicts, touch } }
    const change = typeof event === 'number' ? corrected.get(event) : undefined
    const note = change ? CORRECTION_NAMES[change.kind] : noteOf(kind, one, record.today())
    return [
      {
        ...itemOf(kind, one, note),
        at: new Date(then).toISOString(),
        number: String(event),
        detail,
      },
    ]
  })
}

/** Predictions made and decided up to a past day, by their recorded days. */
async function newsThen(record: PublicRecord, since: Day, asOf: Day, most: number) {
  const span = { first: since, last: asOf }
  const decided = sql`coalesce(touch_day, target_date) desc, predictions.id collate "C"`
  const [calls, verdicts] = await Promise.all([
    record.list({ asOf, made: span }, { order: BY_DAY, limit: most }),
    record.list(
      { asOf, outcomes: ['hit', 'miss'], decided: span },
      { order: decided, limit: most },
    ),
  ])
  const item = (kind: TodayKind, one: JudgedPrediction, at: Day) => {
    return { ...itemOf(kind, one, noteOf(kind, one, asOf)), at: isoDay(at) }
  }
  return [
    ...calls.map((one) => item('call', one, one.made)),
    ...verdicts.map((one) => item('verdict', one, one.verdicts.touch.day ?? one.by)),
  ]
}

async function deadlines(record: PublicRecord, asOf: Day | null, most: number) {
  const today = asOf ?? record.today()
  const found = await record.list(
    { asOf, outcomes: ['pending'], due: { first: today, last: addDays(today, AHEAD_DAYS) } },
    { order: sql`target_date, predictions.id collate "C"`, limit: most },
  )
  return found.map((one) => ({
    ...itemOf('deadline', one, leftNote(one, today)),
    at: isoDay(one.by),
  }))
}

/**
 * Recent and upcoming events for the page, file, feed and digest.
 * @param most limit per kind
 */
export async function todayOf(site: Reading, view: TodayView, most: number = MOST): Promise<Today> {
  const { record } = site
  const now = record.today()
  const past = view.day !== null && view.day < now ? view.day : null
  const since = sinceOf(view, past ?? now)
  const lists = await Promise.all([
    past === null ? newsSince(site, since, most + 1) : newsThen(record, since, past, most + 1),
    deadlines(record, past, most + 1),
    closestCalls(record, { asOf: past }, Math.min(most, MOST)),
  ])
  const byKind = Map.groupBy(lists.flat(), ({ kind }) => kind)
  return {
    since: isoDay(since),
    today: isoDay(now),
    past: past === null ? null : isoDay(past),
    items: [...byKind.values()].flatMap((items) => items.slice(0, most)),
    more: [...byKind].flatMap(([kind, items]) => (items.length > most ? [kind] : [])),
  }
}

/** Open calls that a price can decide before their deadline, by number of daily moves from their level. */
export async function closestCalls(
  record: Pick<PublicRecord, 'list' | 'prices' | 'today'>,
  query: ListQuery,
  most: number,
): Promise<TodayItem[]> {
  const { asOf = null } = query
  const today = asOf ?? record.today()
  const prices = await record.prices()
  const histories = historiesOf(prices, asOf)
  const found = await record.list(
    { ...query, outcomes: ['pending'], due: { first: today, last: dayFromNumber(2_900_000) } },
    { order: distanceOf(prices, histories, asOf), limit: most * CANDIDATES },
  )
  return found
    .flatMap((one) => {
      const { verdicts, asset } = one
      const history = histories[asset]
      if (!history || decidesAtEnd(verdicts.touch.direction)) return []
      const odds = oddsOf(histories, history, one, verdicts.touch, 'touch')
      const daily = dailyMove(histories, asset)
      if (!odds.left || daily === null) return []
      const moves = Math.abs(Math.log1p(odds.left.change)) / daily
      const withOdds = { ...one, odds: { touch: odds, close: odds } }
      const note = `${showMoves(moves)}: ${leftNote(withOdds, today)}`
      return [{ ...itemOf('closest', one, note), at: isoDay(odds.left.day), moves }]
    })
    .toSorted((a, b) => a.moves - b.moves)
    .slice(0, most)
}

function itemOf(kind: TodayKind, one: JudgedPrediction, note: string): TodayItem {
  const unknown = { at: '', number: null, detail: null, moves: null }
  return { kind, asset: one.asset, ...callOf(one, note), ...unknown }
}

function noteOf(kind: TodayKind, one: JudgedPrediction, today: Day): string {
  if (kind === 'call') return `made ${showDay(one.made, one.madePrecision)}`
  return kind === 'verdict' ? resultText(one, 'touch', today) : ''
}

/** `3 days left, +38% to go` */
function leftNote(one: JudgedPrediction, today: Day): string {
  const days = one.by - today
  const left = days === 0 ? 'ends today' : `${plural(days, 'day')} left`
  return [left, leftText(one, 'touch', today)].filter(Boolean).join(', ')
}

function showMoves(moves: number): string {
  const text = moves < 9.95 ? moves.toFixed(1) : String(Math.round(moves))
  return text === '1.0' ? '1 daily move' : `${text} daily moves`
}

function historiesOf(prices: Prices, asOf: Day | null): PriceHistories {
  if (asOf === null) return prices.histories
  return byAsset((asset) => priceHistory(asset, barsOn(prices, asset, asOf), asOf))
}

/** The standard deviation of the daily log return at the last close; null with too little history. */
function dailyMove(histories: PriceHistories, asset: AssetKey): number | null {
  const history = histories[asset]
  const motion = history && motionAt(histories, history, history.series.bars.length - 1)
  return motion && motion.sigma > 0 ? motion.sigma / Math.sqrt(history.daysAYear) : null
}

/** Distance of each decidable prediction's nearer level from the last close, both in today's units, in daily moves. */
function distanceOf(prices: Prices, histories: PriceHistories, asOf: Day | null): SQL {
  const split = splitOf(prices.actions)
  const ways = ASSET_KEYS.flatMap((asset) => {
    const close = histories[asset]?.series.bars.at(-1)?.close
    const daily = dailyMove(histories, asset)
    if (close === undefined || daily === null) return []
    const usd = asOf === null ? close : close / splitFactor(asset, asOf, prices.actions)
    const away = (level: SQL): SQL =>
      sql`abs(ln(greatest(${level} / (${split}), 1e-12::float8) / ${usd}::float8))`
    return [
      sql`when predictions.asset = ${asset} and predictions.timing <> 'at_end'
        then least(${away(LOWEST)}, ${away(HIGHEST)}) / ${daily}::float8`,
    ]
  })
  const distance = ways.length === 0 ? sql`null::float8` : sql`case ${sql.join(ways, sql` `)} end`
  return sql`${distance} nulls last, predictions.id collate "C"`
}

const MOST_NOW = 5

export async function landingNow(record: PublicRecord): Promise<LandingNow> {
  const today = record.today()
  const decidedLast = sql`touch_day desc nulls last, predictions.id collate "C"`
  const dueNext = sql`target_date, predictions.id collate "C"`
  const open: ListQuery = {
    outcomes: ['pending'],
    due: { first: today, last: dayOf(9999, 12, 31) },
  }
  const [prices, newest, decided, due] = await Promise.all([
    record.prices(),
    firstOfEach(record, {}, BY_DAY),
    record.list({ outcomes: ['hit', 'miss'] }, { order: decidedLast, limit: MOST_NOW }),
    firstOfEach(record, open, dueNext),
  ])
  return {
    closes: ASSET_KEYS.flatMap((asset) => {
      const bar = prices[asset].closed.at(-1)
      return bar ? [{ asset, day: isoDay(bar.day), usd: bar.close }] : []
    }),
    newest: newest.map((one) => callOf(one, showDay(one.made, one.madePrecision))),
    decided: decided.map((one) => callOf(one, showDay(one.verdicts.touch.day ?? one.by))),
    due: due.map((one) => callOf(one, leftNote(one, today))),
  }
}

function callOf(one: JudgedPrediction, note: string): NowCall {
  return {
    id: one.id,
    slug: one.expert.slug,
    name: expertName(one),
    text: statementText(one),
    outcome: one.verdicts.touch.outcome,
    note,
  }
}

/** The first call of each person, so that nobody fills a list alone. */
async function firstOfEach(record: PublicRecord, query: ListQuery, order: SQL) {
  const rows = await record.query(
    z.object({ id: z.string() }),
    query,
    (condition) => sql`
      select id from (
        select predictions.*, row_number() over (partition by influencer_id order by ${order}) as place
        from predictions where ${condition}
      ) predictions
      where place = 1 order by ${order} limit ${MOST_NOW}`,
  )
  return record.byIds(rows.map(({ id }) => id))
}

const Open = z.object({ usd: z.number(), by: z.iso.date().transform(day) })

export async function pageMetrics(record: PublicRecord): Promise<PageMetrics> {
  const [total, open] = await Promise.all([
    record.count({}),
    record.select(
      Open,
      sql`(${LOWEST} + ${HIGHEST}) / 2 as usd, target_date::text as by`,
      { asset: 'btc', outcomes: ['pending'] },
      sql`order by ${BY_DAY}`,
    ),
  ])
  const { average, spread, median, lowest, highest } = levelFigures(open, record.today())
  return {
    totalPredictions: total,
    averagePrediction: average,
    predictionSpread: spread,
    medianPrediction: median,
    lowestPrediction: lowest,
    highestPrediction: highest,
  }
}
