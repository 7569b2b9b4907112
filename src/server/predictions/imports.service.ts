import { sql } from 'drizzle-orm'
import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { isCloseOnly, type AgreedBar, type Bar } from '#domain/judging/bar.ts'
import { dayOfTime, isoDay, type Day } from '#domain/day.ts'
import { newlyRanged } from '#domain/judging/known-range.ts'
import { doubtful, farPrice, type Close } from '#domain/judging/jump.ts'
import { type BadRow } from '#domain/judging/price-file.ts'
import { type Clock } from '#server/kit/ports.ts'
import {
  agreedBars,
  barsBetween,
  loadBars,
  saveBars,
  STARTER_SOURCE,
} from '#server/prices/bars.rows.ts'
import { realJumps } from '#server/prices/price-sources.rows.ts'
import { askForNewDays } from '#server/prices/deeper-history.rows.ts'
import { takeTurn, type Db } from '#server/kit/db.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { isEmpty, recordFact, readFact } from '#server/kit/facts.ts'
import {
  addUnknownInfluencers,
  findOrAddInfluencer,
  type NewInfluencer,
} from '#server/people/people.rows.ts'
import { countUnknown, savePredictions } from './predictions.rows.ts'
import { addEvents } from '#server/judging/verdicts.rows.ts'
import {
  idsOfFile,
  readPredictionFile,
  readPriceFile,
  type ImportedPrediction,
} from './import-files.ts'
import { judgeRanges, type RangeEffect } from '#server/judging/range-known.service.ts'
import { judgeAll, judgeDue } from '#server/judging/judging.service.ts'

/** What an import came to. A file that cannot be read as a whole changes nothing. */
export type ImportResult =
  | { readonly ok: false; readonly broken: string }
  | {
      readonly ok: true
      readonly added: number
      readonly changed: number
      readonly same: number
      readonly verdicts: number
      /** Days whose highs and lows were not known before, and what they changed; null for none. */
      readonly ranges: (RangeEffect & { readonly days: number }) | null
      /** Rows that were left out; `file` is the name of the source they belong to, for prices. */
      readonly bad: readonly (BadRow & { readonly file?: string })[]
    }

/** A price file, and the name recorded with each of its bars. */
export type PriceFile = { readonly text: string; readonly source: string }

/** The texts of the files that ship with the site. */
export type StarterFiles = {
  readonly prices: Partial<Record<AssetKey, string>>
  readonly predictions: string
}

export type Imports = ReturnType<typeof importService>

