import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { pathToFileURL } from 'node:url'
import { ROOT, inProject } from './project.mjs'

/** After this time, another Ctrl-C kills a program that does not stop. */
const PATIENCE_MS = 10_000

/** Interval of checks whether npm is still running. */
const PARENT_CHECK_MS = 250

/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a long-lived program. It gets one request to stop, however often Ctrl-C is pressed, and also stops if this process
 * is killed.
 *
 * @param {string} node
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{ ended: Promise<number>, stop: (signal?: NodeJS.Signals) => void }} the status to exit with
 */
export function runServer(node, words, env = process.env) {
  const watch = pathToFileURL(inProject('bin', 'lib', 'stop-with-parent.mjs')).href
  const child = spawn(node, ['--import', watch, ...words], {
    cwd: ROOT,
    env,
    // The terminal sends Ctrl-C to the whole group; outside of it the program only gets the signals that we forward.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let interruptedAt = 0
  /** @param {NodeJS.Signals} signal */
  const stop = (signal = 'SIGTERM') => {
    if (interruptedAt === 0) {
      interruptedAt = Date.now()
      // On Windows a signal kills the program; there, closing the channel asks it to stop.
      if (process.platform === 'win32') child.disconnect()
      else child.kill(signal)
    } else if (Date.now() - interruptedAt > PATIENCE_MS) {
      child.kill('SIGKILL')
    }
  }
  return { ended: statusOf(child), stop }
}

/**
 * Runs a program in our terminal, such as a command that prompts for a password. Ctrl-C reaches it directly.
 *
 * @param {string} node
 * @param {readonly string[]} words
 * @returns {Promise<number>} the status to exit with
 */
export async function runCommand(node, words) {
  const child = spawn(node, [...words], { stdio: 'inherit' })
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  return statusOf(child)
}

/**
 * Forwards every request to stop. Killing npm counts as one: npm and its shell end at once without notifying us.
 *
 * @param {(signal: NodeJS.Signals) => void} stop
 */
export function onStopSignal(stop) {
  for (const signal of SIGNALS) process.on(signal, () => stop(signal))
  if (!process.env.npm_lifecycle_event) return
  const starters = findStarters()
  const watch = setInterval(() => {
    if (findStarters() === starters) return
    clearInterval(watch)
    stop('SIGTERM')
  }, PARENT_CHECK_MS)
  watch.unref()
}

/** @returns {string} our parent process and, if known, its parent: a shell and npm */
function findStarters() {
  const parent = String(process.ppid)
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8')
    return `${parent} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`
  } catch {
    return parent
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
export function statusOf(child) {
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('exit', (code, signal) => {
      done(code ?? 128 + (signal ? constants.signals[signal] : 1))
    })
  })
}
