import { sql, type SQL, getTableName } from 'drizzle-orm'
import { z } from 'zod'
import { type Db } from './db.ts'
import { type PgTable } from 'drizzle-orm/pg-core'

const Rows = z.object({ rows: z.array(z.unknown()) })

/** Drizzle's type of raw results depends on the driver; ours always has `rows`. */
export function rowsOf(result: unknown): unknown[] {
  return Rows.parse(result).rows
}

/** A tag like `sql` that runs its query and reads the rows by a shape. */
export function readRows<Row>(db: Pick<Db, 'execute'>, shape: z.ZodType<Row>) {
  return async (strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> =>
    z.array(shape).parse(rowsOf(await db.execute(sql(strings, ...values))))
}

/** Streams the rows of a query in batches. @param tx a transaction */
export async function* rowsInParts(
  tx: Pick<Db, 'execute'>,
  query: SQL,
  atOnce: number,
): AsyncGenerator<unknown[]> {
  await tx.execute(sql`declare rows_in_parts no scroll cursor for ${query}`)
  for (;;) {
    const rows = rowsOf(await tx.execute(sql.raw(`fetch ${String(atOnce)} from rows_in_parts`)))
    if (rows.length === 0) break
    yield rows
  }
  await tx.execute(sql`close rows_in_parts`)
}

/** Larger batches use more memory without being faster. */
const BATCH = 4_000

/**
 * Inserts rows in batches of thousands, as one JSON parameter each: separate parameters are slow on both sides. Call it
 * in a transaction.
 * @param rows with the same keys; missing columns get their default
 * @param rest end of the statement, such as `on conflict do nothing`
 * @returns the statement's result, in the order of the rows
 */
export async function insertMany<Table extends PgTable>(
  tx: Db,
  table: Table,
  rows: readonly Table['$inferInsert'][],
  rest: SQL = sql``,
): Promise<unknown[]> {
  const [first] = rows
  if (!first) return []
  const cells = Object.keys(first).map((key) => [key, columnOf(key)] as const)
  const columns = sql.raw(cells.map(([, column]) => `"${column}"`).join(', '))
  const name = sql.identifier(getTableName(table))
  const answer: unknown[] = []
  for (let i = 0; i < rows.length; i += BATCH) {
    const part = rows.slice(i, i + BATCH).map((row) => {
      const values: Readonly<Record<string, unknown>> = row
      return Object.fromEntries(cells.map(([key, column]) => [column, values[key]]))
    })
    const result = await tx.execute(
      sql`insert into ${name} (${columns})
        select ${columns} from json_populate_recordset(null::${name}, ${JSON.stringify(part)}::json) ${rest}`,
    )
    for (const row of rowsOf(result)) answer.push(row)
  }
  return answer
}

/** Drizzle's name for a column. */
function columnOf(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
