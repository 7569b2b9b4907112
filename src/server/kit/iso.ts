import { dayOfTime, showDay } from '#domain/day.ts'
import { sql, type SQL } from 'drizzle-orm'
import { type AnyPgColumn } from 'drizzle-orm/pg-core'

/** A timestamp in ISO 8601, the API's format; PostgreSQL prints a different one. */
export function iso(moment: string): string {
  return new Date(moment).toISOString()
}

export function isoOrNull(moment: string | null): string | null {
  return moment === null ? null : iso(moment)
}

/** A timestamp column as `iso` gives it, for rows that go out as they are read. */
export function isoOf<Column extends AnyPgColumn | SQL>(
  column: Column,
): SQL<Column extends { _: { notNull: true } } ? string : string | null> {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** `20/11/2026 at 12:00 UTC`, for sentences. */
export function momentText(moment: string): string {
  return `${showDay(dayOfTime(Date.parse(moment)))} at ${iso(moment).slice(11, 16)} UTC`
}
