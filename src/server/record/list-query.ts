import { and, sql, type SQL } from 'drizzle-orm'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { levelsOf, type ClaimType } from '#domain/claim/claim.ts'
import { type StatementKey } from '#domain/claim/duplicate.ts'
import { PREDICTION_TYPES, claimType, predictionType } from '#domain/claim/fields.ts'
import { type Span, type Search } from '#domain/claim/search.ts'
import { typeLabel } from '#domain/claim/text.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { type CorporateAction, type AgreedBar } from '#domain/judging/bar.ts'
import { OUTCOMES, type JudgeMode, type Outcome, outcomeWord } from '#domain/judging/verdict.ts'
import { type HistoryColumn } from '#domain/listing/history-view.ts'
import { foldHandle, foldName } from '#domain/people/name.ts'
import { type Prices } from './prices.ts'

/** Within a day the order is by id, or by time of recording, latest first. */
export type Place = {
  readonly made: Day
  readonly id: string
  readonly createdAt: string
  readonly isByRecording?: boolean
}

/** A filter of predictions; omitted fields do not restrict. Never includes withdrawn ones. */
export type ListQuery = {
  readonly asset?: AssetKey
  /** Used by `outcomes`, `decided` and sorting; intraday by default. */
  readonly mode?: JudgeMode
  /** The record at the end of a past day; null for now. */
  readonly asOf?: Day | null
  readonly outcomes?: readonly Outcome[]
  readonly kind?: ClaimType
  readonly experts?: readonly string[]
  readonly expertIds?: readonly number[]
  readonly words?: Search
  readonly made?: Span
  readonly due?: Span
  readonly notDue?: Span
  /** Predictions whose outcome dates from this span. */
  readonly decided?: Span
  readonly ids?: readonly string[]
  readonly not?: readonly string[]
  /** Predictions after a cursor, newest first; see `list-page.ts`. */
  readonly after?: Place
  /** Possible duplicates of these: same person and type, and similar levels. */
  readonly alike?: readonly StatementKey[]
  /** Predictions with this text in a source's address. */
  readonly source?: string
  readonly isDrawn?: boolean
  /** Predictions with a target; tops and bottoms are limits. */
  readonly isAimed?: boolean
}

/** The outcome of each prediction by a mode; for a past day, only if it was decided by then. */
export function outcomeOf(mode: JudgeMode, asOf: Day | null): SQL {
  const outcome = sql.raw(`predictions.${mode}_outcome`)
  if (asOf === null) return outcome
  return sql`(case when ${decidedOn(mode)} <= ${isoDay(asOf)}::date then ${outcome} else 'pending' end)`
}

/** Whether `outcomeOf` is one of these, in a form that lets PostgreSQL estimate the number of rows. */
function hasOutcome(mode: JudgeMode, asOf: Day | null, outcomes: readonly Outcome[]): SQL {
  const isAmong = sql`${outcomeOf(mode, null)} = any(${sql.param([...outcomes])}::text[])`
  if (asOf === null) return isAmong
  const day = sql`${isoDay(asOf)}::date`
  return outcomes.includes('pending')
    ? sql`(${decidedOn(mode)} > ${day} or ${isAmong})`
    : sql`(${decidedOn(mode)} <= ${day} and ${isAmong})`
}

/** The day that decided each prediction, or the last that can. */
function decidedOn(mode: JudgeMode): SQL {
  return sql.raw(`coalesce(predictions.${mode}_day, predictions.target_date)`)
}

/** Number of today's units per unit on the day of each prediction. */
export function splitOf(actions: readonly CorporateAction[]): SQL {
  return actions.reduce(
    (factor, { asset, day, ratio }) =>
      sql`${factor} * (case when predictions.asset = ${asset} and predictions.made < ${isoDay(day)}::date then ${ratio}::float8 else 1 end)`,
    sql`1::float8`,
  )
}

/** The lowest and the highest level as stated, USD. */
export const LOWEST = sql.raw(
  'coalesce(predictions.price_target, predictions.price_min, predictions.price_max)',
)
export const HIGHEST = sql.raw(
  'coalesce(predictions.price_target, predictions.price_max, predictions.price_min)',
)

export type Named = ReadonlyMap<string, readonly number[]>

