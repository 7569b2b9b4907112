import {
  and,
  asc,
  between,
  eq,
  getTableColumns,
  gte,
  lt,
  max,
  ne,
  notInArray,
  sql,
  type SQL,
} from 'drizzle-orm'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { type AgreedBar, type Bar } from '#domain/judging/bar.ts'
import { agreeDay, type BarState, type RecordedBar } from '#domain/judging/settle.ts'
import { bars } from '#server/database/schema/predictions.ts'
import { firstRow, type Db } from '#server/kit/db.ts'
import { loadSources } from './price-sources.rows.ts'

/** Source name of the closes bundled with the site. */
export const STARTER_SOURCE = 'starter'

const { asset: _asset, recordedAt: _recordedAt, ...BAR } = getTableColumns(bars)

/**
 * All bars of the asset as agreed between its sources, oldest first. The sources of a day are ordered by name,
 * with the rounded bundled closes last, so that the same rows give the same bars.
 */
export async function loadBars(db: Db, asset: AssetKey): Promise<AgreedBar[]> {
  return agreedBars(asset, await barsWhere(db, asset), await outsideNames(db, asset))
}

/**
 * Combines the bars of several sources day by day, oldest first.
 * @param outside names of the sources that are read automatically, not imported
 */
export function agreedBars(
  asset: AssetKey,
  recorded: readonly RecordedBar[],
  outside: ReadonlySet<string>,
): AgreedBar[] {
  let previous: number | null = null
  const agreed: AgreedBar[] = []
  for (const ofDay of Map.groupBy(recorded, (bar) => bar.day).values()) {
    const [first, ...rest] = ofDay.toSorted(bySource)
    if (!first) continue
    const bar = agreeDay(asset, [first, ...rest], previous, outside)
    agreed.push(bar)
    previous = bar.close
  }
  return agreed
}

/** Bars of all sources from one day to another, oldest first. */
export function barsBetween(db: Db, asset: AssetKey, from: Day, to: Day): Promise<RecordedBar[]> {
  return barsWhere(db, asset, between(bars.day, from, to))
}

/** Bars that have not settled yet, oldest first. */
export function unsettledBars(db: Db, asset: AssetKey): Promise<RecordedBar[]> {
  return barsWhere(db, asset, ne(bars.state, 'final'))
}

function barsWhere(db: Db, asset: AssetKey, where?: SQL): Promise<RecordedBar[]> {
  const ofAsset = and(eq(bars.asset, asset), where)
  return db.select(BAR).from(bars).where(ofAsset).orderBy(asc(bars.day))
}

function newestBar(db: Db, asset: AssetKey, where: SQL | undefined) {
  const newest = sql`${bars.day} desc, ${bars.state} = 'final' desc, ${bars.source}`
  const ofAsset = and(eq(bars.asset, asset), where)
  return firstRow(db.select(BAR).from(bars).where(ofAsset).orderBy(newest).limit(1))
}

/** The newest final bar of any source. */
export function lastBar(db: Db, asset: AssetKey): Promise<RecordedBar | null> {
  return newestBar(db, asset, eq(bars.state, 'final'))
}

/** The newest bar before a day, in any state, of one source or any. */
export function barBefore(
  db: Db,
  asset: AssetKey,
  day: Day,
  source: string | null,
): Promise<RecordedBar | null> {
  const mine = source === null ? undefined : eq(bars.source, source)
  return newestBar(db, asset, and(lt(bars.day, day), mine))
}

/** Days from `from` for which this source has a bar read after the day's end. */
export async function daysOf(db: Db, asset: AssetKey, source: string, from: Day): Promise<Day[]> {
  const rows = await db
    .select({ day: bars.day })
    .from(bars)
    .where(
      and(
        eq(bars.asset, asset),
        eq(bars.source, source),
        gte(bars.day, from),
        sql`${bars.state} in ('final', 'waiting')`,
      ),
    )
  return rows.map((row) => row.day)
}

