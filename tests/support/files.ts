import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const SHARED = join(ROOT, '..', 'shared', 'data')

/** A file that ships with the site. */
export function starterFile(name: string): string {
  return readFileSync(join(ROOT, 'data', 'starter', name), 'utf8')
}

/** Whether the larger data beside the project is there; tests that use it are skipped when it is not. */
export const HAS_SHARED = existsSync(SHARED)

export function sharedFile(name: string): string {
  return readFileSync(join(SHARED, name), 'utf8')
}
