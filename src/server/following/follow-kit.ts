import { type Clock, type Log } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { type Limiter } from '#server/kit/limiter.ts'
import { type Tokens } from '#server/kit/tokens.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type MailAddresses } from '#server/submissions/mail-addresses.service.ts'
import { type Pushes } from './push-message.ts'
import { type Mailer } from '#server/submissions/ports.ts'

/** What following needs. */
export type FollowKit = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly origin: string
  readonly limiter: Limiter
  readonly tokens: Tokens
  readonly addresses: Pick<MailAddresses, 'hashOf' | 'isRefused' | 'refuseAddress'>
  readonly record: Pick<PublicRecord, 'byIds' | 'find' | 'people' | 'select' | 'today'>
  /** The account on Nostr that publishes the record; null where there is none. */
  readonly npub: string | null
  readonly pushes: Pushes
  /** Null where no mail server is set up. */
  readonly mailer: Mailer | null
}
