import { sql } from 'drizzle-orm'
import pg from 'pg'
import { openClient, type Db } from './db.ts'
import { retries } from './retries.ts'

/**
 * What processes signal each other by PostgreSQL's NOTIFY, and how long several signals in a row are gathered into one,
 * milliseconds; those that carry a text are never gathered.
 */
const CHANNELS = {
  /** Prices, predictions or verdicts have changed; the text names predictions, as `recordChanged` writes it. */
  record: 0,
  /** A receipt has changed; the key is the id of its submission. */
  receipt: 0,
  /** The queue of posts has changed. */
  queue: 200,
  /** A live price, as JSON; see `live-prices.ts`. */
  price: 0,
  /** Today's scores have been computed; the text is their mode. */
  scores: 0,
  /** A snapshot of the record has been made. */
  snapshots: 0,
  /** What a page of an administrator is at, as JSON; see `presence.service.ts`. */
  presence: 0,
} as const
type Channel = keyof typeof CHANNELS

const LEADER_LOCK = 'proof-of-price leader'

type SignalPatience = {
  /** How often a process that does not lead asks whether it may; a leader's end shows within this time. */
  readonly askMs: number
  /** How often it is made sure that the connection, and with it the lead, is still there. */
  readonly beatMs: number
  readonly queryMs: number
  readonly firstPauseMs: number
  readonly longestPauseMs: number
}

const PATIENCE: SignalPatience = {
  askMs: 300,
  beatMs: 2_000,
  queryMs: 5_000,
  firstPauseMs: 200,
  longestPauseMs: 5_000,
}

/** Gets the text of a signal, or null when anything may have changed; must not throw. */
type Listener = (text: string | null) => void

export type Signals = {
  /**
   * @param key hear only signals with exactly this text
   * @returns ends it
   */
  readonly listen: (channel: Channel, listener: Listener, key?: string) => () => void
  /** Sends to the other processes, not back to this one; lost without a trace while the database is away or refuses it. */
  readonly send: (channel: Channel, text: string) => void
  /** Asks for the lead from now on; in all processes of a database one has it at a time. */
  readonly lead: (onLead: (isLeader: boolean) => void) => Leadership
  readonly stop: () => Promise<void>
}

export type Leadership = { readonly isLeader: () => boolean; readonly stop: () => void }

/** Sends signals to every process, this one too: once the transaction commits, or now where there is none. */
export async function sendSignal(
  db: Db,
  channel: Channel,
  keys: readonly string[] = [''],
): Promise<void> {
  if (keys.length === 0) return
  await db.execute(
    sql`select pg_notify(${nameOf(channel)}, key) from unnest(${sql.param([...keys])}::text[]) as key`,
  )
}

/**
 * The one connection of this process that hears the signals of all processes, and whose session holds the lock of the
 * leader; PostgreSQL is reached directly, as a pooler would give the session to others. It is opened when it is first
 * needed. A lost one is opened again with growing pauses, and the lead is lost with it at once. Whenever it is there
 * (again), every listener hears null: what has changed meanwhile was not heard.
 *
 * @param onError once when the connection is lost, and again only after it was there
 */
