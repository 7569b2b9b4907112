import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { ROOT, Refusal, inProject } from './project.mjs'

/**
 * The steps of a build, in order. Each writes into `dist/<name>`.
 *
 * @type {readonly { name: string, needs: string, words: readonly string[] }[]}
 */
const STEPS = [
  { name: 'web', needs: 'vite.config.ts', words: [] },
  {
    name: 'ssr',
    needs: 'src/web/render/entry-server.tsx',
    words: ['--ssr', 'src/web/render/entry-server.tsx'],
  },
  { name: 'admin', needs: 'vite.admin.config.ts', words: ['--config', 'vite.admin.config.ts'] },
  { name: 'server', needs: 'vite.server.config.ts', words: ['--config', 'vite.server.config.ts'] },
]

/** Everything the bundles are made of, without tests. */
const SOURCES = [
  'src',
  'public',
  'index.html',
  'admin.html',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'vite.admin.config.ts',
  'vite.server.config.ts',
  'tsconfig.base.json',
]
const NO_SOURCE = /\.test\.tsx?$|\.md$/

const DIST = inProject('dist')
const STAMP = join(DIST, 'built-from.json')

/**
 * Builds `dist/` if the sources have changed. The stamp is removed before anything is replaced and written last, so an
 * interrupted build never counts.
 *
 * @param {string} node
 * @param {(line: string) => void} say
 * @throws {Refusal} when a step fails
 */
export async function ensureBuilt(node, say) {
  const files = listSources()
  const seen = digest(files.map(({ path, size, changed }) => `${path} ${size} ${changed}`))
  const stamp = readStamp()
  if (stamp?.seen === seen) return
  // Times change with every checkout; only the contents show whether anything is new.
  const content = digest(
    files.map(({ path }) => `${path} ${digest([readFileSync(inProject(path))])}`),
  )
  if (stamp?.content !== content) await build(node, say)
  writeFileSync(STAMP, JSON.stringify({ seen, content }))
}

/**
 * @param {string} node
 * @param {(line: string) => void} say
 */
async function build(node, say) {
  say('Building the site (only when its sources changed) ...')
  const began = Date.now()
  const parts = join(DIST, `.part-${process.pid}`)
  sweepParts()
  mkdirSync(parts, { recursive: true })
  try {
    const steps = STEPS.filter(({ needs }) => existsSync(inProject(needs)))
    await Promise.all(
      steps.map(({ name, words }) =>
        vite(node, ['build', ...words, '--outDir', join(parts, name)]),
      ),
    )
    rmSync(STAMP, { force: true })
    for (const { name } of steps) {
      rmSync(join(DIST, name), { recursive: true, force: true })
      renameSync(join(parts, name), join(DIST, name))
    }
  } finally {
    rmSync(parts, { recursive: true, force: true })
  }
  say(`Site built in ${((Date.now() - began) / 1000).toFixed(1)} s.`)
}

/**
 * @param {string} node
 * @param {readonly string[]} words
 * @returns {Promise<void>}
 */
function vite(node, words) {
  const script = inProject('node_modules', 'vite', 'bin', 'vite.js')
  const args = [script, ...words, '--emptyOutDir', '--logLevel', 'warn']
  return new Promise((done, fail) => {
    const child = spawn(node, args, {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let report = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        report += chunk
      })
    }
    child.on('error', fail)
    child.on('close', (code) => {
      if (code === 0) done()
      else fail(new Refusal(`"vite ${words.join(' ')}" failed:\n${report.trim()}`))
    })
  })
}

/** Removes the leftovers of killed builds; a running build keeps its folder. */
function sweepParts() {
  if (!existsSync(DIST)) return
  for (const name of readdirSync(DIST)) {
    const pid = Number(/^\.part-(\d+)$/.exec(name)?.[1])
    if (pid && !isAlive(pid)) rmSync(join(DIST, name), { recursive: true, force: true })
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** @returns {{ path: string, size: number, changed: number }[]} in a fixed order */
function listSources() {
  /** @type {{ path: string, size: number, changed: number }[]} */
  const found = []
  /** @param {string} path */
  const visit = (path) => {
    const stat = statSync(inProject(path), { throwIfNoEntry: false })
    if (stat?.isDirectory()) {
      for (const name of readdirSync(inProject(path)).toSorted()) visit(`${path}/${name}`)
    } else if (stat && !NO_SOURCE.test(path)) {
      found.push({ path, size: stat.size, changed: stat.mtimeMs })
    }
  }
  for (const source of SOURCES) visit(source)
  return found
}

/** @param {readonly (string | Uint8Array)[]} parts */
function digest(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\n')
  return hash.digest('hex')
}

/** @returns {{ seen: string, content: string } | null} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'))
  } catch {
    return null
  }
}
