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
import { showProgress } from './progress.mjs'
import { ROOT, Refusal, inProject } from './project.mjs'

/**
 * @typedef {{ name: string, needs: string, words: readonly string[] }} Step writes into the folder `name`
 * @typedef {{ what: string, folder: string, steps: readonly Step[], sources: readonly string[] }} Build
 */

/** @type {readonly Step[]} */
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

/** Sources of the bundles, without tests. */
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
  'bin/lib/fonts.mjs',
  'bin/lib/packages.mjs',
]
const NO_SOURCE = /\.test\.tsx?$|\.md$/

/** @type {Build} */
const SITE = { what: 'the site', folder: inProject('dist'), steps: STEPS, sources: SOURCES }

const PROGRAMS_CONFIG = 'tests/programs.vite.config.ts'
/**
 * Programs that tests start and kill.
 *
 * @type {Build}
 */
const PROGRAMS = {
  what: 'the programs of the tests',
  folder: inProject('node_modules', '.cache', 'test-programs'),
  steps: [{ name: 'built', needs: PROGRAMS_CONFIG, words: ['--config', PROGRAMS_CONFIG] }],
  sources: [...SOURCES, 'tests/support', PROGRAMS_CONFIG],
}

/**
 * Builds the site into `dist/` if its sources have changed. Releases are built already and contain no sources.
 *
 * @param {string} node
 * @param {(line: string) => void} say
 * @throws {Refusal} when a step fails
 */
export async function ensureBuilt(node, say) {
  if (existsSync(inProject('src'))) await ensure(SITE, node, say)
}

/**
 * Builds the test programs if their sources have changed.
 *
 * @param {string} node
 * @param {(line: string) => void} say
 * @returns {Promise<string>} their folder
 * @throws {Refusal} when it fails
 */
export async function ensurePrograms(node, say) {
  await ensure(PROGRAMS, node, say)
  return join(PROGRAMS.folder, 'built')
}

/**
 * Removes the stamp first and writes it last, so that an interrupted build never counts.
 *
 * @param {Build} build
 * @param {string} node
 * @param {(line: string) => void} say
 */
async function ensure(build, node, say) {
  const stampFile = join(build.folder, 'built-from.json')
  const files = listSources(build.sources)
  const seen = digest(files.map(({ path, size, changed }) => `${path} ${size} ${changed}`))
  const stamp = readStamp(stampFile)
  if (stamp?.seen === seen) return
  // A checkout changes file times, so contents are compared.
  const content = digest(
    files.map(({ path }) => `${path} ${digest([readFileSync(inProject(path))])}`),
  )
  if (stamp?.content !== content) await make(build, node, say)
  writeFileSync(stampFile, JSON.stringify({ seen, content }))
}

/**
 * @param {Build} build
 * @param {string} node
 * @param {(line: string) => void} say
 */
async function make({ what, folder, steps: all }, node, say) {
  const parts = join(folder, `.part-${process.pid}`)
  sweepParts(folder)
  mkdirSync(parts, { recursive: true })
  const steps = all.filter(({ needs }) => existsSync(inProject(needs)))
  const left = new Set(steps.map(({ name }) => name))
  const end = showProgress(say, `Building ${what}`, () => {
    const done = `${steps.length - left.size} of ${steps.length}`
    return left.size === 0 ? done : `${done}, at ${[...left].join(', ')}`
  })
  try {
    // Waits for all steps even if one fails: they write into the folder removed below.
    const ended = await Promise.allSettled(
      steps.map(async ({ name, words }) => {
        await vite(node, ['build', ...words, '--outDir', join(parts, name)])
        left.delete(name)
      }),
    )
    for (const step of ended) if (step.status === 'rejected') throw step.reason
    rmSync(join(folder, 'built-from.json'), { force: true })
    for (const { name } of steps) {
      rmSync(join(folder, name), { recursive: true, force: true })
      renameSync(join(parts, name), join(folder, name))
    }
  } finally {
    end()
    rmSync(parts, { recursive: true, force: true })
  }
  say(`Built ${what} in ${end()} s.`)
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

/**
 * Removes leftovers of killed builds; the folder of a running build stays.
 *
 * @param {string} folder
 */
function sweepParts(folder) {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const pid = Number(/^\.part-(\d+)$/.exec(name)?.[1])
    if (pid && !isAlive(pid)) rmSync(join(folder, name), { recursive: true, force: true })
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

/**
 * @param {readonly string[]} sources
 * @returns {{ path: string, size: number, changed: number }[]} in a fixed order
 */
function listSources(sources) {
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
  for (const source of sources) visit(source)
  return found
}

/** @param {readonly (string | Uint8Array)[]} parts */
function digest(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\n')
  return hash.digest('hex')
}

/**
 * @param {string} file
 * @returns {{ seen: string, content: string } | null}
 */
function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
