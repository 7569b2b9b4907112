import { type Kit } from '#server/kit/kit.ts'
import { openLimiter, type Limiter } from '#server/kit/limiter.ts'
import { type Tokens } from '#server/kit/tokens.ts'
import { type PostReader } from '#server/posts/read-post.service.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { readAllowance, type MayRead } from './read-allowance.ts'
import { replySeals, type ReplySeals } from './reply-seals.ts'

/** What replies work with. */
export type RepliesKit = Pick<Kit, 'db' | 'clock'> & {
  /** The address of the site, without a slash at the end: signatures name it. */
  readonly origin: string
  /** The operator's address; null where none is set up. */
  readonly email: string | null
  readonly record: Pick<PublicRecord, 'byIds' | 'find' | 'refresh'>
  readonly reader: Pick<PostReader, 'read'>
  readonly tokens: Tokens
  readonly seals: ReplySeals
  readonly mayRead: MayRead
  readonly limiter: Limiter
}

export function repliesKit(
  { db, clock, log, config }: Pick<Kit, 'db' | 'clock' | 'log' | 'config'>,
  parts: Pick<RepliesKit, 'record' | 'reader' | 'tokens'>,
): RepliesKit {
  const { origin, contacts } = config
  const seals = replySeals(parts.tokens, clock.now)
  const limiter = openLimiter({ db, clock, log })
  const mayRead = readAllowance(db, limiter)
  return { db, clock, limiter, origin, email: contacts.email, ...parts, seals, mayRead }
}