export function openSignals(
  connection: pg.ClientConfig,
  onError: (error: Error) => void,
  patience: SignalPatience = PATIENCE,
): Signals {
  const hearers = openHearers()
  let client: pg.Client | null = null
  /** Settles when no query of `client` runs. */
  let idle: Promise<unknown> = Promise.resolve()
  let isThere = false
  let isBeating = false
  let timer: NodeJS.Timeout | null = null
  const { firstPauseMs: firstMs, longestPauseMs: longestMs } = patience
  const retry = retries(() => void connect(), { firstMs, longestMs })
  let stopped = false
  let lost = false
  let candidate: ((isLeader: boolean) => void) | null = null
  let leads = false

  function setLead(now: boolean): void {
    if (leads === now) return
    leads = now
    candidate?.(now)
  }

  function after(ms: number, then: () => Promise<void>): void {
    if (timer) clearTimeout(timer)
    timer = setTimeout(() => void then(), ms)
  }

  function again(of: pg.Client, error: Error): void {
    if (stopped || client !== of) return
    client = null
    isThere = false
    void of.end().catch(ignore)
    setLead(false)
    if (!lost) onError(error)
    lost = true
    if (timer) clearTimeout(timer)
    retry.again()
  }

  /** Queries one after the other, as `pg` wants it. A query that fails with its connection gives that up. */
  function ask<Row extends pg.QueryResultRow>(
    of: pg.Client,
    text: string,
    values: readonly string[] = [],
  ): Promise<pg.QueryResult<Row>> {
    const asked = idle.then(() => of.query<Row>(text, [...values]))
    idle = asked.catch((error: unknown) => {
      if (!isRefused(error)) again(of, errorOf(error))
    })
    return asked
  }

  async function connect(): Promise<void> {
    const next = openClient({
      connectionTimeoutMillis: patience.queryMs,
      query_timeout: patience.queryMs,
      application_name: 'proof-of-price signals',
      ...connection,
    })
    client = next
    idle = Promise.resolve()
    next.on('error', (error) => again(next, error))
    next.on('end', () => again(next, new Error('the connection that hears of changes has ended')))
    next.on('notification', ({ channel: name, payload = '', processId }) => {
      const channel = channelOf(name)
      if (client === next && channel && processId !== backendOf(next))
        hearers.hear(channel, payload)
    })
    try {
      await next.connect()
      for (const channel of channels) await ask(next, `listen ${nameOf(channel)}`)
      retry.reset()
      lost = false
      if (client !== next) return
      isThere = true
      hearers.hearAll()
      await beat(next)
    } catch (error) {
      again(next, errorOf(error))
    }
  }

  /** Asks for the lead where this process wants it and has it not, or else whether the database is still there. */
  async function beat(of: pg.Client): Promise<void> {
    isBeating = true
    try {
      if (leads || !candidate) await ask(of, 'select 1')
      else {
        const text = 'select pg_try_advisory_lock(hashtext($1)) as mine'
        const asked = await ask<{ mine: boolean }>(of, text, [LEADER_LOCK])
        if (client === of && asked.rows[0]?.mine) setLead(true)
      }
    } catch {
      // The connection has been given up, or the database refused this question and is asked again.
    }
    isBeating = false
    const isAsking = candidate !== null && !leads
    if (client === of && !stopped) {
      after(isAsking ? patience.askMs : patience.beatMs, () => beat(of))
    }
  }

  function begin(): void {
    if (client === null && !lost && !stopped) void connect()
  }

  return {
    listen(channel, listener, key) {
      begin()
      return hearers.listen(channel, listener, key)
    },

    send(channel, text) {
      if (client && isThere) {
        ask(client, 'select pg_notify($1, $2)', [nameOf(channel), text]).catch(ignore)
      }
    },

    lead(onLead) {
      candidate = onLead
      const of = client
      if (of === null || !isThere) begin()
      else if (!isBeating) after(0, () => beat(of))
      return {
        isLeader: () => leads && candidate === onLead,
        stop: () => {
          if (candidate !== onLead) return
          const of = client
          if (of && leads) {
            // A lock that is not given back ends with its connection.
            ask(of, 'select pg_advisory_unlock(hashtext($1))', [LEADER_LOCK]).catch((error) =>
              again(of, errorOf(error)),
            )
          }
          setLead(false)
          candidate = null
        },
      }
    },

    async stop() {
      stopped = true
      retry.stop()
      if (timer) clearTimeout(timer)
      hearers.stop()
      const last = client
      client = null
      isThere = false
      setLead(false)
      await last?.end().catch(ignore)
    },
  }
}

/** Who listens in this process. Signals of a channel that come close together are heard once. */
function openHearers() {
  const listeners = new Map<string, Set<Listener>>()
  const gathering = new Map<Channel, NodeJS.Timeout>()
  const notify = (of: ReadonlySet<Listener> | undefined, text: string | null): void => {
    for (const listener of of ?? []) listener(text)
  }
  return {
    listen(channel: Channel, listener: Listener, key?: string): () => void {
      const name = key === undefined ? channel : `${channel} ${key}`
      const own = listeners.get(name) ?? new Set()
      listeners.set(name, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(name) === own) listeners.delete(name)
      }
    },
    hear(channel: Channel, text: string): void {
      const ms = CHANNELS[channel]
      const now = (): void => {
        gathering.delete(channel)
        notify(listeners.get(channel), text)
      }
      if (ms === 0) now()
      else if (!gathering.has(channel)) gathering.set(channel, setTimeout(now, ms))
      if (text !== '') notify(listeners.get(`${channel} ${text}`), text)
    },
    /** Null to everyone: what has changed was not heard. */
    hearAll(): void {
      for (const set of listeners.values()) notify(set, null)
    },
    stop(): void {
      for (const one of gathering.values()) clearTimeout(one)
    },
  }
}

const channels: readonly Channel[] = [
  'record',
  'receipt',
  'queue',
  'price',
  'scores',
  'snapshots',
  'presence',
]

function nameOf(channel: Channel): string {
  return `proof_of_price_${channel}`
}

function channelOf(name: string): Channel | undefined {
  return channels.find((channel) => nameOf(channel) === name)
}

/** The number of the server's process behind a connection; `pg` knows it, its types do not. */
function backendOf(client: pg.Client): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null
}

/** Whether the database has refused a query on a connection that is sound: no class 08, and no shutdown (57P). */
function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(?:08|57P)/.test(error.code ?? '08')
}

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

function ignore(): void {
  // A connection that is being given up may say anything.
}
