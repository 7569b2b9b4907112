import { type AssetKey } from '#domain/asset.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { addDays, isoDay, readDay, type Day } from '#domain/day.ts'
import { type RangeChange } from '#domain/judging/known-range.ts'
import { and, asc, count, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { deeperBars, deeperRounds, deeperSources } from '#server/database/schema/deeper-history.ts'
import { type Db } from '#server/kit/db.ts'
import { rowsOf } from '#server/kit/rows.ts'
import { NEW_PRICES, pricesIn } from './bars.rows.ts'

/** How far a source was asked for the highs and lows of earlier days; times in milliseconds since 1970. */
export type DeeperSource = {
  readonly asset: AssetKey
  readonly source: string
  readonly askedFrom: Day | null
  readonly askedTo: Day | null
  readonly reaches: Day | null
  readonly daysRead: number
  readonly daysRefused: number
  readonly doneAt: number | null
  readonly note: string | null
  readonly failures: number
  readonly lastError: string | null
  readonly failingSince: number | null
  readonly nextRunAt: number | null
}

/** A bar that was refused, with the reason in a sentence. */
export type RefusedBar = { readonly day: Day; readonly source: string; readonly reason: string }

const Needed = z.array(z.object({ day: z.string(), close: z.number() }))

/**
 * The days of files of which closes alone are known, as long as fewer than two sources have a range of them; with the
 * close on record.
 *
 * @param source whose own bars are not needed twice
 * @param sources all that are no files
 */
export async function daysWithoutRange(
  db: Db,
  asset: AssetKey,
  source: string,
  sources: readonly string[],
): Promise<Map<Day, number>> {
  const outside = sql`source in (${sql.join(
    sources.map((name) => sql`${name}`),
    sql`, `,
  )})`
  const result = await db.execute(sql`
    select day::text, (min(close) filter (where not ${outside})) as close
    from bars where asset = ${asset}
    group by day
    having bool_and(state = 'final')
      and count(*) filter (where not ${outside}) > 0
      and count(*) filter (where not ${outside} and high is not null) = 0
      and count(*) filter (where ${outside} and high is not null) < 2
      and count(*) filter (where source = ${source}) = 0
    order by day`)
  return new Map(
    Needed.parse(rowsOf(result)).flatMap((row) => {
      const day = readDay(row.day)
      return day === null ? [] : [[day, row.close] as const]
    }),
  )
}

export async function loadDeeper(db: Db, asset?: AssetKey): Promise<DeeperSource[]> {
  const rows = await db
    .select()
    .from(deeperSources)
    .where(asset ? eq(deeperSources.asset, asset) : undefined)
    .orderBy(asc(deeperSources.asset), asc(deeperSources.source))
  const dayOf = (text: string | null): Day | null => (text === null ? null : readDay(text))
  const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text))
  return rows.map((row) => ({
    ...row,
    askedFrom: dayOf(row.askedFrom),
    askedTo: dayOf(row.askedTo),
    reaches: dayOf(row.reaches),
    doneAt: timeOf(row.doneAt),
    failingSince: timeOf(row.failingSince),
    nextRunAt: timeOf(row.nextRunAt),
  }))
}

/** Nothing is wrong with a source, and it may be asked at any time. */
export const NOT_FAILING = {
  failures: 0,
  lastError: null,
  failingSince: null,
  nextRunAt: null,
} as const

/** Writes what is given and leaves the rest, which an import or an administrator may have changed meanwhile. */
export async function saveDeeper(
  db: Db,
  { asset, source }: Pick<DeeperSource, 'asset' | 'source'>,
  given: Partial<Omit<DeeperSource, 'asset' | 'source'>>,
): Promise<void> {
  const { askedFrom, askedTo, reaches, doneAt, failingSince, nextRunAt, ...rest } = given
  const values = {
    ...rest,
    ...texts({ askedFrom, askedTo, reaches }, (day: Day) => isoDay(day)),
    ...texts({ doneAt, failingSince, nextRunAt }, (ms: number) => new Date(ms).toISOString()),
  }
  await db
    .insert(deeperSources)
    .values({ asset, source, ...values })
    .onConflictDoUpdate({ target: [deeperSources.asset, deeperSources.source], set: values })
}

/** The values that are given, as they are stored. */
function texts<Key extends string, Value>(
  values: Readonly<Record<Key, Value | null | undefined>>,
  textOf: (value: Value) => string,
): Partial<Record<Key, string | null>> {
  const given: Partial<Record<Key, string | null>> = {}
  for (const key of Object.keys(values) as Key[]) {
    const value = values[key]
    if (value !== undefined) given[key] = value === null ? null : textOf(value)
  }
  return given
}

/**
 * Has sources asked for days of which closes became known within the days that they were asked for: from the newest of these
 * days on, they are asked once more.
 */
export async function askForNewDays(db: Db, asset: AssetKey, days: readonly Day[]): Promise<void> {
  for (const own of await loadDeeper(db, asset)) {
    const { askedFrom, askedTo } = own
    if (askedFrom === null || askedTo === null) continue
    const within = days.filter((day) => day >= askedFrom && day <= askedTo)
    if (within.length === 0) continue
    const from = addDays(
      within.reduce((a, b) => (a > b ? a : b)),
      1,
    )
    await saveDeeper(db, own, { askedFrom: from, doneAt: null, note: null })
  }
}

