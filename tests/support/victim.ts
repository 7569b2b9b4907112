import { flushCompileCache } from 'node:module'

/**
 * Reports to the test that this process is at work. It will be killed: what it has compiled is kept now, so that the next one
 * starts in half the time (the folder is named in vitest.config.ts).
 */
export function ready(line: string): void {
  process.stdout.write(`${line}\n`)
  flushCompileCache()
}
