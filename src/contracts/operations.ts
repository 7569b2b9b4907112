import { ASSET_KEYS } from '#domain/asset.ts'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { z } from 'zod'
import { CalendarDay } from './calendar-day.ts'
import { Done, PageNumber, Search } from './corrections.ts'
import { defineRoute } from './route.ts'
import { status } from './status.ts'

const moment = z.string().nullable()
const Asset = z.enum(ASSET_KEYS)

export const JOB_STATES = ['ok', 'waiting', 'running', 'failing', 'late', 'off'] as const

/** A problem that an administrator should fix; `name` says which kind. */
const Warning = z.object({ name: z.string(), text: z.string() })
export type Warning = z.infer<typeof Warning>

export const listJobs = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/jobs',
  access: 'read-all',
  summary:
    'The automatic jobs of the site: state, last run, last failure, next run; and problems to fix.',
  reply: z.object({
    now: z.string(),
    /** Problems to fix, in sentences. */
    warnings: z.array(Warning),
    jobs: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        state: z.enum(JOB_STATES),
        /** How many items wait for it. */
        waiting: z.int(),
        last_run: moment,
        last_error: moment,
        last_error_at: moment,
        next_run: moment,
      }),
    ),
  }),
})

/** How a process sees the replica that it reads from. */
const ReplicaSeen = z.object({
  state: z.enum(['used', 'behind', 'away', 'unfit']),
  /** By how much it is behind, milliseconds; null while that cannot be known. */
  behind_ms: z.number().nullable(),
})

export const listProcesses = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/processes',
  access: 'read-all',
  summary: 'The processes of the site: what each does, and whether it lives.',
  reply: z.object({
    processes: z.array(
      z.object({
        id: z.uuid(),
        role: z.enum(['web', 'worker', 'both']),
        host: z.string(),
        pid: z.int(),
        started_at: z.string(),
        /** When it was heard of last; seconds. */
        heard_seconds_ago: z.number(),
        /** False once it has not been heard of for some seconds: it was killed, or cannot reach the database. */
        is_alive: z.boolean(),
        /** It talks to the venues. */
        leads: z.boolean(),
        /** Open streams and sockets of visitors. */
        lines: z.int(),
        /** Null where it has none. */
        replica: ReplicaSeen.nullable(),
      }),
    ),
  }),
})

export const listSources = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/prices/sources',
  access: 'read-all',
  summary: 'Where prices come from, how each source is doing, and price jumps to review.',
  reply: status.reply,
})

export const runSource = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/prices/sources/run',
  access: 'operate',
  summary:
    'Asks a price source now, for the current day or for the highs and lows of earlier ones.',
  body: z.strictObject({
    asset: Asset,
    source: z.string().min(1).max(60),
    earlier_days: z.boolean().default(false),
  }),
  reply: Done,
})

export const listJumps = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/prices/jumps',
  access: 'read-all',
  summary: 'Unexplained jumps of a close: open ones first, then the latest answers.',
  reply: z.object({
    jumps: z.array(
      z.object({
        asset: Asset,
        date: z.iso.date(),
        sources: z.string(),
        before_date: z.iso.date(),
        before: z.number(),
        after: z.number(),
        asked_at: z.string(),
        answer: z.enum(['real', 'split', 'withdrawn']).nullable(),
        answered_at: moment,
        /** The split that the two prices suggest, such as 10 for ten-for-one; null when they suggest none, and for coins. */
        looks_like_split: z.number().nullable(),
      }),
    ),
  }),
})

export const answerJump = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/prices/jumps/answer',
  access: 'operate',
  summary:
    'Says what a jump was: real (its prices are accepted), split (earlier prices are converted to the new units), or wrong (asked again if it comes back).',
  body: z.strictObject({
    asset: Asset,
    date: CalendarDay,
    answer: z.enum(['real', 'split', 'wrong']),
    /** For a split: how many units one unit became. */
    ratio: z.number().positive().max(10_000).optional(),
    note: z.string().trim().max(500).default(''),
  }),
  reply: Done,
})

const RangeChanges = {
  days: z.int(),
  from: z.iso.date(),
  to: z.iso.date(),
  /** Verdicts whose outcome or day is another one; `changes` lists the first ones of many. */
  changed: z.int(),
  changes: z.array(
    z.object({
      id: z.string(),
      mode: z.enum(JUDGE_MODES),
      /** Such as `PENDING` or `SUCCESS on 05/12/2024`. */
      before: z.string(),
      after: z.string(),
    }),
  ),
  /** Verdicts that stay as they are, on better evidence. */
  completed: z.int(),
}

