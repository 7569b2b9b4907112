/**
 * Packages that the built server loads at run time because they have native code or WebAssembly. All others, except
 * PostgreSQL, are bundled.
 */
export const RUN = ['@node-rs/argon2', 'lightningdevkit', 'sharp']

/** Packages used only to build. */
export const BUILD = ['@vitejs/plugin-react', 'vite', 'woff2-encoder']

/** Contents of a release: the built site, its data, its start scripts, and the documentation. */
export const RELEASED = [
  'dist',
  'migrations',
  'data',
  'bin/start.mjs',
  'bin/cli.mjs',
  'bin/lib/build.mjs',
  'bin/lib/install.mjs',
  'bin/lib/node.mjs',
  'bin/lib/npm.mjs',
  'bin/lib/progress.mjs',
  'bin/lib/project.mjs',
  'bin/lib/run.mjs',
  'bin/lib/stop-with-parent.mjs',
  'bin/node/.npmrc',
  'bin/node/package.json',
  'bin/node/package-lock.json',
  '.npmrc',
  '.env.example',
  'LICENSE',
  'THIRD_PARTY.md',
  'docs/operations.md',
]

/**
 * @typedef {{ version: string, license?: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }> }} Locked
 */

/**
 * The part of a lockfile that some packages need, for every platform, without optional peers.
 *
 * @template {Locked} P
 * @param {Record<string, P>} packages by path, as in lockfiles
 * @param {readonly string[]} names
 * @returns {Record<string, P>} in the order of the lockfile
 */
export function neededFor(packages, names) {
  /** @type {Set<string>} */
  const found = new Set()
  /**
   * @param {string} name
   * @param {string} from
   */
  const visit = (name, from) => {
    const path = lookUp(packages, name, from)
    if (path === null || found.has(path)) return
    found.add(path)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[path]
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (peer) => !peerDependenciesMeta?.[peer]?.optional,
    )
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) visit(next, path)
    for (const next of peers) visit(next, path)
  }
  for (const name of names) visit(name, '')
  return Object.fromEntries(Object.entries(packages).filter(([path]) => found.has(path)))
}

/**
 * Resolves a package from another one as Node does.
 *
 * @param {Record<string, unknown>} packages
 * @param {string} name
 * @param {string} from
 * @returns {string | null} null for an optional one that the lockfile lacks
 */
function lookUp(packages, name, from) {
  for (
    let at = from;
    at !== '';
    at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))
  ) {
    const path = `${at}/node_modules/${name}`
    if (path in packages) return path
  }
  const path = `node_modules/${name}`
  return path in packages ? path : null
}
