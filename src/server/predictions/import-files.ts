import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { CsvLines } from '#contracts/fields.ts'
import { SourceInput } from '#contracts/predictions.ts'
import { findAsset, type AssetKey } from '#domain/asset.ts'
import { dateFault } from '#domain/claim/claim-input.ts'
import { DIRECTIONS, TIMINGS } from '#domain/claim/claim.ts'
import { isFault, type ClaimFields, PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { type Recorded } from '#domain/claim/prediction.ts'
import { readSources } from '#domain/claim/source-input.ts'
import { readWrittenClaim } from '#domain/claim/written.ts'
import { onlyText } from '#domain/clean-text.ts'
import { DATE_PRECISIONS, type Day, readDayInput } from '#domain/day.ts'
import {
  CSV_OPTIONS,
  readPriceLines,
  type BadRow,
  type ReadFile,
} from '#domain/judging/price-file.ts'
import { fileText, jsonOrNull } from '#server/kit/text.ts'

export type ImportedPrediction = Recorded & {
  readonly id: string
  readonly expertName: string
  readonly isFirm: boolean
  readonly firm: string | null
  readonly handle: string | null
  readonly remarks: string | null
  /** Only the address of its source is given. */
  readonly isAddressAlone: boolean
}

/** Reads daily prices from CSV; see `readPriceLines`. @param nowMs milliseconds since 1970 */
export function readPriceFile(text: string, asset: AssetKey, source: string, nowMs: number) {
  return readPriceLines(text, {
    asset,
    source,
    nowMs,
    parse: (csv) => CsvLines.parse(parse(csv, CSV_OPTIONS)),
  })
}

const Text = z
  .string()
  .trim()
  .refine((text) => onlyText(text) === text, 'contains characters that are not text')
const Level = z.number().nullable().default(null)
const PrecisionField = z.enum(DATE_PRECISIONS).default('day')

const Entry = z.object({
  id: Text.min(1).max(200),
  expert_name: Text.min(1).max(200),
  x_handle: Text.max(100).nullable().default(null),
  is_firm: z.boolean().default(false),
  firm: Text.max(120).nullable().default(null),
  asset_type: Text.default('btc'),
  prediction_type: z
    .enum(PREDICTION_TYPES, `should be ${PREDICTION_TYPES.join(', ')}`)
    .default('target'),
  price_target: Level,
  price_min: Level,
  price_max: Level,
  /** Omitted in older files: the default of the type. */
  timing: z
    .enum(TIMINGS, `should be ${TIMINGS.join(', ')}`)
    .nullable()
    .default(null),
  direction: z
    .enum(DIRECTIONS, `should be ${DIRECTIONS.join(' or ')}`)
    .nullable()
    .default(null),
  prediction_made: Text,
  made_precision: PrecisionField,
  start_date: Text.nullable().default(null),
  target_time: Text,
  target_precision: PrecisionField,
  deadline_assumed: z.boolean().default(false),
  summary: Text.max(5_000).nullable().default(''),
  /** Address of the only known source; ignored if `sources` is given. */
  source_url: z.string().max(2_000).nullable().default(null),
  sources: z.array(SourceInput).nullable().default(null),
  remarks: Text.max(5_000).nullable().default(null),
})

/** Reads predictions in the format of `data/starter/predictions.json`: a JSON array of entries, each with its own `id`. */
export function readPredictionFile(text: string, today: Day): ReadFile<ImportedPrediction> {
  if (text.trim() === '') return { ok: false, broken: 'the file is empty' }
  let json: unknown
  try {
    json = JSON.parse(fileText(text))
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable'
    return { ok: false, broken: `the file is not valid JSON and may be truncated: ${why}` }
  }
  if (!Array.isArray(json))
    return { ok: false, broken: 'the file must hold a JSON array of predictions' }
  const rows = new Map<string, ImportedPrediction>()
  const bad: BadRow[] = []
  json.forEach((entry: unknown, i) => {
    const read = readEntry(entry, today)
    const isRead = typeof read !== 'string'
    if (isRead && !rows.has(read.id)) rows.set(read.id, read)
    else if (isRead) bad.push({ row: i + 1, id: read.id, reason: TWICE })
    else bad.push({ row: i + 1, id: idOf(entry), reason: read })
  })
  return { ok: true, rows: [...rows.values()], bad }
}

const TWICE = 'this id is in the file twice; the first one is kept'

/** Distinct ids in such a file, without parsing the entries; empty if unreadable. */
export function idsOfFile(text: string): string[] {
  const json = jsonOrNull(fileText(text))
  const ids = Array.isArray(json) ? json.flatMap((entry: unknown) => idOf(entry) ?? []) : []
  return [...new Set(ids)]
}

function readEntry(entry: unknown, today: Day): ImportedPrediction | string {
  const parsed = Entry.safeParse(entry)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const field = issue?.path.join('.') ?? ''
    if (!issue || field === '') return 'this is not a prediction'
    return isMissing(entry, field) ? `${field} is missing` : `${field}: ${issue.message}`
  }
  const fields = parsed.data
  const asset = findAsset(fields.asset_type)
  if (!asset) return `asset_type: "${fields.asset_type}" is not a known asset`
  const made = readDayInput(fields.prediction_made)
  if (made === null)
    return `prediction_made: "${fields.prediction_made}" is not a date such as 2024-08-08`
  if (made > today) return `prediction_made: ${fields.prediction_made} lies in the future (UTC)`
  const by = readDayInput(fields.target_time)
  if (by === null) return `target_time: "${fields.target_time}" is not a date such as 2024-08-08`
  const from = fields.start_date === null ? null : readDayInput(fields.start_date)
  if (fields.start_date !== null && from === null) {
    return `start_date: "${fields.start_date}" is not a date such as 2024-08-08`
  }
  const claim = readWrittenClaim(fields satisfies ClaimFields)
  if (isFault(claim)) return `${claim.field}: ${claim.message}`
  const fault = dateFault(asset.key, made, from, by)
  if (fault) return `${fault.field}: ${fault.message}`
  const handle = onOneLine(fields.x_handle ?? '').replace(/^@/, '') || null
  const { sources, faults } = readSources(fields, { handle, today, stored: [] })
  const [wrong] = Object.entries(faults)
  if (wrong) return wrong.join(': ')
  return {
    id: onOneLine(fields.id),
    asset: asset.key,
    expertName: onOneLine(fields.expert_name),
    isFirm: fields.is_firm,
    firm: onOneLine(fields.firm ?? '') || null,
    handle,
    statedClaim: claim,
    made,
    madePrecision: fields.made_precision,
    from,
    by,
    byPrecision: fields.target_precision,
    deadlineAssumed: fields.deadline_assumed,
    summary: fields.summary ?? '',
    sources,
    isAddressAlone: (fields.sources ?? null) === null,
    remarks: fields.remarks,
  }
}

function onOneLine(text: string): string {
  return text.replaceAll(/[\t\n\r]+/g, ' ')
}

function isMissing(entry: unknown, field: string): boolean {
  return typeof entry === 'object' && entry !== null && !(field in entry)
}

function idOf(entry: unknown): string | null {
  const parsed = z.object({ id: z.string() }).safeParse(entry)
  return parsed.success ? parsed.data.id : null
}
