import { type Pool } from 'pg'
import { type Outages } from '#server/database/outages.ts'
import { type ReplicaState } from '#server/database/replica.ts'
import { type Config } from './settings/config.ts'
import { type Clock, type Log } from './ports.ts'
import { type Db } from './db.ts'
import { type Signals } from './signals.ts'

/** What every capability of one running site shares. */
export type Kit = {
  readonly config: Config
  readonly db: Db
  /** The same, or a replica, for public reads: what was written within the last second may not be there yet. */
  readonly readDb: Db
  /** From now on `readDb` has what has been written until now; called once a change of what is public is known. */
  readonly catchUp: () => void
  /** How far behind the replica is; null without one. */
  readonly replica: () => ReplicaState | null
  /** The connections behind `db`, for queues of jobs. */
  readonly pool: Pool
  /** Signals between processes on the same database. */
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
  readonly outages: Pick<Outages, 'notice' | 'current'>
}