/** The SQL condition on `predictions`. @param named people by search word */
export function conditionOf(
  query: ListQuery,
  actions: readonly CorporateAction[],
  named: Named = new Map(),
): SQL {
  const { mode = 'touch', asOf = null, words, made, due, notDue, decided } = query
  const isAny = (column: string, values: readonly (string | number)[], type: string): SQL =>
    sql`${sql.raw(column)} = any(${sql.param([...values])}::${sql.raw(type)}[])`
  const all = and(
    sql`predictions.withdrawn_at is null`,
    query.asset && sql`predictions.asset = ${query.asset}`,
    asOf === null ? undefined : sql`predictions.made <= ${isoDay(asOf)}::date`,
    query.outcomes && hasOutcome(mode, asOf, query.outcomes),
    query.kind && sql`predictions.type = ${predictionType(query.kind)}`,
    query.experts &&
      sql`predictions.influencer_id in (
        select coalesce(merged_into, id) from influencers where ${isAny('slug', query.experts, 'text')}
        union select coalesce(merged_into, id) from influencers join influencer_slugs former on influencer_id = id
        where ${isAny('former.slug', query.experts, 'text')}
          and not exists (select from influencers current where current.slug = former.slug))`,
    query.expertIds && isAny('predictions.influencer_id', query.expertIds, 'bigint'),
    query.ids && isAny('predictions.id', query.ids, 'text'),
    query.not && sql`not (${isAny('predictions.id', query.not, 'text')})`,
    query.after && isAfter(query.after),
    query.alike && isAlike(query.alike, actions),
    query.source === undefined
      ? undefined
      : sql`predictions.id in (select prediction_id from sources where strpos(url, ${query.source}) > 0)`,
    query.isDrawn ? sql`not predictions.exclude_from_chart` : undefined,
    query.isAimed ? sql`predictions.type not in ('top', 'bottom')` : undefined,
    made && isWithin('made', made),
    due && isWithin('target_date', due),
    notDue && sql`not (${isWithin('target_date', notDue)})`,
    decided && isBetween(decidedOn(mode), decided),
    words && fitting(words, { asOf, actions, named }),
  )
  return all ?? sql`true`
}

function isAfter({ made, id, createdAt, isByRecording = false }: Place): SQL {
  const day = sql`${isoDay(made)}::date`
  const isLater = sql`predictions.id collate "C" > ${id}`
  // The row has the time in microseconds, unless an approval was undone.
  const at = sql`coalesce((select created_at from predictions where id = ${id}), ${createdAt}::timestamptz)`
  const isNext = isByRecording
    ? sql`(predictions.created_at < ${at} or predictions.created_at = ${at} and ${isLater})`
    : isLater
  return sql`(predictions.made <= ${day} and (predictions.made < ${day} or ${isNext}))`
}

/** Slightly wider than `isDuplicate`, which decides. */
function isAlike(keys: readonly StatementKey[], actions: readonly CorporateAction[]): SQL {
  const rows = keys.map(({ expertName, handle, asset, claim }) => ({
    name: foldName(expertName),
    handle: handle === null ? null : foldHandle(handle),
    asset,
    type: predictionType(claim.type),
    ...levelsOf(claim),
  }))
  const split = splitOf(actions)
  return sql`predictions.id in (
    select predictions.id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as said(name text, handle text, asset text, type text, min float8, max float8)
    join influencer_names named on named.kind = 'name' and named.folded = said.name
      or named.kind = 'handle' and named.folded = said.handle
    join predictions on predictions.influencer_id = named.influencer_id
      and predictions.asset = said.asset and predictions.type = said.type
    where ${LOWEST} / (${split}) between said.min * 0.979 and said.min * 1.021
      and ${HIGHEST} / (${split}) between said.max * 0.979 and said.max * 1.021)`
}

function isWithin(column: 'made' | 'target_date', span: Span): SQL {
  return isBetween(sql.raw(`predictions.${column}`), span)
}

function isBetween(day: SQL, { first, last }: Span): SQL {
  return sql`${day} between ${isoDay(first)}::date and ${isoDay(last)}::date`
}

/** Matches search words by prefix with statement, person, asset or outcome, and every number and date. */
function fitting(
  { words, levels, digits, spans, timings }: Search,
  { asOf, actions, named }: { asOf: Day | null; actions: readonly CorporateAction[]; named: Named },
): SQL | undefined {
  const split = splitOf(actions)
  return and(
    ...spans.map((span) => sql`(${isWithin('made', span)} or ${isWithin('target_date', span)})`),
    ...levels.map((usd) => sql`(${isAround(usd, sql`1`)} or ${isAround(usd, split)})`),
    ...timings.map((timing) => sql`predictions.timing = ${timing}`),
    ...digits.map((start) => sql`(${startsWith(start, sql`1`)} or ${startsWith(start, split)})`),
    ...words.map((word) => hasWord(word, asOf, named.get(word) ?? [])),
  )
}

