import { type AssetKey } from '#domain/asset.ts'
import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { openClient, type Db } from '#server/kit/db.ts'
import { type NewVerdict } from '#server/judging/verdicts.rows.ts'

/** The channel on which processes tell each other live prices and new verdicts; JSON, see `live-prices.ts`. */
const LIVE_CHANNEL = 'proof_of_price_live'
const LEADER_LOCK = 'proof-of-price leader'

/** PostgreSQL takes less than 8,000 bytes in one notification. */
const MOST_BYTES = 7_500

export type LinePatience = {
  /** How often a process that does not lead asks whether it may; a leader's end shows within this time. */
  readonly askMs: number
  /** How often the leader makes sure that it still is. */
  readonly beatMs: number
  readonly queryMs: number
  readonly firstPauseMs: number
  readonly longestPauseMs: number
}

const PATIENCE: LinePatience = {
  askMs: 300,
  beatMs: 2_000,
  queryMs: 5_000,
  firstPauseMs: 200,
  longestPauseMs: 5_000,
}

export type LiveLine = {
  /** As the leader, tells the other processes; lost without a trace while the database is away. */
  readonly publish: (text: string) => void
  readonly isLeader: () => boolean
  readonly stop: () => Promise<void>
}

/**
 * One connection of its own that hears the other processes and holds, in one process at a time, the lock that makes it
 * the leader. When the connection is lost the process steps down at once and connects again with growing pauses.
 *
 * @param on must not throw
 */
export function openLiveLine(
  connection: pg.ClientConfig,
  on: {
    readonly message: (text: string) => void
    readonly lead: (isLeader: boolean) => void
    readonly error: (error: Error) => void
  },
  patience: LinePatience = PATIENCE,
): LiveLine {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let pauseMs = patience.firstPauseMs
  let stopped = false
  let leads = false
  let lost = false

  function lead(now: boolean): void {
    if (leads === now) return
    leads = now
    on.lead(now)
  }

  function after(ms: number, then: () => Promise<void>): void {
    timer = setTimeout(() => {
      timer = null
      void then()
    }, ms)
  }

  function again(of: pg.Client, error: Error): void {
    if (stopped || client !== of) return
    client = null
    if (timer) clearTimeout(timer)
    void of.end().catch(ignore)
    lead(false)
    if (!lost) on.error(error)
    lost = true
    after(pauseMs * (0.5 + Math.random() / 2), connect)
    pauseMs = Math.min(pauseMs * 2, patience.longestPauseMs)
  }

  async function connect(): Promise<void> {
    const next = openClient({
      connectionTimeoutMillis: patience.queryMs,
      query_timeout: patience.queryMs,
      application_name: 'proof-of-price live',
      ...connection,
    })
    client = next
    next.on('error', (error) => again(next, error))
    next.on('end', () => again(next, new Error('the connection for live prices has ended')))
    next.on('notification', ({ payload, processId }) => {
      if (client !== next || payload === undefined) return
      if (processId !== backendOf(next)) on.message(payload)
    })
    try {
      await next.connect()
      await next.query(`listen ${LIVE_CHANNEL}`)
      pauseMs = patience.firstPauseMs
      lost = false
      await beat(next)
    } catch (error) {
      again(next, error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Asks for the lock, or, as the leader, whether the database is still there. */
  async function beat(of: pg.Client): Promise<void> {
    try {
      if (leads) await of.query('select 1')
      else {
        const asked = await of.query<{ mine: boolean }>(
          'select pg_try_advisory_lock(hashtext($1)) as mine',
          [LEADER_LOCK],
        )
        if (client === of && asked.rows[0]?.mine) lead(true)
      }
      if (client === of && !stopped) after(leads ? patience.beatMs : patience.askMs, () => beat(of))
    } catch (error) {
      again(of, error instanceof Error ? error : new Error(String(error)))
    }
  }

  void connect()
  return {
    publish: (text) => {
      if (leads) client?.query('select pg_notify($1, $2)', [LIVE_CHANNEL, text]).catch(ignore)
    },
    isLeader: () => leads,
    stop: async () => {
      stopped = true
      if (timer) clearTimeout(timer)
      const last = client
      client = null
      lead(false)
      await last?.end().catch(ignore)
    },
  }
}

/** A verdict as it goes over the line: prediction, mode, outcome, and the number of the verdict. */
type LineVerdict = readonly [id: string, mode: string, outcome: string, verdict: number]

/**
 * Tells every process, once the transaction commits, which predictions have been judged anew. First verdicts are left
 * out: no page shows the prediction yet.
 *
 * @param ids the numbers of the verdicts, in the same order
 */
export async function announceVerdicts(
  db: Db,
  asset: AssetKey,
  given: readonly NewVerdict[],
  ids: readonly number[],
): Promise<void> {
  const news = given.flatMap(({ predictionId, change, verdict }, n): LineVerdict[] =>
    change === 'first' ? [] : [[predictionId, verdict.mode, verdict.outcome, ids[n] ?? 0]],
  )
  let part: LineVerdict[] = []
  let size = 0
  for (const one of news) {
    const bytes = Buffer.byteLength(JSON.stringify(one)) + 1
    if (size + bytes > MOST_BYTES) {
      await notify(db, asset, part)
      part = []
      size = 0
    }
    part.push(one)
    size += bytes
  }
  if (part.length > 0) await notify(db, asset, part)
}

async function notify(db: Db, asset: AssetKey, verdicts: readonly LineVerdict[]): Promise<void> {
  const text = JSON.stringify({ kind: 'verdicts', asset, verdicts })
  await db.execute(sql`select pg_notify(${LIVE_CHANNEL}, ${text})`)
}

/** The number of the server's process behind a connection; `pg` knows it, its types do not. */
function backendOf(client: pg.Client): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null
}

function ignore(): void {
  // A connection that is being given up may say anything.
}
