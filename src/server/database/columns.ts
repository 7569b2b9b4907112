import { sql } from 'drizzle-orm'
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core'
import { day, isoDay, type Day } from '#domain/day.ts'

export const moment = () => timestamp({ withTimezone: true, mode: 'string' })

export const id = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()

export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (value) => Buffer.from(value),
})

/** A `date`, read as a day of the domain. */
export const calendarDay = customType<{ data: Day; driverData: string }>({
  dataType: () => 'date',
  fromDriver: day,
  toDriver: isoDay,
})

/** A timestamp, read as Unix time in ms. */
export const unixMs = customType<{ data: number; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: Date.parse,
  toDriver: (ms) => new Date(ms).toISOString(),
})

/** A check constraint for enumerated values. */
export const oneOf = (column: string, values: readonly string[]) =>
  sql.raw(`"${column}" in (${values.map((one) => `'${one}'`).join(', ')})`)
