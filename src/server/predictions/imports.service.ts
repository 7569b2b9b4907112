import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type RangeEffect } from '#contracts/operations.ts'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { dayOfTime, isoDay, type Day } from '#domain/day.ts'
import { type AgreedBar, type Bar } from '#domain/judging/bar.ts'
import { doubtful, farPrice, type Close } from '#domain/judging/jump.ts'
import { type BadRow } from '#domain/judging/price-file.ts'
import { newlyRanged } from '#domain/judging/settle.ts'
import { judgeAll, judgeDue, judgeRanges } from '#server/judging/judging.service.ts'
import { addEvents, addVerdicts } from '#server/judging/verdicts.rows.ts'
import { acquireLock, type Db } from '#server/kit/db.ts'
import { isEmpty, recordFact, readFact } from '#server/kit/facts.ts'
import { type Clock } from '#server/kit/time.ts'
import { findOrAddInfluencer } from '#server/people/people.rows.ts'
import {
  agreedBars,
  barsBetween,
  loadBars,
  saveBars,
  STARTER_SOURCE,
} from '#server/prices/bars.rows.ts'
import { realJumps } from '#server/prices/price-sources.rows.ts'
import { recordChanged } from '#server/record/record-state.ts'
import * as importFiles from './import-files.ts'
import { countUnknown, savePredictions, type Saved } from './predictions.rows.ts'

export type ImportResult =
  | { readonly ok: false; readonly broken: string }
  | {
      readonly ok: true
      readonly added: number
      readonly changed: number
      readonly same: number
      readonly verdicts: number
      /** Days with new highs and lows, and the changed verdicts; null for none. */
      readonly ranges: (RangeEffect & { readonly days: number }) | null
      /** Omitted rows; `file` is the name of their source, for prices. */
      readonly bad: readonly (BadRow & { readonly file?: string })[]
    }

export type PriceFile = { readonly text: string; readonly source: string }

export type StarterFiles = {
  readonly prices: Partial<Record<AssetKey, string>>
  readonly predictions: string
}

export type Imports = ReturnType<typeof importService>

