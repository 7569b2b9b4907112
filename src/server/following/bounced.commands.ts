import { type Command } from 'commander'
import { and, eq } from 'drizzle-orm'
import { outbox } from '#server/database/schema/kit.ts'
import { type Db, firstRow } from '#server/kit/db.ts'
import { type CommandKit } from '#server/kit/kit.ts'
import { siteTokens } from '#server/kit/tokens.ts'
import { dropQuestion, followerById, forgetAddress, NEWS } from './followers.store.ts'

const NO_BOUNCE = 'No subscription was ended: this message does not report a permanent failure.'
const NOT_OURS =
  'No subscription was ended: the message names none of our mails, or its subscription has already ended.'

/** Ends the subscription of a bounced mail (RFC 3464), identified by its secret Message-ID. @returns a sentence */
export async function endBounced(db: Db, text: string): Promise<string> {
  const isReport = /^content-type:\s*message\/(?:global-)?delivery-status/im.test(text)
  // 5.7 concerns our server or a single mail, not the address.
  const isFinal =
    /^action:\s*failed\b/im.test(text) && /^status:\s*5\.(?!7\.)\d{1,3}\.\d{1,3}/im.test(text)
  if (!isReport || !isFinal) return NO_BOUNCE
  const tokens = await siteTokens(db)
  const [, question] = /<follow-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/.exec(text) ?? []
  if (question !== undefined) {
    if (!(await dropQuestion(db, question))) return NOT_OURS
    return 'No more will be sent to this address: its mail bounced.'
  }
  const [, number, token] = /<news-(\d{1,15})-([\w-]{32})@/.exec(text) ?? []
  if (number === undefined || tokens?.message(number) !== token) return NOT_OURS
  const isIt = and(eq(outbox.kind, NEWS), eq(outbox.id, Number(number)))
  const message = await firstRow(db.select().from(outbox).where(isIt))
  const follower = message && (await followerById(db, message.ref))
  if (!follower) return NOT_OURS
  await forgetAddress(db, follower)
  return 'The subscription of the address has ended, and the address is deleted.'
}

const MOST_BYTES = 2_000_000

export function addBounced(
  program: Command,
  { withDb, print }: CommandKit,
  input: AsyncIterable<Buffer | string>,
): void {
  program
    .command('bounced')
    .description("end the subscription of a bounced mail; reads the mail server's message")
    .action(async () => {
      const text = await read(input)
      await withDb(async (db) => print(await endBounced(db, text)))
    })
}

/** Reads the relevant beginning, and consumes the rest, so that the mail server can finish. */
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
