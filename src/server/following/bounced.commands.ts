import { type Command } from 'commander'
import { type Db } from '#server/kit/db.ts'
import { endBounced } from './bounced.service.ts'

/** Of a bounce, which may have the whole mail behind it. */
const MOST_BYTES = 2_000_000

/** Adds the command that a mail server hands bounces to. */
export function addBounced(
  program: Command,
  {
    withDb,
    print,
    input,
  }: {
    withDb: (work: (db: Db) => Promise<void>) => Promise<void>
    print: (text: string) => void
    input: AsyncIterable<Buffer | string>
  },
): void {
  program
    .command('bounced')
    .description(
      'ends the subscription of a mail that came back; reads the message of the mail server',
    )
    .action(async () => {
      const text = await read(input)
      await withDb(async (db) => print(await endBounced(db, text)))
    })
}

/** The beginning, as far as it counts; the rest is taken and left, so that the mail server gets rid of it. */
async function read(input: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    if (size < MOST_BYTES) chunks.push(bytes.subarray(0, MOST_BYTES - size))
    size += bytes.length
  }
  return Buffer.concat(chunks).toString('latin1')
}
