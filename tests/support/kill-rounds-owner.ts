import { Client } from 'pg'
import { startEmbedded } from '#server/database/embedded/embedded-postgres.ts'

/*
 * A program that owns a database and writes rows until it is killed: `node kill-rounds-owner.ts <folder> <first id>`. Prints the server's process on its first line, then every id whose commit was acknowledged. Without an id it only keeps the database running.
 */
const [, , dataDir = '', firstId] = process.argv
const print = (line: string | number): void => {
  process.stdout.write(`${String(line)}\n`)
}
const log = { info() {}, warn() {}, error() {} }
const embedded = await startEmbedded({ dataDir, log })
process.once('SIGTERM', () => void embedded.stop())
print(embedded.pid)

/** Ends silently when the test kills the server: only acknowledged rows count. */
async function write(first: number): Promise<never> {
  const client = new Client(embedded.connection)
  client.on('error', () => process.exit(1))
  await client.connect()
  await client.query('create table if not exists kept (id int primary key)')
  for (let id = first; ; id += 1) {
    await client.query('insert into kept values ($1)', [id])
    print(id)
  }
}

if (firstId !== undefined) await write(Number(firstId)).catch(() => process.exit(1))