/** Imports files, each in one transaction; importing a file again changes nothing. */
export function importService({ db, clock }: { db: Db; clock: Clock }) {
  const today = (): Day => dayOfTime(clock.now())

  /**
   * Imports files of one asset in one transaction and judges them together.
   * @param believeJumps accepts prices far from adjacent or recorded ones
   */
  async function priceFiles(
    asset: AssetKey,
    uploads: readonly PriceFile[],
    believeJumps: boolean,
  ): Promise<ImportResult> {
    const files = uploads.map(({ text, source }) => ({
      source,
      read: importFiles.readPriceFile(text, asset, source, clock.now()),
    }))
    for (const { read } of files) if (!read.ok) return read
    return db.transaction(async (tx) => {
      await acquireLock(tx)
      const count = { added: 0, changed: 0, same: 0 }
      const bad: (BadRow & { file: string })[] = []
      const before = await loadBars(tx, asset)
      const rowsOfFile = files.map(({ read }) => (read.ok ? read.rows : []))
      const doubts = believeJumps ? null : await doubtsOf(tx, asset, before, rowsOfFile)
      for (const { source, read } of files) {
        if (!read.ok) continue
        const accepted = read.rows.filter((row) => !doubts?.has(row))
        const doubted = read.rows.flatMap((row) => {
          const reason = doubts?.get(row)
          return reason === undefined ? [] : [{ row: 0, id: isoDay(row.day), reason }]
        })
        const saved = await saveBars(tx, asset, accepted)
        count.added += saved.added
        count.changed += saved.changed
        count.same += accepted.length - saved.added - saved.changed
        bad.push(...[...read.bad, ...doubted].map((row) => ({ ...row, file: source })))
      }
      const isChanged = count.added + count.changed > 0
      const days = newlyRanged(before, isChanged ? await loadBars(tx, asset) : [])
      const judged = isChanged ? await judgeRanges(tx, asset, today(), days) : null
      await addVerdicts(tx, judged?.verdicts ?? [])
      if (isChanged) await recordChanged(tx, { prices: true })
      const ranges = judged && days.size > 0 ? { days: days.size, ...judged.effect } : null
      return { ok: true, ...count, verdicts: judged?.verdicts.length ?? 0, ranges, bad }
    })
  }

  function judging(judge: (tx: Db) => Promise<number>): Promise<number> {
    return db.transaction(async (tx) => {
      await acquireLock(tx)
      const written = await judge(tx)
      if (written > 0) await recordChanged(tx)
      return written
    })
  }

  return {
    /** Imports one file like `priceFiles`, accepting jumps. */
    prices(asset: AssetKey, text: string, source: string): Promise<ImportResult> {
      return priceFiles(asset, [{ text, source }], true)
    },

    priceFiles,

    async predictions(text: string): Promise<ImportResult> {
      const file = importFiles.readPredictionFile(text, today())
      if (!file.ok) return file
      return db.transaction(async (tx) => {
        await acquireLock(tx)
        const { added, corrected, same } = await saveAll(tx, file.rows)
        const changed = corrected.size
        const verdicts = await judgeAll(tx, today(), ASSET_KEYS, corrected)
        if (verdicts >= CHUNK) await tx.execute(sql`analyze verdicts, prediction_events`)
        if (added + changed + verdicts > 0) await recordChanged(tx)
        return { ok: true, added, changed, same, verdicts, ranges: null, bad: file.bad }
      })
    },

    /**
     * Loads the starter data once, into an empty database.
     * @returns null if not empty; otherwise with a sentence per unreadable file
     */
    async starter(files: StarterFiles): Promise<{ predictions: number; faults: string[] } | null> {
      return db.transaction(async (tx) => {
        await acquireLock(tx)
        if ((await readFact(tx, STARTER_FACT)) !== null || !(await isEmpty(tx))) return null
        const faults: string[] = []
        for (const asset of ASSET_KEYS) {
          const text = files.prices[asset]
          if (text === undefined) continue
          const file = importFiles.readPriceFile(text, asset, STARTER_SOURCE, clock.now())
          if (file.ok) await saveBars(tx, asset, file.rows)
          faults.push(...faultsOf(`prices of ${asset}`, file))
        }
        const file = importFiles.readPredictionFile(files.predictions, today())
        const saved = await saveAll(tx, file.ok ? file.rows : [])
        faults.push(...faultsOf('predictions', file))
        await judgeAll(tx, today())
        await recordFact(tx, STARTER_FACT, new Date(clock.now()).toISOString())
        await recordChanged(tx, { prices: true })
        return { predictions: saved.added, faults }
      })
    },

    /** Number of bundled predictions not on record, if an older file was loaded at the first start. */
    async newInStarter({ predictions: text }: StarterFiles): Promise<number> {
      if ((await readFact(db, STARTER_FACT)) === null) return 0
      return countUnknown(db, importFiles.idsOfFile(text))
    },

    /** @returns the number of verdicts written */
    judge: (assets: readonly AssetKey[] = ASSET_KEYS): Promise<number> =>
      judging((tx) => judgeAll(tx, today(), assets)),

    /** Judges what a new day or a new version of the site can decide. @returns the number of verdicts written */
    judgeDue: (): Promise<number> => judging((tx) => judgeDue(tx, today())),
  }
}

/** Why rows need confirmation. */
async function doubtsOf(
  tx: Db,
  asset: AssetKey,
  record: readonly AgreedBar[],
  files: readonly (readonly Bar[])[],
): Promise<ReadonlyMap<Bar, string>> {
  const doubts = new Map<Bar, string>()
  const doubt = (row: Bar, what: string, than: string): void => {
    doubts.set(row, `the ${what} is more than 40% from ${than}; --believe-jumps accepts it anyway`)
  }
  const real = await realJumps(tx, asset)
  let closes: readonly Close[] = record
  for (const rows of files) {
    const doubted = doubtful(rows, closes, real)
    for (const row of rows) {
      const other = doubted.get(row.day)
      if (other)
        doubt(row, `close ${String(row.close)}`, `${String(other.close)} on ${isoDay(other.day)}`)
    }
    const known = new Set(closes.map(({ day }) => day))
    const added = rows.filter((row) => !doubted.has(row.day) && !known.has(row.day))
    closes = [...closes, ...added].toSorted((a, b) => a.day - b.day)
  }
  const closeBefore = new Map(closes.map((one, i) => [one.day, closes[i - 1]?.close ?? null]))
  const far = (bar: Bar): number | null => farPrice(bar, closeBefore.get(bar.day) ?? null)
  const accepted = files.flat().filter((row) => !doubts.has(row))
  for (const row of accepted.filter((one) => far(one) !== null && !real.has(one.day))) {
    const sameDay = accepted.filter(({ day }) => day === row.day)
    const sources = new Set(sameDay.map(({ source }) => source))
    const stored = await barsBetween(tx, asset, row.day, row.day)
    const [was] = agreedBars(asset, stored, new Set())
    const [agreed] = agreedBars(
      asset,
      [
        ...stored.filter(({ source }) => !sources.has(source)),
        ...sameDay.map((bar) => ({ ...bar, state: 'final' as const })),
      ],
      new Set(),
    )
    const usd = agreed ? far(agreed) : null
    if (usd !== null && (!was || far(was) === null))
      doubt(row, `range from ${String(row.low)} to ${String(row.high)}`, 'the closes beside it')
  }
  return doubts
}

