import { type Reason } from '#server/kit/ports.ts'
import { type Admin, type Clock, type Log } from '#server/kit/ports.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { type Db } from '#server/kit/db.ts'
import { networkOf } from '#server/http/network-of.ts'

/** How signing in can end. */
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
const SWEEP_MS = 60_000
/** Kinds that are counted apart within an hour, for each action and account; further ones are noted together. */
const MOST_KINDS = 30
/** A call without a session names no account, and pages left open make many of them: they are counted only. */
const COUNTED_ONLY: ReadonlySet<Outcome | Reason> = new Set(['signed in', 'not signed in'])

type Kind = {
  /** Whose number is limited together: by action and account. */
  readonly group: string
  readonly action: string
  readonly admin: Admin | null
  readonly facts: Readonly<Record<string, string>>
  readonly sinceMs: number
  lastMs: number
  /** Not in the audit log yet. */
  unwritten: number
}

export type Refusals = ReturnType<typeof refusalLog>

/**
 * Notes failed sign-ins and refused calls in the audit log, and counts them for the metrics. The first of a kind (what, whose
 * account, from which network) is written at once, those that follow within the hour as one entry with their number; however
 * many an attacker makes, an hour adds some sixty entries at the most for each action and account. These are counted apart, so
 * that refusals of one kind, or without an account, cannot hide those of another.
 */
export function refusalLog({ db, clock, log }: { db: Db; clock: Clock; log: Log }) {
  const kinds = new Map<string, Kind>()
  const counts = new Map<Outcome | Reason, number>()
  const writing = new Set<Promise<void>>()

  /** @param more how many have followed the first one; null for the first one itself */
  function write(kind: Kind, more: number | null): void {
    const { action, admin, facts, sinceMs, lastMs } = kind
    const iso = (ms: number): string => new Date(ms).toISOString()
    const work = writeAudit(db, {
      at: iso(clock.now()),
      admin: null,
      username: 'visitor',
      action,
      subject: { kind: 'admin', id: admin?.id ?? null },
      after: {
        ...facts,
        ...(more === null ? {} : { more, from: iso(sinceMs), to: iso(lastMs) }),
      },
    })
      // That a note cannot be written must not delay an answer.
      .catch((error: unknown) => log.warn({ err: error }, 'a refusal could not be noted'))
      .finally(() => writing.delete(work))
    writing.add(work)
  }

  /** @param all also those whose hour is not over */
  function sweep(all: boolean): void {
    for (const [key, kind] of kinds) {
      if (!all && kind.sinceMs + HOUR_MS > clock.now()) continue
      kinds.delete(key)
      if (kind.unwritten > 0) write(kind, kind.unwritten)
    }
  }

  function note(
    action: string,
    why: Outcome | Reason,
    given: { admin: Admin | null; address: string; facts: Readonly<Record<string, string>> },
  ): void {
    counts.set(why, (counts.get(why) ?? 0) + 1)
    if (COUNTED_ONLY.has(why)) return
    sweep(false)
    const { admin, facts } = given
    const address = networkOf(given.address)
    const key = JSON.stringify([action, why, admin?.id, address])
    const now = clock.now()
    const known = kinds.get(key)
    const group = JSON.stringify([action, admin?.id])
    const rest = `${group}, from elsewhere`
    const isMany = [...kinds.values()].filter((one) => one.group === group).length >= MOST_KINDS
    if (known || (isMany && kinds.has(rest))) {
      const kind = known ?? kinds.get(rest)
      if (!kind) return
      kind.lastMs = now
      kind.unwritten += 1
      return
    }
    const base = { group, action, sinceMs: now, lastMs: now }
    if (isMany) {
      const { name } = facts
      const others = { why: 'several', ...(name === undefined ? {} : { name }), address: 'several' }
      kinds.set(rest, { ...base, admin, facts: others, unwritten: 1 })
      return
    }
    const kind: Kind = { ...base, admin, facts: { why, ...facts, address }, unwritten: 0 }
    kinds.set(key, kind)
    write(kind, null)
  }

  const timer = setInterval(() => sweep(false), SWEEP_MS)
  timer.unref()

  return {
    /** @param admin whose account was tried, where there is one; a name that is no account is never kept: it may be a password */
    signIn(outcome: Outcome, admin: Admin | null, address: string): void {
      const facts = { name: admin?.username ?? 'unknown name' }
      const action = outcome === 'locked out' ? 'sign-in locked out' : 'sign-in failed'
      note(action, outcome, { admin, address, facts })
    },

    /** @param call such as `POST /api/x/tweet`, by its route */
    call(reason: Reason, admin: Admin | null, address: string, call: string): void {
      const facts = { ...(admin ? { name: admin.username } : {}), call }
      note('call refused', reason, { admin, address, facts })
    },

    /** How often each has happened since this process began. */
    counts: (): ReadonlyMap<Outcome | Reason, number> => counts,

    /** Writes what is not written yet, and waits for it. */
    async flush(): Promise<void> {
      sweep(true)
      await Promise.all(writing)
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      sweep(true)
      await Promise.all(writing)
    },
  }
}
