import { type ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/*
 * Loaded by every benchmark: limits its total time to four minutes, ends its child processes with it, and gives each wait
 * a timeout and a name.
 */

const LIMIT_MS = process.env['FULL'] === 'on' ? 900_000 : 230_000

const children = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

setTimeout(() => {
  end(`The benchmark did not end within ${Math.round(LIMIT_MS / 1000)} s and was stopped.`)
}, LIMIT_MS).unref()

/** Ends a child process with the benchmark. */
export function withUs<Child extends ChildProcess>(child: Child): Child {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/**
 * Polls until there is a value; on timeout, ends the benchmark with a message.
 *
 * @param what such as "two followers of the ticker"
 */
export async function waitFor<Found>(
  what: string,
  look: () => Found | Missing | Promise<Found | Missing>,
  { limitMs = 60_000, everyMs = 50 } = {},
): Promise<Found> {
  const until = performance.now() + limitMs
  for (;;) {
    const found = await look()
    if (found !== false && found != null) return found
    if (performance.now() > until) end(missing(what, limitMs))
    await pause(everyMs)
  }
}

type Missing = null | undefined | false

/** As `waitFor`, for a promise. */
export async function within<Found>(
  what: string,
  coming: Promise<Found>,
  limitMs = 60_000,
): Promise<Found> {
  const limit = setTimeout(() => end(missing(what, limitMs)), limitMs)
  try {
    return await coming
  } finally {
    clearTimeout(limit)
  }
}

function missing(what: string, limitMs: number): string {
  return `Waited ${Math.round(limitMs / 1000)} s for ${what}, which did not come.`
}

function end(sentence: string): never {
  console.error(`\n${sentence}`)
  process.exit(1)
}
