import { type ClientConfig, type Pool } from 'pg'
import { type Outages } from '#server/database/outages.ts'
import { type ReplicaState } from '#server/database/replica.ts'
import { type Db } from './db.ts'
import { type Jobs } from './jobs.ts'
import { type Limiter } from './limiter.ts'
import { type Log } from './log.ts'
import { type Outbox } from './outbox.ts'
import { type Config } from './settings/config.ts'
import { type Signals } from './signals.ts'
import { type Clock } from './time.ts'

/** Shared by all capabilities of a site. */
export type Kit = {
  readonly config: Config
  readonly db: Db
  /** For public reads: `db` or a replica, which may lack the last second. */
  readonly readDb: Db
  /** Call after a public change: from then on `readDb` includes everything written so far. */
  readonly catchUp: () => void
  /** How far behind the replica is; null without one. */
  readonly replica: () => ReplicaState | null
  /** The pool of `db`, for the job queue. */
  readonly pool: Pool
  /** How to connect without a pooler, for connections with a session. Never log it. */
  readonly direct: ClientConfig
  /** Signals between processes on the same database. */
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
  readonly outages: Pick<Outages, 'notice' | 'current'>
}

/** The kit of a running site, with its jobs, deliveries and limits. */
export type SiteKit = Kit & {
  readonly jobs: Jobs
  readonly outbox: Outbox
  readonly limiter: Limiter
}

/** Shared by the commands of the operator. */
export type CommandKit = {
  readonly clock: Clock
  readonly withDb: (work: (db: Db) => Promise<void>) => Promise<void>
  readonly print: (text: string) => void
}