/** Whether a level is within those of a claim in today's units, with twelve digits of precision. */
function isAround(usd: number, split: SQL): SQL {
  return sql`(${LOWEST} / (${split}) <= ${usd * (1 + 1e-12)}::float8 and ${HIGHEST} / (${split}) >= ${usd * (1 - 1e-12)}::float8)`
}

/** Whether a prediction names exactly this level in USD, unadjusted or in today's units. */
export function isExactly(usd: number, actions: readonly CorporateAction[]): SQL {
  const isLevel = (level: SQL): SQL =>
    sql`${level} = ${usd}::float8 or abs(${level} / (${splitOf(actions)}) - ${usd}::float8) <= ${usd * 1e-12}::float8`
  return sql`(${isLevel(LOWEST)} or ${isLevel(HIGHEST)})`
}

function startsWith(start: string, split: SQL): SQL {
  const text = (level: SQL): SQL => sql`(${level} / (${split}))::numeric::text like ${`${start}%`}`
  return sql`(${text(LOWEST)} or ${text(HIGHEST)})`
}

/** Matches the beginning of a word, or any position in scripts without spaces. */
function beginsWord(word: string): (folded: string) => boolean {
  const part = /^[\p{sc=Latn}\d]/u.test(word) ? ` ${word}` : word
  return (folded) => ` ${folded}`.includes(part)
}

/** Whether a folded word is a prefix of a word of the claim, the name, the asset or the outcome. */
function hasWord(word: string, asOf: Day | null, people: readonly number[]): SQL {
  const has = beginsWord(word)
  const outcomes = OUTCOMES.filter((one) => has(foldName(`${one} ${outcomeWord(one)}`)))
  const kinds = Object.values(ASSETS).flatMap(({ key, symbol, name }) =>
    PREDICTION_TYPES.filter((type) =>
      has(foldName(`${symbol} ${name} ${typeLabel(claimType(type))}`)),
    ).map((type) => `${key} ${type}`),
  )
  const ways = [sql`predictions.influencer_id = any(${sql.param([...people])}::bigint[])`]
  // Our summaries may be newer than a past day.
  if (asOf === null) ways.push(hasPart(word))
  if (outcomes.length > 0) {
    ways.push(hasOutcome('touch', asOf, outcomes))
  }
  if (kinds.length > 0) {
    ways.push(sql`predictions.asset || ' ' || predictions.type = any(${sql.param(kinds)}::text[])`)
  }
  return sql`(${sql.join(ways, sql` or `)})`
}

/** People by search word: a word of the name or handle has this prefix, also if written without spaces. */
export function peopleNamed(words: readonly string[]): SQL {
  const patterns = words.map(likeWord)
  return sql`
    select distinct word, influencer_id::float8 as id
    from unnest(${sql.param([...words])}::text[], ${sql.param(patterns)}::text[]) as searched (word, pattern)
    join influencer_names on main and (
      kind = 'handle' and ' ' || translate(folded, '_.-', '   ') like pattern
      or kind = 'name' and (' ' || folded like pattern or ' ' || replace(folded, ' ', '') like pattern))`
}

/** Whether these words are the name or handle of each prediction's person, also if written without spaces. */
export function isNamedBy(words: readonly string[]): SQL {
  const each = words.map((word) => sql`text like ${likeWord(word)}`)
  return sql`predictions.influencer_id in (
    select influencer_id from (
      select influencer_id, ' ' || coalesce(max(folded) filter (where kind = 'name'), '') || ' ' ||
        coalesce(max(translate(folded, '_.-', '   ')) filter (where kind = 'handle'), '') as text
      from influencer_names where main group by 1
    ) named
    where ${sql.join(each, sql` and `)} or replace(text, ' ', '') like ${`${words.join('')}%`})`
}

function likeWord(word: string): string {
  return /^[\p{sc=Latn}\d]/u.test(word) ? `% ${word}%` : `%${word}%`
}

/** Uses the word index where possible. */
function hasPart(word: string): SQL {
  return /^[\p{sc=Latn}\d]/u.test(word)
    ? sql`array_to_tsvector(string_to_array(predictions.search, ' ')) @@ ${`'${word}':*`}::tsquery`
    : sql`predictions.search like ${`%${word}%`}`
}

const BY_ID = sql`predictions.id collate "C"`

export const BY_DAY = sql`predictions.made desc, ${BY_ID}`

/** Order of lists; times of recording are ignored for a past day. */
export function newestFirst(asOf: Day | null): SQL {
  return asOf === null ? sql`predictions.made desc, predictions.created_at desc, ${BY_ID}` : BY_DAY
}

