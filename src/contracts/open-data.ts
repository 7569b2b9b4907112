import { z } from 'zod'
import { JUDGE_MODES } from '#domain/judging/verdict.ts'
import { COLUMN_KINDS } from './data-columns.ts'
import { SNAPSHOT_TABLES, type SnapshotTable } from './data-files.ts'
import { paging } from './fields.ts'
import { HistoryRow, PredictionRow, VerdictRow, SourceRow } from './predictions.ts'
import { get } from './route.ts'
import { PersonScoreRow, ScoredCallRow, ScoresReply } from './scores.ts'

export const PriceSourceTerms = z
  .object({
    source: z.string(),
    title: z.string(),
    attribution: z.string(),
    licence: z.string(),
    terms: z.string().nullable(),
    redistributable: z.boolean(),
  })
  .meta({ id: 'PriceSourceTerms' })
export type PriceSourceTerms = z.infer<typeof PriceSourceTerms>

export const ViewMetadata = z
  .object({
    title: z.string(),
    url: z.string(),
    files: z.object({ csv: z.string().optional(), json: z.string() }),
    /** The day of the data, as 2026-11-24. */
    as_of: z.string(),
    /** The day of the last close, by asset. */
    prices_through: z.record(z.string(), z.string().nullable()),
    rule: z.int(),
    methodology: z.string(),
    filters: z.record(z.string(), z.string()),
    rows: z.int(),
    columns: z.array(z.object({ name: z.string(), kind: z.enum(COLUMN_KINDS), about: z.string() })),
    licence: z.object({ name: z.string(), url: z.string(), about: z.string() }),
    citation: z.string(),
    price_sources: z.array(PriceSourceTerms),
    notes: z.array(z.string()),
  })
  .meta({ id: 'ViewMetadata' })
export type ViewMetadata = z.infer<typeof ViewMetadata>

const Mode = z.enum(JUDGE_MODES)
const prediction_id = z.string()

/** The statement of a prediction, without fields that its scored call repeats. */
const Statement = PredictionRow.pick({
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

export const SNAPSHOT_ROWS = {
  predictions: Statement,
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
  format: z.literal(1),
  made: z.iso.datetime(),
  tables: z.array(
    z.object({
      name: z.enum(SNAPSHOT_TABLES),
      rows: z.int(),
      columns: ViewMetadata.shape.columns,
    }),
  ),
  scores: z.object({ touch: Inputs, close: Inputs }),
})
export type SnapshotMetadata = z.infer<typeof SnapshotMetadata>

const File = z.object({
  name: z.string(),
  url: z.string(),
  bytes: z.int(),
  sha256: z.string(),
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

const SnapshotList = z.object({ ...paging, rows: z.array(Snapshot) })
export type SnapshotList = z.infer<typeof SnapshotList>

export type SnapshotPage = Omit<SnapshotList, 'rows'> & {
  /** The newest one; null before the first. */
  readonly latest: SnapshotItem | null
  readonly rows: readonly {
    readonly day: string
    readonly bytes: number
    readonly sha256: string
    readonly predictions: number
  }[]
}

export const listSnapshots = get('/api/v1/snapshots', 'public', {
  open: true,
  summary:
    'The dated snapshots of the whole record, newest first, 30 a page, with their files and checksums.',
  query: z.object({ page: z.coerce.number().int().min(1).max(100_000).default(1) }),
  reply: SnapshotList,
})

const pixels = z.int().positive()
const most = z.coerce.number().pipe(z.int().min(1).max(10_000)).optional()

export const OEmbedQuery = z.object({
  url: z.string().min(1).max(2_000).describe('The address of the page, with its filters.'),
  maxwidth: most.describe('CSS pixels.'),
  maxheight: most.describe('CSS pixels.'),
  format: z.string().max(40).optional().describe('json (if left out) or xml.'),
})
export type OEmbedQuery = z.output<typeof OEmbedQuery>

export const oembed = get('/oembed', 'public', {
  callsAMinute: 120,
  summary:
    'How to embed a page of this site: oEmbed 1.0 (https://oembed.com), as JSON or XML. 404 where the page cannot be embedded, 501 for another format.',
  query: OEmbedQuery,
  reply: z
    .object({
      version: z.literal('1.0'),
      type: z.literal('rich'),
      title: z.string(),
      author_name: z.string().optional(),
      author_url: z.url().optional(),
      provider_name: z.string(),
      provider_url: z.url(),
      /** Seconds. */
      cache_age: pixels,
      html: z.string(),
      width: pixels,
      height: pixels,
      thumbnail_url: z.url().optional(),
      thumbnail_width: pixels.optional(),
      thumbnail_height: pixels.optional(),
    })
    .meta({ id: 'OEmbed' }),
})