/** The last day with a bar from any other source, such as an imported file. */
export async function lastDayOfOthers(
  db: Db,
  asset: AssetKey,
  sources: readonly string[],
): Promise<Day | null> {
  const [row] = await db
    .select({ day: max(bars.day) })
    .from(bars)
    .where(and(eq(bars.asset, asset), notInArray(bars.source, [...sources])))
  return row?.day ?? null
}

/** The last day with a bar, by source. */
export function lastBars(db: Db) {
  return db
    .select({ asset: bars.asset, source: bars.source, day: sql<string>`max(${bars.day})::text` })
    .from(bars)
    .groupBy(bars.asset, bars.source)
}

export async function setStates(
  db: Db,
  asset: AssetKey,
  bars: readonly Pick<RecordedBar, 'day' | 'source' | 'state'>[],
): Promise<void> {
  const rows = bars.map(({ day, source, state }) => ({ day: isoDay(day), source, state }))
  await db.execute(sql`
    update bars set state = given.state
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(day date, source text, state text)
    where bars.asset = ${asset} and bars.day = given.day and bars.source = given.source`)
}

/** Converts all prices before a split into the units after it. */
export async function rescaleBars(db: Db, asset: AssetKey, before: Day, ratio: number) {
  await db.execute(sql`
    update bars set open = open / ${ratio}, high = high / ${ratio}, low = low / ${ratio}, close = close / ${ratio}
    where asset = ${asset} and day < ${isoDay(before)}`)
}

/**
 * Writes bars. Skips stored bars with the same prices; never replaces a final bar by one read before its day was over.
 * @param updates final by default
 * @returns how many were new, and how many changed
 */
export async function saveBars(
  db: Db,
  asset: AssetKey,
  updates: readonly (Bar & { readonly state?: BarState })[],
): Promise<{ added: number; changed: number }> {
  if (updates.length === 0) return { added: 0, changed: 0 }
  const rows = await db
    .insert(bars)
    .select(
      sql`select ${asset}::text, day, source, open, high, low, close, coalesce(state, 'final'), now()
        from ${pricesIn(updates)}`,
    )
    .onConflictDoUpdate({
      target: [bars.asset, bars.day, bars.source],
      set: {
        open: sql`excluded.open`,
        high: sql`excluded.high`,
        low: sql`excluded.low`,
        close: sql`excluded.close`,
        state: sql`case when ${bars.state} = 'final' then 'final' else excluded.state end`,
        recordedAt: sql`now()`,
      },
      setWhere: sql`(${bars.open}, ${bars.high}, ${bars.low}, ${bars.close}, ${bars.state} = 'final' or ${bars.state} = excluded.state)
          is distinct from (excluded.open, excluded.high, excluded.low, excluded.close, true)
        and not (${bars.state} in ('final', 'waiting') and excluded.state in ('moving', 'alone'))`,
    })
    .returning({ isNew: sql<boolean>`xmax = 0` })
  const added = rows.filter((row) => row.isNew).length
  return { added, changed: rows.length - added }
}

/**
 * Rows of prices as one JSON parameter: ten times as fast as separate parameters for years of bars. Numbers
 * survive, as both sides write the shortest decimals that round-trip.
 */
function pricesIn(bars: readonly (Bar & { readonly state?: BarState })[]) {
  const rows = bars.map((row) => ({ ...row, day: isoDay(row.day) }))
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(
    day date, source text, open float8, high float8, low float8, close float8, state text)`
}

/** Sources read automatically, without imported files. */
export async function outsideNames(db: Db, asset: AssetKey): Promise<ReadonlySet<string>> {
  return new Set((await loadSources(db, asset)).map(({ source }) => source))
}

function bySource(a: Bar, b: Bar): number {
  const rank = (bar: Bar): number => (bar.source === STARTER_SOURCE ? 1 : 0)
  return rank(a) - rank(b) || (a.source < b.source ? -1 : 1)
}
