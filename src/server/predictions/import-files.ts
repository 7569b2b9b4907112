import { ASSETS, findAsset, type AssetKey } from '#domain/asset.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { isTradingDay, lastEndedDay } from '#domain/judging/calendar.ts'
import { dateFault } from '#domain/claim/date-fault.ts'
import { isFault, readClaim, type ClaimFields, PREDICTION_TYPES } from '#domain/claim/fields.ts'
import { DATE_PRECISIONS, isoDay, showDay, type Day } from '#domain/day.ts'
import { readGivenDay } from '#domain/given-day.ts'
import { isJump } from '#domain/judging/jump.ts'
import { readGivenSources } from '#domain/claim/given-sources.ts'
import { type Recorded } from '#domain/claim/prediction.ts'
import { SourceInput } from '#contracts/source.ts'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'

/** A row that is left out, and why; `row` counts lines of a CSV file and entries of a JSON file from 1. */
export type BadRow = { readonly row: number; readonly id: string | null; readonly reason: string }

/** The good rows of a file and the bad ones; `broken` when the file as a whole cannot be read. */
export type ReadFile<T> =
  | { readonly ok: true; readonly rows: readonly T[]; readonly bad: readonly BadRow[] }
  | { readonly ok: false; readonly broken: string }

/** A prediction as its file states it, checked. */
export type ImportedPrediction = Recorded & {
  readonly id: string
  readonly expertName: string
  readonly isFirm: boolean
  readonly handle: string | null
  readonly remarks: string | null
  /** Of its source the address alone is given. */
  readonly isAddressAlone: boolean
}

const CLOSES = ['date', 'close']
const FULL = ['date', 'open', 'high', 'low', 'close']

/**
 * Reads daily prices from CSV with the head `date,close` or `date,open,high,low,close`, USD, adjusted for splits. A bar
 * of a day that is not over yet is refused: it would decide as if nothing more could happen. So is the last line of a
 * file that breaks off without a line end, when its price is far from the one before.
 *
 * @param source recorded with every bar
 * @param nowMs milliseconds since 1970
 */
export function readPriceFile(
  text: string,
  asset: AssetKey,
  source: string,
  nowMs: number,
): ReadFile<Bar> {
  const table = readTable(text)
  if (!table.ok) return table
  const lastEnded = lastEndedDay(ASSETS[asset].calendar, nowMs)
  const bars = new Map<Day, Bar>()
  const bad: BadRow[] = [...table.bad]
  for (const { row, cells } of table.rows) {
    const read = readBar(cells, asset, source, lastEnded)
    const reason =
      typeof read === 'string'
        ? read
        : bars.has(read.day)
          ? `${cells['date'] ?? ''} is in the file twice; the first one is kept`
          : null
    if (reason !== null) bad.push({ row, id: cells['date'] ?? null, reason })
    else if (typeof read !== 'string') bars.set(read.day, read)
  }
  const rows = [...bars.values()].toSorted((a, b) => a.day - b.day)
  const cut = /[\r\n]$/.test(text) ? null : cutOffBar(rows, table.rows.at(-1)?.cells['date'])
  if (cut) {
    const reason = `the file breaks off in this line, and ${String(cut.close)} is far from the close before`
    bad.push({ row: table.rows.at(-1)?.row ?? 0, id: isoDay(cut.day), reason })
  }
  return {
    ok: true,
    rows: rows.filter((one) => one !== cut),
    bad: bad.toSorted((a, b) => a.row - b.row),
  }
}

/** The bar of the last line when its close may be a number that lost its end. */
function cutOffBar(rows: readonly Bar[], lastDate: string | undefined): Bar | null {
  const at = rows.findIndex((one) => isoDay(one.day) === lastDate)
  const [before, last] = [rows[at - 1], rows[at]]
  return before && last && isJump(before.close, last.close) ? last : null
}

type Cells = Readonly<Record<string, string>>

const Lines = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }))