const STARTER_FACT = 'starter data loaded'

/** Rows are checked and written in batches, to limit memory. */
const CHUNK = 4_000

async function saveAll(tx: Db, rows: readonly importFiles.ImportedPrediction[]) {
  const saved: Record<Saved, string[]> = { added: [], changed: [], same: [] }
  const known = new Map<string, number>()
  for (let i = 0; i < rows.length; i += CHUNK) {
    const part = rows.slice(i, i + CHUNK)
    const imported: (importFiles.ImportedPrediction & { readonly influencerId: number })[] = []
    for (const row of part) {
      const { expertName: name, isFirm, firm, handle } = row
      const person = JSON.stringify([name, handle])
      const influencerId =
        known.get(person) ??
        (await findOrAddInfluencer(tx, { name, isFirm, firm, handle, isHandleConfirmed: true }))
      known.set(person, influencerId)
      imported.push({ ...row, influencerId })
    }
    for (const [id, how] of await savePredictions(tx, imported)) saved[how].push(id)
  }
  await addEvents(
    tx,
    saved.added.map((predictionId) => ({ predictionId, kind: 'published', text: 'Published.' })),
  )
  // Updates PostgreSQL's statistics, as later queries would otherwise be planned for small tables.
  const added = saved.added.length
  if (added >= CHUNK)
    await tx.execute(sql`analyze predictions, sources, influencers, influencer_names`)
  return { added, same: saved.same.length, corrected: new Set(saved.changed) }
}

function faultsOf(
  what: string,
  file: { ok: false; broken: string } | { ok: true; bad: readonly BadRow[] },
): string[] {
  if (!file.ok) return [`${what}: ${file.broken}`]
  return file.bad.map((row) => `${what}, row ${String(row.row)}: ${row.reason}`)
}

/** File of closes bundled for an asset; null without one. */
export function starterPrices(root: string, asset: AssetKey): string | null {
  const file = join(root, 'data', 'starter', `${asset}-daily-close.csv`)
  return existsSync(file) ? file : null
}

function readStarterFiles(root: string): StarterFiles {
  const read = (name: string): string => {
    const file = join(root, 'data', 'starter', name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  return {
    prices: { btc: read('btc-daily-close.csv'), mstr: read('mstr-daily-close.csv') },
    predictions: read('predictions.json'),
  }
}

/** Loads the starter data into an empty database if enabled, then judges the record. */
export async function prepareRecord(
  imports: Imports,
  root: string,
  starterData: boolean,
  log: { info: (text: string) => void; warn: (text: string) => void },
): Promise<void> {
  if (starterData) {
    const files = readStarterFiles(root)
    const loaded = await imports.starter(files)
    if (loaded) log.info(`Loaded ${String(loaded.predictions)} predictions of the starter data.`)
    for (const fault of loaded?.faults ?? []) log.warn(`starter data: ${fault}`)
    const missing = loaded ? 0 : await imports.newInStarter(files)
    if (missing > 0) {
      log.info(
        `This version ships with ${String(missing)} predictions that are not on record here. To add them: npm run cli -- import-predictions data/starter/predictions.json`,
      )
    }
  }
  await imports.judgeDue()
}
