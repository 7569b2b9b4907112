import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The build puts the fonts that pictures use beside the server, so that it does without their packages. */
const BUILT = join(import.meta.dirname, 'fonts')

const { resolve } = createRequire(import.meta.url)
const isBuilt = existsSync(BUILT)

/** @param name within packages, such as `@fontsource-variable/noto-emoji/unicode.json` */
export function fontFile(name: string): string {
  return isBuilt ? join(BUILT, name) : resolve(name)
}
