import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

export function starterFile(name: string): string {
  return readFileSync(join(ROOT, 'data', 'starter', name), 'utf8')
}
