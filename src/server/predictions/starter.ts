import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AssetKey } from '#domain/asset.ts'
import { type Imports, type StarterFiles } from './imports.service.ts'

/** The file of closes of an asset that ships with the site; null where there is none. */
export function starterPrices(root: string, asset: AssetKey): string | null {
  const file = join(root, 'data', 'starter', `${asset}-daily-close.csv`)
  return existsSync(file) ? file : null
}

/** The files that ship with the site. A missing one reads as empty, which the import reports. */
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

/** Loads the starter data where it is wanted and the database is empty, then judges what is on record. */
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
