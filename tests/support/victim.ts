import { flushCompileCache } from 'node:module'

/**
 * Reports to the test that this process works. As it will be killed, its compile cache is flushed now, so that the
 * next one starts in half the time (the folder is set in vitest.config.ts).
 */
export function ready(line: string): void {
  process.stdout.write(`${line}\n`)
  flushCompileCache()
}
