import { and, eq } from 'drizzle-orm'
import { auditLog } from '#server/database/schema/admins.ts'
import { type Admin, type Reason } from '#server/kit/admin.ts'
import { type Db } from '#server/kit/db.ts'
import { type Log } from '#server/kit/log.ts'
import { networkOf, prefixOf } from '#server/kit/reach.ts'
import { type Clock } from '#server/kit/time.ts'

export const OUTCOMES = [
  'signed in',
  'unknown name',
  'wrong password',
  'wrong code',
  'passkey refused',
  'locked out',
] as const
export type Outcome = (typeof OUTCOMES)[number]

const HOUR_MS = 3_600_000
/** The count of an entry may lag behind by this long. */
const COUNT_EVERY_MS = 10_000
/** Kinds counted separately within an hour, for each action and account; further kinds share one entry. */
const MOST_KINDS = 30
/** Never audited: calls without a session name no account, and pages left open make many of them. */
const COUNTED_ONLY: ReadonlySet<Outcome | Reason> = new Set(['signed in', 'not signed in'])

/** Refusals of calls that people made deliberately; another site can make a browser send the rest. */
const BY_THEM: ReadonlySet<string> = new Set(['role', 'token for the account'] satisfies Reason[])

type Kind = {
  /** Key of action and account. */
  readonly group: string
  readonly action: string
  readonly admin: Admin | null
  facts: Readonly<Record<string, string>>
  readonly sinceMs: number
  lastMs: number
  times: number
  /** The count stored in the entry. */
  written: number
  /** The id of the audit entry. */
  entry: Promise<number | null>
}

export type Refusals = ReturnType<typeof refusalLog>

/**
 * Records failed sign-ins and refused calls in the audit log, and counts them for the metrics. The first of a
 * kind (reason, account, network prefix) is written at once; those within the next hour raise the count of its
 * entry. An attack therefore adds at most about thirty entries an hour for each action and account. Kinds are
 * counted separately so that refusals of one kind, or without an account, cannot hide others.
 */
export function refusalLog({ db, clock, log }: { db: Db; clock: Clock; log: Log }) {
  const kinds = new Map<string, Kind>()
  const counts = new Map<Outcome | Reason, number>()
  const writing = new Set<Promise<unknown>>()

  function write(kind: Kind): void {
    const { action, admin, facts, sinceMs, lastMs, times } = kind
    if (kind.written === times) return
    kind.written = times
    const iso = (ms: number): string => new Date(ms).toISOString()
    const many = times === 1 ? {} : { times, from: iso(sinceMs), to: iso(lastMs) }
    const after = { ...facts, ...many }
    kind.entry = kind.entry
      .then(async (entry) => {
        if (entry === null) {
          const by = BY_THEM.has(facts['why'] ?? '') ? admin : null
          const who = { adminId: by?.id ?? null, username: by?.username ?? 'visitor' }
          const subjectId = admin && String(admin.id)
          const subject = { subjectKind: 'admin', subjectId, subjectName: admin?.username ?? null }
          const added = { at: iso(sinceMs), ...who, action, ...subject, after }
          const [row] = await db.insert(auditLog).values(added).returning({ id: auditLog.id })
          return row?.id ?? null
        }
        // Only entries of refusals ever change.
        const isIt = and(eq(auditLog.id, entry), eq(auditLog.action, action))
        await db.update(auditLog).set({ after }).where(isIt)
        return entry
      })
      // A failed audit entry must not delay the response.
      .catch((error: unknown) => {
        log.warn({ err: error }, 'refusal could not be recorded')
        return null
      })
    const work = kind.entry.finally(() => writing.delete(work))
    writing.add(work)
  }

  async function flush(): Promise<void> {
    for (const kind of kinds.values()) write(kind)
    await Promise.all(writing)
  }

  /** A new entry starts after an hour. */
  function endOld(): void {
    for (const [key, kind] of kinds) {
      if (kind.sinceMs + HOUR_MS > clock.now()) continue
      write(kind)
      kinds.delete(key)
    }
  }

  function note(
    action: string,
    why: Outcome | Reason,
    attempt: { admin: Admin | null; address: string; facts: Readonly<Record<string, string>> },
  ): void {
    counts.set(why, (counts.get(why) ?? 0) + 1)
    if (COUNTED_ONLY.has(why)) return
    const { admin, facts } = attempt
    const address = networkOf(attempt.address)
    const now = clock.now()
    endOld()
    const prefix = prefixOf(attempt.address)
    const key = JSON.stringify([action, why, admin?.id, prefix])
    const group = JSON.stringify([action, admin?.id])
    const isMany = [...kinds.values()].filter((one) => one.group === group).length >= MOST_KINDS
    const rest = `${group}, from elsewhere`
    const known = kinds.get(key) ?? (isMany ? kinds.get(rest) : undefined)
    if (known) {
      known.lastMs = now
      known.times += 1
      const isOther = known === kinds.get(key) && known.facts['address'] !== address
      if (isOther) known.facts = { ...known.facts, address: prefix }
      return
    }
    const { name } = facts
    const others = { why: 'several', ...(name === undefined ? {} : { name }), address: 'several' }
    const kind: Kind = {
      group,
      action,
      admin,
      facts: isMany ? others : { why, ...facts, address },
      sinceMs: now,
      lastMs: now,
      times: 1,
      written: 0,
      entry: Promise.resolve(null),
    }
    kinds.set(isMany ? rest : key, kind)
    write(kind)
  }

  const timer = setInterval(() => {
    endOld()
    void flush()
  }, COUNT_EVERY_MS)
  timer.unref()

  return {
    /** @param admin the account tried; an unknown name is never stored, as it may be a password */
    signIn(outcome: Outcome, admin: Admin | null, address: string): void {
      const facts = { name: admin?.username ?? 'unknown name' }
      const action = outcome === 'locked out' ? 'sign-in locked out' : 'sign-in failed'
      note(action, outcome, { admin, address, facts })
    },

    /** @param call the route, such as `POST /api/x/tweet` */
    call(reason: Reason, admin: Admin | null, address: string, call: string): void {
      const facts = { ...(admin ? { name: admin.username } : {}), call }
      note('call refused', reason, { admin, address, facts })
    },

    /** Counts since the process started. */
    counts: (): ReadonlyMap<Outcome | Reason, number> => counts,

    /** Writes pending entries. */
    flush,

    stop(): Promise<void> {
      clearInterval(timer)
      return flush()
    },
  }
}
