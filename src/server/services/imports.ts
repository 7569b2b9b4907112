import { ASSET_KEYS, type AssetKey } from '#domain/asset.ts'
import { dayOfTime, type Day } from '#domain/day.ts'
import { type Clock } from '#server/ports.ts'
import { saveBars, STARTER_SOURCE } from '#server/store/bars.ts'
import { announceChange, takeTurn, type Db } from '#server/store/database.ts'
import { isEmpty, recordFact, readFact } from '#server/store/facts.ts'
import { findOrAddInfluencer } from '#server/store/influencers.ts'
import { savePrediction } from '#server/store/predictions.ts'
import { addEvents } from '#server/store/verdicts.ts'
import {
  readPredictionFile,
  readPriceFile,
  type BadRow,
  type ImportedPrediction,
} from './import-files.ts'
import { judgeAll } from './judging.ts'

/** What an import came to. A file that cannot be read as a whole changes nothing. */
export type ImportResult =
  | { readonly ok: false; readonly broken: string }
  | {
      readonly ok: true
      readonly added: number
      readonly changed: number
      readonly same: number
      readonly verdicts: number
      readonly bad: readonly BadRow[]
    }

/** The texts of the files that ship with the site. */
export type StarterFiles = {
  readonly prices: Partial<Record<AssetKey, string>>
  readonly predictions: string
}

export type Imports = ReturnType<typeof importService>

/** Brings files into the database: each file is one transaction, and the same file twice changes nothing. */
export function importService({ db, clock }: { db: Db; clock: Clock }) {
  const today = (): Day => dayOfTime(clock.now())

  return {
    /** @param source the name recorded with each bar; bars of the same source and day are replaced */
    async prices(asset: AssetKey, text: string, source: string): Promise<ImportResult> {
      const file = readPriceFile(text, asset, source, today())
      if (!file.ok) return file
      return db.transaction(async (tx) => {
        await takeTurn(tx)
        const changed = await saveBars(tx, asset, file.rows)
        const verdicts = changed.length === 0 ? 0 : await judgeAll(tx, today(), [asset])
        if (changed.length > 0) await announceChange(tx)
        const same = file.rows.length - changed.length
        return { ok: true, added: changed.length, changed: 0, same, verdicts, bad: file.bad }
      })
    },

    async predictions(text: string): Promise<ImportResult> {
      const file = readPredictionFile(text, today())
      if (!file.ok) return file
      return db.transaction(async (tx) => {
        await takeTurn(tx)
        const { added, changed, same } = await savePredictions(tx, file.rows)
        const verdicts = await judgeAll(tx, today())
        if (added + changed > 0) await announceChange(tx)
        return { ok: true, added, changed, same, verdicts, bad: file.bad }
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
          const file = readPriceFile(text, asset, STARTER_SOURCE, today())
          if (file.ok) await saveBars(tx, asset, file.rows)
          faults.push(...faultsOf(`prices of ${asset}`, file))
        }
        const file = readPredictionFile(files.predictions, today())
        const saved = await savePredictions(tx, file.ok ? file.rows : [])
        faults.push(...faultsOf('predictions', file))
        await judgeAll(tx, today())
        await recordFact(tx, STARTER_FACT, new Date(clock.now()).toISOString())
        await announceChange(tx)
        return { predictions: saved.added, faults }
      })
    },

    /** Judges everything again, such as after a new version of the rules. @returns how many verdicts were written */
    async judge(assets: readonly AssetKey[] = ASSET_KEYS): Promise<number> {
      return db.transaction(async (tx) => {
        await takeTurn(tx)
        const written = await judgeAll(tx, today(), assets)
        if (written > 0) await announceChange(tx)
        return written
      })
    },
  }
}

const STARTER_FACT = 'starter data loaded'

async function savePredictions(
  tx: Db,
  rows: readonly ImportedPrediction[],
): Promise<{ added: number; changed: number; same: number }> {
  const count = { added: 0, changed: 0, same: 0 }
  const published: string[] = []
  for (const { expertName, isFirm, handle, ...row } of rows) {
    const influencerId = await findOrAddInfluencer(tx, { name: expertName, isFirm, handle })
    const done = await savePrediction(tx, { ...row, influencerId })
    count[done] += 1
    if (done === 'added') published.push(row.id)
  }
  await addEvents(
    tx,
    published.map((predictionId) => ({ predictionId, kind: 'published', text: 'Published.' })),
  )
  return count
}

function faultsOf(
  what: string,
  file: { ok: false; broken: string } | { ok: true; bad: readonly BadRow[] },
): string[] {
  if (!file.ok) return [`${what}: ${file.broken}`]
  return file.bad.map((row) => `${what}, row ${String(row.row)}: ${row.reason}`)
}