/** Brings files into the database: each file is one transaction, and the same file twice changes nothing. */
export function importService({ db, clock }: { db: Db; clock: Clock }) {
  const today = (): Day => dayOfTime(clock.now())

  /**
   * Files of one asset. They are one transaction and judged together: where two sources cover a day, neither decides
   * before the other is in. Bars of the same source and day are replaced.
   *
   * @param believeJumps takes prices that are far from those beside them or on record; without it they are left out
   */
  async function priceFiles(
    asset: AssetKey,
    given: readonly PriceFile[],
    believeJumps: boolean,
  ): Promise<ImportResult> {
    const files = given.map(({ text, source }) => ({
      source,
      read: readPriceFile(text, asset, source, clock.now()),
    }))
    for (const { read } of files) if (!read.ok) return read
    return db.transaction(async (tx) => {
      await takeTurn(tx)
      const count = { added: 0, changed: 0, same: 0 }
      const bad: (BadRow & { file: string })[] = []
      const added = new Set<Day>()
      const before = await loadBars(tx, asset)
      const rowsOfFile = files.map(({ read }) => (read.ok ? read.rows : []))
      const doubts = believeJumps ? null : await doubtsOf(tx, asset, before, rowsOfFile)
      for (const { source, read } of files) {
        if (!read.ok) continue
        const kept = read.rows.filter((row) => !doubts?.has(row))
        const held = read.rows.flatMap((row) => {
          const reason = doubts?.get(row)
          return reason === undefined ? [] : [{ row: 0, id: isoDay(row.day), reason }]
        })
        const saved = await saveBars(tx, asset, kept)
        for (const bar of kept) if (isCloseOnly(bar)) added.add(bar.day)
        count.added += saved.added
        count.changed += saved.changed
        count.same += kept.length - saved.added - saved.changed
        bad.push(...[...read.bad, ...held].map((row) => ({ ...row, file: source })))
      }
      const isChanged = count.added + count.changed > 0
      const known = new Set(before.map((bar) => bar.day))
      await askForNewDays(
        tx,
        asset,
        [...added].filter((day) => !known.has(day)),
      )
      const days = newlyRanged(before, isChanged ? await loadBars(tx, asset) : [])
      const effect = isChanged ? await judgeRanges(tx, asset, today(), days) : null
      if (isChanged) await recordChanged(tx, { prices: true })
      const ranges =
        effect && days.size > 0
          ? {
              days: days.size,
              changes: effect.changes,
              changed: effect.changed,
              completed: effect.completed,
            }
          : null
      return { ok: true, ...count, verdicts: effect?.written ?? 0, ranges, bad }
    })
  }

  function judging(judge: (tx: Db) => Promise<number>): Promise<number> {
    return db.transaction(async (tx) => {
      await takeTurn(tx)
      const written = await judge(tx)
      if (written > 0) await recordChanged(tx)
      return written
    })
  }

  return {
    /** One file of `priceFiles`, whose jumps are believed. */
    prices(asset: AssetKey, text: string, source: string): Promise<ImportResult> {
      return priceFiles(asset, [{ text, source }], true)
    },

    priceFiles,

    async predictions(text: string): Promise<ImportResult> {
      const file = readPredictionFile(text, today())
      if (!file.ok) return file
      return db.transaction(async (tx) => {
        await takeTurn(tx)
        const { added, changed, same } = await saveAll(tx, file.rows)
        const verdicts = await judgeAll(tx, today())
        if (verdicts >= CHUNK) await tx.execute(sql`analyze verdicts, prediction_events`)
        if (added + changed > 0) await recordChanged(tx)
        return { ok: true, added, changed, same, verdicts, ranges: null, bad: file.bad }
      })
    },

    /**
     * Loads the starter data into an empty database, once in its life: what an administrator removes stays removed.
     * All of it is one transaction.
     *
     * @returns null when it has been loaded before or the database holds data; a sentence for each file that could not be read
     */
    async starter(files: StarterFiles): Promise<{ predictions: number; faults: string[] } | null> {
      return db.transaction(async (tx) => {
        await takeTurn(tx)
        if ((await readFact(tx, STARTER_FACT)) !== null || !(await isEmpty(tx))) return null
        const faults: string[] = []
        for (const asset of ASSET_KEYS) {
          const text = files.prices[asset]
          if (text === undefined) continue
          const file = readPriceFile(text, asset, STARTER_SOURCE, clock.now())
          if (file.ok) await saveBars(tx, asset, file.rows)
          faults.push(...faultsOf(`prices of ${asset}`, file))
        }
        const file = readPredictionFile(files.predictions, today())
        const saved = await saveAll(tx, file.ok ? file.rows : [])
        faults.push(...faultsOf('predictions', file))
        await judgeAll(tx, today())
        await recordFact(tx, STARTER_FACT, new Date(clock.now()).toISOString())
        await recordChanged(tx, { prices: true })
        return { predictions: saved.added, faults }
      })
    },

    /**
     * How many predictions of the file that ships with the site are not on record, where an older file was loaded at
     * the first start. Such a database changes by an import alone.
     */
    async newInStarter({ predictions: text }: StarterFiles): Promise<number> {
      if ((await readFact(db, STARTER_FACT)) === null) return 0
      return countUnknown(db, idsOfFile(text))
    },

    /** Judges everything again. @returns how many verdicts were written */
    judge: (assets: readonly AssetKey[] = ASSET_KEYS): Promise<number> =>
      judging((tx) => judgeAll(tx, today(), assets)),

    /** Judges what a new day or a new version of the site can decide. @returns how many verdicts were written */
    judgeDue: (): Promise<number> => judging((tx) => judgeDue(tx, today())),
  }
}

