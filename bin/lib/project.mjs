import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds package.json. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * @param {...string} names
 * @returns {string} a path inside the project
 */
export function inProject(...names) {
  return join(ROOT, ...names)
}

/** A sentence for the person at the keyboard; shown without a stack. */
export class Refusal extends Error {}

/**
 * Runs a script and turns its failure into a sentence and exit status 1.
 *
 * @param {() => Promise<void>} script
 */
export async function runScript(script) {
  try {
    await script()
  } catch (error) {
    console.error(error instanceof Refusal ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}