function readTable(text: string): ReadFile<{ row: number; cells: Cells }> {
  if (text.trim() === '') return { ok: false, broken: 'the file is empty' }
  if (text.includes('\0')) return { ok: false, broken: 'the file is no text' }
  let lines: z.infer<typeof Lines>
  try {
    lines = Lines.parse(
      parse(text, {
        bom: true,
        info: true,
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        trim: true,
      }),
    )
  } catch (error) {
    return {
      ok: false,
      broken: `the file is no CSV: ${error instanceof Error ? error.message : 'unreadable'}`,
    }
  }
  const head = (lines[0]?.record ?? []).map((name) => name.toLowerCase())
  const known = [CLOSES, FULL].find((names) => names.join() === head.join())
  if (!known) {
    return {
      ok: false,
      broken: `the first line must be "${CLOSES.join()}" or "${FULL.join()}", not "${head.join().slice(0, 80)}"`,
    }
  }
  const bad: BadRow[] = []
  const rows: { row: number; cells: Cells }[] = []
  for (const { record, info } of lines.slice(1)) {
    if (record.length === known.length) {
      rows.push({
        row: info.lines,
        cells: Object.fromEntries(known.map((name, i) => [name, record[i] ?? ''])),
      })
    } else {
      const reason = `${String(record.length)} values instead of ${String(known.length)}; the line may be cut off`
      bad.push({ row: info.lines, id: record[0] ?? null, reason })
    }
  }
  return { ok: true, rows, bad }
}

function readBar(cells: Cells, asset: AssetKey, source: string, lastEnded: Day): Bar | string {
  const written = cells['date'] ?? ''
  const day = /^\d{4}-\d\d-\d\d$/.test(written) ? readGivenDay(written) : null
  if (day === null) return `"${written}" is no date such as 2024-08-08`
  if (day > lastEnded) return `${written} is not over yet`
  if (!isTradingDay(ASSETS[asset].calendar, day)) {
    return `${ASSETS[asset].symbol} does not trade on ${showDay(day)}`
  }
  const prices = new Map<string, number | null>()
  for (const name of ['open', 'high', 'low', 'close']) {
    const read = readCell(cells[name] ?? '', name)
    if (typeof read === 'string') return read
    prices.set(name, read)
  }
  const close = prices.get('close') ?? null
  if (close === null) return 'the close is missing'
  const [open, high, low] = [
    prices.get('open') ?? null,
    prices.get('high') ?? null,
    prices.get('low') ?? null,
  ]
  if ((high === null) !== (low === null)) return 'high and low must be given together'
  if (high !== null && low !== null) {
    if (low > high) return `the low ${String(low)} is above the high ${String(high)}`
    if (close > high || close < low) return `the close ${String(close)} lies outside low and high`
    if (open !== null && (open > high || open < low)) {
      return `the open ${String(open)} lies outside low and high`
    }
  }
  return { day, open, high, low, close, source }
}

function readCell(text: string, name: string): number | string | null {
  if (text === '') return null
  const usd = Number(text)
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?$/i.test(text) || !Number.isFinite(usd))
    return `the ${name} "${text}" is no number`
  return usd > 0 ? usd : `the ${name} must be above zero, not ${text}`
}

/** PostgreSQL keeps no NUL, and no half of a surrogate pair is text. */
const Text = z
  .string()
  .trim()
  .refine(
    (text) => !text.includes('\0') && text.isWellFormed(),
    'holds characters that are no text',
  )
const Level = z.number().nullable().default(null)
const PrecisionField = z.enum(DATE_PRECISIONS).default('day')