/** Has a source that failed or ran out asked once more, from the oldest day of which it gave a bar. */
export async function askAgain(db: Db, asset: AssetKey, source: string): Promise<void> {
  const own = (await loadDeeper(db, asset)).find((one) => one.source === source)
  if (!own) return
  await saveDeeper(db, own, { askedFrom: own.reaches, doneAt: null, note: null, ...NOT_FAILING })
}

/** Keeps bars beside the record; one of the same day and source is replaced. */
export async function keepApart(
  db: Db,
  asset: AssetKey,
  kept: readonly Bar[],
  refused: readonly (RefusedBar & { readonly bar: Bar | null })[],
): Promise<void> {
  const rows = [
    ...kept.map((bar) => ({ ...bar, refused: null })),
    ...refused.map(({ day, source, reason, bar }) => ({ ...bar, day, source, refused: reason })),
  ]
  if (rows.length === 0) return
  await db
    .insert(deeperBars)
    .select(
      sql`select ${asset}::text, day, source, open, high, low, close, refused, now()
        from ${pricesIn(rows)}`,
    )
    .onConflictDoUpdate({
      target: [deeperBars.asset, deeperBars.day, deeperBars.source],
      set: {
        ...NEW_PRICES,
        refused: sql`excluded.refused`,
        recordedAt: sql`now()`,
      },
    })
}

/** The bars that wait beside the record, oldest first, and how many of each day were refused. */
export async function barsApart(
  db: Db,
  asset: AssetKey,
): Promise<{ bars: Bar[]; refusedOn: ReadonlyMap<Day, number> }> {
  const rows = await db
    .select()
    .from(deeperBars)
    .where(eq(deeperBars.asset, asset))
    .orderBy(asc(deeperBars.day), asc(deeperBars.source))
  const bars: Bar[] = []
  const refusedOn = new Map<Day, number>()
  for (const { day: text, source, open, high, low, close, refused } of rows) {
    const day = readDay(text)
    if (day === null) continue
    if (refused !== null) refusedOn.set(day, (refusedOn.get(day) ?? 0) + 1)
    else if (close !== null) bars.push({ day, source, open, high, low, close })
  }
  return { bars, refusedOn }
}

/** Says why bars that wait are not used. */
export async function refuseBars(
  db: Db,
  asset: AssetKey,
  refused: readonly RefusedBar[],
): Promise<void> {
  const given = refused.map(({ day, source, reason }) => ({ day: isoDay(day), source, reason }))
  await db.execute(sql`
    update deeper_bars set refused = given.reason
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given(day date, source text, reason text)
    where deeper_bars.asset = ${asset} and deeper_bars.day = given.day and deeper_bars.source = given.source`)
}

/** Takes away the bars that went into the record; what was refused stays to be read. */
export async function clearApart(db: Db, asset: AssetKey): Promise<void> {
  await db.delete(deeperBars).where(and(eq(deeperBars.asset, asset), isNull(deeperBars.refused)))
}

/** The refused bars of the newest days, and how many there are. */
export async function refusedBars(
  db: Db,
  most: number,
): Promise<{ total: number; newest: (RefusedBar & { readonly asset: AssetKey })[] }> {
  const [all] = await db
    .select({ n: count() })
    .from(deeperBars)
    .where(isNotNull(deeperBars.refused))
  const rows = await db
    .select()
    .from(deeperBars)
    .where(isNotNull(deeperBars.refused))
    .orderBy(desc(deeperBars.day), asc(deeperBars.asset), asc(deeperBars.source))
    .limit(most)
  return {
    total: all?.n ?? 0,
    newest: rows.flatMap(({ asset, day: text, source, refused }) => {
      const day = readDay(text)
      return day === null || refused === null ? [] : [{ asset, day, source, reason: refused }]
    }),
  }
}

/** What came of a round of ranges that went into the record. */
export type DeeperRound = {
  readonly asset: AssetKey
  readonly publishedAt: number
  readonly publishedBy: string | null
  readonly days: number
  readonly from: Day
  readonly to: Day
  readonly changes: readonly RangeChange[]
  readonly changed: number
  readonly completed: number
}

export async function addRound(db: Db, round: DeeperRound): Promise<void> {
  const { from, to, publishedAt, changes, ...rest } = round
  await db.insert(deeperRounds).values({
    ...rest,
    changes: [...changes],
    publishedAt: new Date(publishedAt).toISOString(),
    fromDay: isoDay(from),
    toDay: isoDay(to),
  })
}

/** The newest rounds, newest first. */
export async function newestRounds(db: Db, most: number): Promise<DeeperRound[]> {
  const rows = await db.select().from(deeperRounds).orderBy(desc(deeperRounds.id)).limit(most)
  return rows.flatMap(({ fromDay, toDay, publishedAt, id: _id, ...rest }) => {
    const [from, to] = [readDay(fromDay), readDay(toDay)]
    if (from === null || to === null) return []
    return [{ ...rest, from, to, publishedAt: Date.parse(publishedAt) }]
  })
}
