import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { z } from 'zod'
import { ViewMetadata } from './open-data.ts'
import { HistoryRow, PredictionRow, VerdictRow } from './predictions.ts'
import { defineRoute } from './route.ts'
import { PersonScoreRow, ScoredCallRow, ScoresReply } from './scores.ts'
import { SNAPSHOT_TABLES, type SnapshotTable } from './snapshots.paths.ts'
import { SourceRow } from './source.ts'

const Mode = z.enum(JUDGE_MODES)
const prediction_id = z.string()

/** What was said, and when; what calls name twice is here once. */
const Said = PredictionRow.pick({
  id: true,
  asset_type: true,
  price_prediction: true,
  prediction_type: true,
  price_target: true,
  price_min: true,
  price_max: true,
  timing: true,
  direction: true,
  split_factor: true,
  prediction_made: true,
  made_precision: true,
  start_date: true,
  target_time: true,
  target_precision: true,
  deadline_assumed: true,
  quote: true,
  created_at: true,
}).extend({
  url: z.string(),
  influencer: PredictionRow.shape.influencer.pick({
    slug: true,
    name: true,
    is_firm: true,
    x_handle: true,
  }),
  frozen: z.boolean(),
  withdrawn: z.object({ at: z.string(), reason: z.string() }).nullable(),
})

/** A row of each table; those that calls send, too, are the same there. */
export const SNAPSHOT_ROWS = {
  predictions: Said,
  sources: SourceRow.extend({ prediction_id, place: z.int().positive() }),
  verdicts: VerdictRow.extend({ prediction_id }),
  scores: PersonScoreRow.omit({ calls: true }).extend({ mode: Mode }),
  'scored-calls': ScoredCallRow.extend({ mode: Mode, slug: z.string() }),
  corrections: HistoryRow.pick({ at: true, text: true }).extend({
    prediction_id,
    kind: HistoryRow.shape.kind.exclude(['published', 'judged']),
  }),
} as const satisfies Readonly<Record<SnapshotTable, z.ZodObject>>

export type SnapshotRowOf<Table extends SnapshotTable> = z.infer<(typeof SNAPSHOT_ROWS)[Table]>

const Inputs = ScoresReply.shape.inputs

/** What is said about a snapshot, in a file of its own inside it. */
export const SnapshotMetadata = ViewMetadata.pick({
  title: true,
  url: true,
  as_of: true,
  prices_through: true,
  rule: true,
  methodology: true,
  licence: true,
  citation: true,
  price_sources: true,
  notes: true,
}).extend({
  /** A change of the files' form gets a new number. */
  format: z.literal(1),
  /** When it was made: it is of the record at this moment. */
  made: z.iso.datetime(),
  tables: z.array(
    z.object({
      name: z.enum(SNAPSHOT_TABLES),
      rows: z.int(),
      columns: ViewMetadata.shape.columns,
    }),
  ),
  /** What the scores were computed from: the same digest gives the same figures. */
  scores: z.object({ touch: Inputs, close: Inputs }),
})
export type SnapshotMetadata = z.infer<typeof SnapshotMetadata>

const File = z.object({
  name: z.string(),
  url: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  /** Null for what is no table. */
  rows: z.int().nullable(),
})

const Snapshot = z
  .object({
    day: z.iso.date(),
    made: z.iso.datetime(),
    rule: z.int(),
    archive: File.omit({ rows: true }),
    files: z.array(File),
    citation: z.string(),
  })
  .meta({ id: 'Snapshot' })
export type SnapshotItem = z.infer<typeof Snapshot>

const SnapshotList = z.object({
  total: z.int(),
  page: z.int(),
  pages: z.int(),
  rows: z.array(Snapshot),
})
export type SnapshotList = z.infer<typeof SnapshotList>

/** What the page about the data shows of them. */
export type SnapshotsShown = Omit<SnapshotList, 'rows'> & {
  /** The newest one; null before the first. */
  readonly latest: SnapshotItem | null
  readonly rows: readonly {
    readonly day: string
    /** Of its archive. */
    readonly bytes: number
    readonly sha256: string
    readonly predictions: number
  }[]
}

export const listSnapshots = defineRoute({
  method: 'GET',
  path: '/api/v1/snapshots',
  access: 'public',
  open: true,
  summary:
    'The dated snapshots of the whole record, newest first, 30 a page, with their files and checksums.',
  query: z.object({ page: z.coerce.number().int().min(1).max(100_000).default(1) }),
  reply: SnapshotList,
})