const Entry = z.object({
  id: Text.min(1).max(200),
  expert_name: Text.min(1).max(200),
  x_handle: Text.max(100).nullable().default(null),
  is_firm: z.boolean().default(false),
  asset_type: Text.default('btc'),
  prediction_type: z.enum(PREDICTION_TYPES).default('target'),
  price_target: Level,
  price_min: Level,
  price_max: Level,
  prediction_made: Text,
  made_precision: PrecisionField,
  start_date: Text.nullable().default(null),
  target_time: Text,
  target_precision: PrecisionField,
  deadline_assumed: z.boolean().default(false),
  summary: Text.max(5_000).nullable().default(''),
  /** The address of the only source that is known; not read where `sources` is given. */
  source_url: z.string().max(2_000).nullable().default(null),
  sources: z.array(SourceInput).nullable().default(null),
  remarks: Text.max(5_000).nullable().default(null),
})

/** Reads predictions in the format of `data/starter/predictions.json`: a JSON array of entries, each with its own `id`. */
export function readPredictionFile(text: string, today: Day): ReadFile<ImportedPrediction> {
  if (text.trim() === '') return { ok: false, broken: 'the file is empty' }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable'
    return { ok: false, broken: `the file is no JSON, perhaps it is cut off: ${why}` }
  }
  if (!Array.isArray(json))
    return { ok: false, broken: 'the file must hold a JSON array of predictions' }
  const rows = new Map<string, ImportedPrediction>()
  const bad: BadRow[] = []
  json.forEach((entry: unknown, i) => {
    const read = readEntry(entry, today)
    if (typeof read === 'string') bad.push({ row: i + 1, id: idOf(entry), reason: read })
    else if (rows.has(read.id)) {
      bad.push({
        row: i + 1,
        id: read.id,
        reason: 'this id is in the file twice; the first one is kept',
      })
    } else rows.set(read.id, read)
  })
  return { ok: true, rows: [...rows.values()], bad }
}

/** The ids in such a file, each once, without reading what the entries say; none where it cannot be read. */
export function idsOfFile(text: string): string[] {
  try {
    const json: unknown = JSON.parse(text)
    return Array.isArray(json)
      ? [...new Set(json.flatMap((entry: unknown) => idOf(entry) ?? []))]
      : []
  } catch {
    return []
  }
}

function readEntry(entry: unknown, today: Day): ImportedPrediction | string {
  const parsed = Entry.safeParse(entry)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const field = issue?.path.join('.') ?? ''
    if (!issue || field === '') return 'this is no prediction'
    return isMissing(entry, field) ? `${field} is missing` : `${field}: ${issue.message}`
  }
  const fields = parsed.data
  const asset = findAsset(fields.asset_type)
  if (!asset) return `asset_type: "${fields.asset_type}" is no known asset`
  const made = readGivenDay(fields.prediction_made)
  if (made === null)
    return `prediction_made: "${fields.prediction_made}" is no date such as 2024-08-08`
  if (made > today) return `prediction_made: ${fields.prediction_made} lies in the future`
  const by = readGivenDay(fields.target_time)
  if (by === null) return `target_time: "${fields.target_time}" is no date such as 2024-08-08`
  const from = fields.start_date === null ? null : readGivenDay(fields.start_date)
  if (fields.start_date !== null && from === null) {
    return `start_date: "${fields.start_date}" is no date such as 2024-08-08`
  }
  const claim = readClaim(fields satisfies ClaimFields)
  if (isFault(claim)) return `${claim.field}: ${claim.message}`
  const fault = dateFault(asset.key, made, from, by)
  if (fault) return `${fault.field}: ${fault.message}`
  const handle = fields.x_handle === null ? null : fields.x_handle.replace(/^@/, '') || null
  const { sources, faults } = readGivenSources(fields, { handle, today, stored: [] })
  const [wrong] = Object.entries(faults)
  if (wrong) return wrong.join(': ')
  return {
    id: fields.id,
    asset: asset.key,
    expertName: fields.expert_name,
    isFirm: fields.is_firm,
    handle,
    said: claim,
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

function isMissing(entry: unknown, field: string): boolean {
  return typeof entry === 'object' && entry !== null && !(field in entry)
}

function idOf(entry: unknown): string | null {
  const parsed = z.object({ id: z.string() }).safeParse(entry)
  return parsed.success ? parsed.data.id : null
}