/** Why rows of files may go into the record by a decision only. */
async function doubtsOf(
  tx: Db,
  asset: AssetKey,
  record: readonly AgreedBar[],
  files: readonly (readonly Bar[])[],
): Promise<ReadonlyMap<Bar, string>> {
  const doubts = new Map<Bar, string>()
  const doubt = (row: Bar, what: string, than: string): void => {
    doubts.set(
      row,
      `the ${what} is more than 40 % from ${than}; --believe-jumps takes it all the same`,
    )
  }
  const real = await realJumps(tx, asset)
  let closes: readonly Close[] = record
  for (const rows of files) {
    const held = doubtful(rows, closes, real)
    for (const row of rows) {
      const other = held.get(row.day)
      if (other)
        doubt(row, `close ${String(row.close)}`, `${String(other.close)} on ${isoDay(other.day)}`)
    }
    const known = new Set(closes.map(({ day }) => day))
    const added = rows.filter((row) => !held.has(row.day) && !known.has(row.day))
    closes = [...closes, ...added].toSorted((a, b) => a.day - b.day)
  }
  const closeBefore = new Map(closes.map((one, i) => [one.day, closes[i - 1]?.close ?? null]))
  const far = (bar: Bar): number | null => farPrice(bar, closeBefore.get(bar.day) ?? null)
  const kept = files.flat().filter((row) => !doubts.has(row))
  for (const row of kept.filter((one) => far(one) !== null && !real.has(one.day))) {
    const given = kept.filter(({ day }) => day === row.day)
    const sources = new Set(given.map(({ source }) => source))
    const stored = await barsBetween(tx, asset, row.day, row.day)
    const [was] = agreedBars(asset, stored, new Set())
    const [agreed] = agreedBars(
      asset,
      [
        ...stored.filter(({ source }) => !sources.has(source)),
        ...given.map((bar) => ({ ...bar, state: 'final' as const })),
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

/** So many are checked and written at a time: what waits to be written stays small. */
const CHUNK = 4_000

async function saveAll(
  tx: Db,
  rows: readonly ImportedPrediction[],
): Promise<{ added: number; changed: number; same: number }> {
  const count = { added: 0, changed: 0, same: 0 }
  const published: string[] = []
  const known = new Map<string, number>()
  for (let i = 0; i < rows.length; i += CHUNK) {
    const part = rows.slice(i, i + CHUNK)
    await findPeople(tx, part, known)
    const given = part.map((row) => {
      const influencerId = known.get(personOf(row))
      if (influencerId === undefined) throw new Error(`no person was found for ${row.id}`)
      return { ...row, influencerId }
    })
    for (const [id, done] of await savePredictions(tx, given)) {
      count[done] += 1
      if (done === 'added') published.push(id)
    }
  }
  await addEvents(
    tx,
    published.map((predictionId) => ({ predictionId, kind: 'published', text: 'Published.' })),
  )
  // PostgreSQL plans by how large tables were when it last looked: what follows would read them by the slowest way.
  if (count.added >= CHUNK)
    await tx.execute(sql`analyze predictions, sources, influencers, influencer_names`)
  return count
}

/** A person as a file names them, each name and handle once. */
function personOf({
  expertName,
  handle,
}: Pick<ImportedPrediction, 'expertName' | 'handle'>): string {
  return JSON.stringify([expertName, handle])
}

/** Finds or adds who is not known yet: those that are new by all that is known of them at once, the others one by one. */
async function findPeople(
  tx: Db,
  rows: readonly ImportedPrediction[],
  known: Map<string, number>,
): Promise<void> {
  const people = new Map<string, NewInfluencer>()
  for (const row of rows) {
    const { expertName, isFirm, handle } = row
    const key = personOf(row)
    if (known.has(key) || people.has(key)) continue
    people.set(key, { name: expertName, isFirm, handle, isHandleConfirmed: true })
  }
  if (people.size === 0) return
  const added = await addUnknownInfluencers(tx, [...people.values()])
  for (const [key, one] of people)
    known.set(key, added.get(one) ?? (await findOrAddInfluencer(tx, one)))
}

function faultsOf(
  what: string,
  file: { ok: false; broken: string } | { ok: true; bad: readonly BadRow[] },
): string[] {
  if (!file.ok) return [`${what}: ${file.broken}`]
  return file.bad.map((row) => `${what}, row ${String(row.row)}: ${row.reason}`)
}
