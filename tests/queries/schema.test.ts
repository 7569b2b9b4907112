import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { PgTable, type PgColumn } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { rolledBack } from '#tests/support/rolled-back.ts'

function columnText(column: PgColumn): string {
  const { name, notNull, hasDefault, generated } = column
  const type = column.getSQLType().replace('bigserial', 'bigint').replace('serial', 'integer')
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return [snake, type, notNull, hasDefault || generated !== undefined].join(' ')
}

it('the schema has the columns of the migrated database', () =>
  rolledBack(async (db) => {
    const written = []
    for (const file of globSync('src/server/database/schema/*.ts'))
      for (const table of Object.values((await import(resolve(file))) as Record<string, unknown>))
        if (is(table, PgTable))
          for (const column of Object.values(getTableColumns(table)))
            written.push(`${getTableName(table)}.${columnText(column)}`)
    const { rows } = await db.execute(sql`
      select format('%s.%s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull::text,
        (atthasdef or attidentity <> '')::text) as line
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`)
    expect(written.toSorted()).toEqual(rows.map(({ line }) => String(line)).toSorted())
  }))
