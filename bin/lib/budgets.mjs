import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { ROOT, inProject } from './project.mjs'

const TEST = /\.test\.tsx?$/
const CODE = ['.ts', '.tsx', '.css', '.js', '.mjs']
/** A figure this far below its budget is reported, so that the budget can be lowered. */
const SLACK = 0.02

/**
 * Compares the size of the project with budgets.json, which only goes down, or the commit says why.
 *
 * @param {{ say: (line: string) => void }} context
 * @param {any} budgets as in budgets.json
 * @returns {import('./suites.mjs').Count}
 */
export function checkBudgets({ say }, budgets = readBudgets()) {
  const rows = measure().map(([path, found]) => {
    const allowed = path.split('.').reduce((inside, key) => inside[key], budgets)
    return { path, found, allowed }
  })
  const over = rows.filter(({ found, allowed }) => found > allowed)
  for (const { path, found, allowed } of rows) {
    if (found > allowed) say(`budgets.json: ${path} is ${found}, and at most ${allowed}.`)
    else if (found < allowed * (1 - SLACK)) say(`budgets.json: ${path} is ${found}, lower it.`)
  }
  return {
    passed: over.length === 0 ? 1 : 0,
    failed: over.length === 0 ? 0 : 1,
    skipped: 0,
    failures: over.map(({ path, found, allowed }) => `${path}: ${found} is over ${allowed}`),
  }
}

function readBudgets() {
  return JSON.parse(readFileSync(inProject('budgets.json'), 'utf8'))
}

/** @returns {readonly (readonly [path: string, found: number])[]} the figures, by their path in budgets.json */
function measure() {
  const source = list('src')
  const product = source.filter((path) => !TEST.test(path) && CODE.includes(extname(path)))
  const inFolder = (/** @type {string} */ folder) =>
    product.filter((path) => path.startsWith(`src/${folder}/`) && !path.endsWith('.css'))
  const tests = [
    ...source.filter((path) => TEST.test(path)),
    ...[...list('tests'), ...list('e2e')].filter((path) => /\.tsx?$/.test(path)),
  ]
  const packages = packagesOfStart()
  return [
    ['lines.domain', linesOf(inFolder('domain'))],
    ['lines.chart', linesOf(inFolder('chart'))],
    ['lines.contracts', linesOf(inFolder('contracts'))],
    ['lines.server', linesOf(inFolder('server'))],
    ['lines.web', linesOf(inFolder('web'))],
    ['lines.styles', linesOf(product.filter((path) => path.endsWith('.css')))],
    ['lines.bin', linesOf(list('bin').filter((path) => path.endsWith('.mjs')))],
    ['lines.bench', linesOf(list('bench').filter((path) => CODE.includes(extname(path))))],
    ['lines.tests', linesOf(tests)],
    ['files', product.length],
    ['docsWords', wordsOf([...list('docs'), 'README.md', 'CONTRIBUTING.md'])],
    ['start.packages', packages.length],
    ['start.megabytes', Math.round(bytesOf(packages) / 1e6)],
  ]
}

/**
 * @param {string} folder
 * @returns {string[]} its files, relative to the project
 */
function list(folder) {
  return readdirSync(inProject(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .replaceAll('\\', '/'),
    )
}

/** @param {readonly string[]} paths */
function linesOf(paths) {
  return sum(paths.map((path) => readFileSync(inProject(path), 'utf8').split('\n').length - 1))
}

/** @param {readonly string[]} paths */
function wordsOf(paths) {
  const pages = paths.filter((path) => path.endsWith('.md'))
  return sum(pages.map((path) => readFileSync(inProject(path), 'utf8').match(/\S+/g)?.length ?? 0))
}

/** @returns {string[]} the folders of the packages that `npm start` installs on this platform */
function packagesOfStart() {
  const { packages } = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8'))
  return Object.keys(packages).filter(
    (path) =>
      path !== '' &&
      !packages[path].dev &&
      !packages[path].devOptional &&
      existsSync(inProject(path)),
  )
}

/** @param {readonly string[]} folders */
function bytesOf(folders) {
  // Nested packages are counted separately.
  const size = (/** @type {string} */ folder) => {
    let bytes = 0
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === 'node_modules') continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) bytes += size(path)
      // Disk usage, in blocks.
      else if (entry.isFile()) bytes += Math.ceil(statSync(path).size / 4_096) * 4_096
    }
    return bytes
  }
  return sum(folders.map((folder) => size(inProject(folder))))
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
