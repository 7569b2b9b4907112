import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'

/**
 * Reports to the test that this process works. As it will be killed, its compile cache is flushed now, so that the
 * next one starts in half the time (the folder is set in vitest.config.ts).
 */
export function ready(line: string): void {
  process.stdout.write(`${line}\n`)
  flushCompileCache()
}

export type Victim = Awaited<ReturnType<typeof startVictim>>

/**
 * Starts a program that a test will kill, and waits for its first line (see `ready`).
 *
 * @returns that line, and those that follow as they come
 */
export async function startVictim(program: string, ...words: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const said = createInterface(child.stdout)
  const [first] = await Promise.race([
    once(said, 'line') as Promise<[string]>,
    ended.then(() => Promise.reject(new Error(`${program} ended before it was ready`))),
  ])
  const lines: string[] = []
  said.on('line', (line) => lines.push(line))
  return {
    first,
    lines,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    kill: async (): Promise<void> => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
