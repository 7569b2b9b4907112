import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type StarterFiles } from './services/imports.ts'

/** The files that ship with the site. A missing one reads as empty, which the import reports. */
export function readStarterFiles(root: string): StarterFiles {
  const read = (name: string): string => {
    const file = join(root, 'data', 'starter', name)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  return {
    prices: { btc: read('btc-daily-close.csv'), mstr: read('mstr-daily-close.csv') },
    predictions: read('predictions.json'),
  }
}
