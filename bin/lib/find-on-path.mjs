import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * @param {string} name of a program
 * @returns {string | null} its path
 */
export function findOnPath(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}