/** Drawing order; votes are ignored for a past day. */
export function mostSupportedFirst(asOf: Day | null): SQL {
  return asOf === null ? sql`predictions.vote_score desc, ${newestFirst(null)}` : BY_DAY
}

export function historyOrder(column: HistoryColumn, isDescending: boolean, sorted: Sorted): SQL {
  const { mode, asOf, prices, places } = sorted
  const way = sql.raw(isDescending ? 'desc' : 'asc')
  const by = (...keys: SQL[]) =>
    sql`${sql.join(
      keys.map((key) => sql`${key} ${way}`),
      sql`, `,
    )}, ${BY_DAY}`
  const figure = (value: SQL): SQL => by(sql`coalesce(${value}, '-Infinity'::float8)`)
  const outcome = outcomeOf(mode, asOf)
  switch (column) {
    case 'expert':
      return by(sql`(
        select place from unnest(${sql.param(places.ids)}::bigint[], ${sql.param(places.places)}::int[]) as one (id, place)
        where one.id = predictions.influencer_id)`)
    case 'prediction':
      return figure(sql`${LOWEST} / (${splitOf(prices.actions)})`)
    case 'made':
      return by(sql`predictions.made`)
    case 'target':
      return by(sql`predictions.target_date`)
    case 'price':
      return figure(sql`${referenceOf(sorted)} * (${splitOf(prices.actions)})`)
    case 'error':
      return figure(errorOf(sorted))
    case 'luck':
      return figure(asOf === null ? sql.raw(`predictions.${mode}_luck`) : sql`null::float8`)
    case 'status': {
      const decided = decidedOn(mode)
      return by(
        sql`(case ${outcome} when 'void' then 2 when 'pending' then 1 else 0 end)`,
        sql`(case ${outcome} when 'pending' then predictions.target_date - date '1970-01-01'
          else date '1970-01-01' - ${decided} end)`,
      )
    }
  }
}

export type Sorted = {
  readonly asset: AssetKey
  readonly mode: JudgeMode
  readonly asOf: Day | null
  readonly prices: Prices
  /** Ids of people in the order of their names. */
  readonly places: { readonly ids: readonly number[]; readonly places: readonly number[] }
}

/** The last close on or before a day of each prediction, USD; null before the first. */
export function closeOn(bars: readonly AgreedBar[], column: 'made' | 'target_date'): SQL {
  const [first, last] = [bars[0], bars.at(-1)]
  if (!first || !last) return sql`null::float8`
  const closes: number[] = []
  for (const { day, close } of bars) {
    while (closes.length < day - first.day) closes.push(closes.at(-1) ?? close)
    closes.push(close)
  }
  const day = sql.raw(`predictions.${column}`)
  return sql`(${sql.param(closes)}::float8[])[least(${day}, ${isoDay(last.day)}::date) - ${isoDay(first.day)}::date + 1]`
}

function barsKnown({ asset, asOf, prices }: Sorted): readonly AgreedBar[] {
  const { closed } = prices[asset]
  return asOf === null ? closed : closed.filter(({ day }) => day <= asOf)
}

/** The close on the day each prediction was made; for today, the last price. */
function referenceOf(sorted: Sorted): SQL {
  const { asset, asOf, prices } = sorted
  return closeOn(asOf === null ? prices[asset].series.bars : barsKnown(sorted), 'made')
}

/** Distance between the level of each prediction and the close of its deadline: see `deadlineError`. */
export function errorOf(sorted: Sorted): SQL {
  const split = splitOf(sorted.prices.actions)
  const usd = closeOn(barsKnown(sorted), 'target_date')
  const tooLow = sql`when usd < low then low / usd - 1`
  const tooHigh = sql`when usd > high then high / usd - 1`
  return sql`(
    select case
      when usd is null or usd <= 0 or outcome = 'void' then null
      when predictions.type = 'top' or predictions.type = 'target'
        and coalesce(predictions.direction = 'down', reference > low)
        then case ${tooHigh} else 0 end
      when predictions.type <> 'range' then case ${tooLow} else 0 end
      when predictions.timing <> 'by' or predictions.direction is null and reference between low and high
        then case ${tooLow} ${tooHigh} else 0 end
      when coalesce(predictions.direction = 'down', reference > high)
        then case ${tooHigh} else 0 end
      else case ${tooLow} else 0 end
    end
    from (select ${usd} as usd, ${referenceOf(sorted)} as reference, ${LOWEST} / (${split}) as low,
      ${HIGHEST} / (${split}) as high, ${outcomeOf(sorted.mode, sorted.asOf)} as outcome) figures)`
}
