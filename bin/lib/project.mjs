import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder with package.json. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * @param {...string} names
 * @returns {string} a path inside the project
 */
export function inProject(...names) {
  return join(ROOT, ...names)
}

/** An error with a message for the user, shown without a stack. */
export class Refusal extends Error {}

/** The oldest Node that these scripts and the build tools support. */
const OLDEST = '20.19.0'

/**
 * @param {string} version of the running Node
 * @returns {string | null} why it is too old
 */
export function nodeFault(version) {
  const [major, minor] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST.split('.').map(Number)
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null
  return `This site needs Node 20.19 or newer, and this is Node ${version}. Install a newer one from https://nodejs.org.`
}

/**
 * Runs a script; on failure, prints the message and sets exit status 1.
 *
 * @param {() => Promise<void>} script
 */
export async function runScript(script) {
  try {
    const fault = nodeFault(process.versions.node)
    if (fault) throw new Refusal(fault)
    await script()
  } catch (error) {
    console.error(error instanceof Refusal ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}