export const listEarlierDays = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/prices/earlier-days',
  access: 'read-all',
  summary:
    'Highs and lows of days of which the record had closes only: what waits to be published, what was, and which bars were refused.',
  reply: z.object({
    mode: status.reply.shape.earlier_days.shape.mode,
    sources: status.reply.shape.earlier_days.shape.sources,
    waiting: z.array(
      z.object({
        asset: Asset,
        /** All sources have answered; until then it may still grow. */
        complete: z.boolean(),
        /** Names this summary when it is published. */
        digest: z.string(),
        ...RangeChanges,
      }),
    ),
    published: z.array(
      z.object({ asset: Asset, at: z.string(), by: z.string().nullable(), ...RangeChanges }),
    ),
    refused: z.object({
      total: z.int(),
      newest: z.array(
        z.object({ asset: Asset, date: z.iso.date(), source: z.string(), reason: z.string() }),
      ),
    }),
  }),
})

export const publishEarlierDays = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/prices/earlier-days/publish',
  access: 'operate',
  summary:
    'Brings the highs and lows that wait into the record, with the verdicts that change by them.',
  body: z.strictObject({
    asset: Asset,
    /** The digest of the summary that was shown: when it is another one by now, nothing is published. */
    seen: z.string().max(100),
  }),
  reply: Done,
})

/** How often the addresses of sources are asked (SOURCE_CHECKS). */
export const SOURCE_CHECKS = ['weekly', 'off'] as const
export type SourceChecks = (typeof SOURCE_CHECKS)[number]

export const listSourceChecks = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/sources/checks',
  access: 'read-all',
  summary:
    'Whether the addresses of sources still answer: how many were asked, and which are dead.',
  reply: z.object({
    mode: z.enum(SOURCE_CHECKS),
    /** Addresses of the predictions on record. */
    addresses: z.int(),
    /** Of these: asked at least once, and due now. */
    asked: z.int(),
    waiting: z.int(),
    /** Failed once, or more often within a week: not dead yet. */
    failing: z.int(),
    /** Those that do not let us look, or may not be asked. */
    closed: z.int(),
    last_asked: moment,
    next_ask: moment,
    dead: z.object({
      total: z.int(),
      newest: z.array(
        z.object({
          url: z.string(),
          dead_since: z.string(),
          asked_at: z.string(),
          /** What the last failure was. */
          note: z.string().nullable(),
          archived_url: z.string().nullable(),
          /** The predictions that it is a source of. */
          predictions: z.array(z.string()),
        }),
      ),
    }),
  }),
})

const AuditFilter = z.object({
  who: z.string().max(64).default(''),
  action: z.string().max(80).default(''),
  kind: z.string().max(40).default(''),
  id: z.string().max(200).default(''),
  from: CalendarDay.optional(),
  /** This day included. */
  to: CalendarDay.optional(),
  q: Search,
})
export type AuditFilter = z.output<typeof AuditFilter>

export const AuditRow = z
  .object({
    id: z.int(),
    at: z.string(),
    who: z.string(),
    action: z.string(),
    kind: z.string(),
    subject: z.string().nullable(),
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'AuditRow' })
export type AuditRow = z.infer<typeof AuditRow>

/** What an entry is about as people call it, such as `Tom Lee: BTC $150,000 by 31/12/2026`. */
const AuditAbout = z.object({ name: z.string(), asset_type: Asset.nullable() })
export type AuditAbout = z.infer<typeof AuditAbout>

const AuditEntry = AuditRow.extend({
  /** Null for what has no name, and for what is no longer on record. */
  about: AuditAbout.nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const listAudit = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/audit',
  access: 'read-all',
  summary: 'Who did what and when, newest first, 50 a page.',
  query: AuditFilter.extend({ page: PageNumber }),
  reply: z.object({
    total: z.int(),
    page: z.int(),
    pages: z.int(),
    rows: z.array(AuditEntry),
    /** The values that the filters can have. */
    known: z.object({
      who: z.array(z.string()),
      actions: z.array(z.string()),
      kinds: z.array(z.string()),
    }),
  }),
})

export const exportAudit = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/audit/export',
  access: 'read-all',
  summary: 'The same without pages, as a file: CSV, or JSON with one object a line.',
  query: AuditFilter.extend({ format: z.enum(['csv', 'jsonl']).default('csv') }),
  reply: z.unknown(),
})
