import { type AssetKey } from '#domain/asset.ts'
import { agree, type AgreedBar, type Bar } from '#domain/bar.ts'
import { readDay, isoDay, type Day } from '#domain/day.ts'
import { asc, eq, sql } from 'drizzle-orm'
import { type Db } from './database.ts'
import { bars } from './schema.ts'

/** The name under which the closes that ship with the site are recorded. */
export const STARTER_SOURCE = 'starter'

/**
 * Every bar of the asset as its sources agree on it, oldest first. Sources are ranked by name, with the rounded closes
 * that ship with the site behind all others, so that the same rows always give the same bars.
 */
export async function loadBars(db: Db, asset: AssetKey): Promise<AgreedBar[]> {
  const rows = await db.select().from(bars).where(eq(bars.asset, asset)).orderBy(asc(bars.day))
  const byDay = Map.groupBy(rows, (row) => row.day)
  return [...byDay.values()].flatMap((ofDay) => {
    const [first, ...rest] = ofDay.map(barOf).toSorted(byTrust)
    return first ? [agree([first, ...rest])] : []
  })
}

/**
 * Writes bars; one that stands already with the same prices is left alone.
 *
 * @returns the days that really changed, oldest first
 */
export async function saveBars(db: Db, asset: AssetKey, given: readonly Bar[]): Promise<Day[]> {
  const changed: Day[] = []
  for (let i = 0; i < given.length; i += BATCH) {
    const part = given.slice(i, i + BATCH)
    const rows = await db
      .insert(bars)
      .values(part.map(({ day, ...prices }) => ({ asset, day: isoDay(day), ...prices })))
      .onConflictDoUpdate({
        target: [bars.asset, bars.day, bars.source],
        set: {
          open: sql`excluded.open`,
          high: sql`excluded.high`,
          low: sql`excluded.low`,
          close: sql`excluded.close`,
          recordedAt: sql`now()`,
        },
        setWhere: sql`(${bars.open}, ${bars.high}, ${bars.low}, ${bars.close}) is distinct from (excluded.open, excluded.high, excluded.low, excluded.close)`,
      })
      .returning({ day: bars.day })
    changed.push(...rows.flatMap((row) => readDay(row.day) ?? []))
  }
  return changed.toSorted((a, b) => a - b)
}

/** PostgreSQL takes 65,535 values in one statement; a bar has seven. */
const BATCH = 5_000

function barOf(row: typeof bars.$inferSelect): Bar {
  const day = readDay(row.day)
  if (day === null) throw new Error(`the database holds a bar on "${row.day}"`)
  const { open, high, low, close, source } = row
  return { day, open, high, low, close, source }
}

function byTrust(a: Bar, b: Bar): number {
  const rank = (bar: Bar): number => (bar.source === STARTER_SOURCE ? 1 : 0)
  return rank(a) - rank(b) || (a.source < b.source ? -1 : 1)
}
