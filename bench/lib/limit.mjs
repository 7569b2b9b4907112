/*
 * Loaded by every bench: it ends by itself within four minutes, takes what it started with it, and what it waits for has
 * a limit and a name.
 */

const LIMIT_MS = process.env.FULL === 'on' ? 900_000 : 230_000

const children = new Set()

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

setTimeout(() => {
  end(`The bench was not done after ${Math.round(LIMIT_MS / 1000)} s, and ends here.`)
}, LIMIT_MS).unref()

/**
 * A program that ends when the bench does.
 *
 * @template {import('node:child_process').ChildProcess} Child
 * @param {Child} child
 * @returns {Child}
 */
export function withUs(child) {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/**
 * Waits until something is there, and ends the bench with a sentence when it does not come.
 *
 * @template Found
 * @param {string} what such as "two followers of the ticker"
 * @param {() => Found | null | undefined | false | Promise<Found | null | undefined | false>} look
 * @param {{ limitMs?: number, everyMs?: number }} [patience]
 * @returns {Promise<Found>}
 */
export async function waitFor(what, look, { limitMs = 60_000, everyMs = 50 } = {}) {
  const until = performance.now() + limitMs
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > until) end(missing(what, limitMs))
    await new Promise((done) => setTimeout(done, everyMs))
  }
}

/**
 * The same for something that comes by itself.
 *
 * @template Found
 * @param {string} what
 * @param {Promise<Found>} coming
 * @returns {Promise<Found>}
 */
export async function within(what, coming, limitMs = 60_000) {
  const limit = setTimeout(() => end(missing(what, limitMs)), limitMs)
  try {
    return await coming
  } finally {
    clearTimeout(limit)
  }
}

/**
 * @param {string} what
 * @param {number} limitMs
 */
function missing(what, limitMs) {
  return `Waited ${Math.round(limitMs / 1000)} s for ${what}, which did not come.`
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function end(sentence) {
  console.error(`\n${sentence}`)
  process.exit(1)
}
