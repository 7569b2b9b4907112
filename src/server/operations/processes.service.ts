import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type z } from 'zod'
import { type listProcesses } from '#contracts/operations.ts'
import { type Kit } from '#server/kit/kit.ts'
import { startRounds } from '#server/kit/rounds.ts'
import { forgetProcess, heardProcesses, noteProcess } from './processes.store.ts'

const BEAT_MS = 3_000
/** Three beats: one may be late on a busy machine. */
const ALIVE_SECONDS = 10

/** What changes about a process while it runs. */
export type ProcessNow = {
  readonly leads: boolean
  readonly lines: number
  readonly replica: ReturnType<Kit['replica']>
}

/** Tells all processes that this one lives, from now until `stop`. */
export function registerProcess(
  { db, config, log }: Pick<Kit, 'db' | 'config' | 'log'>,
  { facts, beatMs = BEAT_MS }: { facts: () => ProcessNow; beatMs?: number },
): { stop: () => Promise<void> } {
  const own = { id: randomUUID(), role: config.role, host: hostname(), pid: process.pid }
  const rounds = startRounds({
    log,
    texts: {
      waits: 'That this process lives is noted once the database is back.',
      failed: 'That this process lives could not be noted',
    },
    firstMs: 0,
    roundMs: beatMs,
    longestMs: beatMs,
    round: async () => {
      const { replica, ...now } = facts()
      const seen = { replicaState: replica?.state ?? null, behindMs: replica?.behindMs ?? null }
      await noteProcess(db, { ...own, ...now, ...seen })
    },
  })
  return {
    stop: async () => {
      await rounds.stop()
      await forgetProcess(db, own.id).catch(() => {
        // It is forgotten with time.
      })
    },
  }
}

export async function processesNow({
  db,
}: Pick<Kit, 'db'>): Promise<z.input<typeof listProcesses.reply>> {
  const rows = await heardProcesses(db)
  return {
    processes: rows.map(({ row, secondsAgo }) => ({
      id: row.id,
      role: row.role,
      host: row.host,
      pid: row.pid,
      started_at: new Date(row.startedAt).toISOString(),
      heard_seconds_ago: secondsAgo,
      is_alive: secondsAgo < ALIVE_SECONDS,
      leads: row.leads,
      lines: row.lines,
      replica:
        row.replicaState === null ? null : { state: row.replicaState, behind_ms: row.behindMs },
    })),
  }
}
