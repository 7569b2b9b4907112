import { createHash } from 'node:crypto'
import {
  cpSync,
  createReadStream,
  createWriteStream,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { RELEASED, RUN, neededFor } from './lib/packages.mjs'
import { inProject, runScript } from './lib/project.mjs'

const LEFT_OUT = /\.map$|built-from\.json$|\.part-\d+$|[\\/]node_modules$/

const SUMS = 'SHA256SUMS'

// npm run release: packs the built site into an archive below release/, which `npm start` serves without a build.
await runScript(async () => {
  await ensureBuilt(await ensureInstalled(console.log), console.log)
  const whole = readJson('package.json')
  const name = `${whole.name}-${whole.version}`
  const folder = inProject('release', name)
  rmSync(folder, { recursive: true, force: true })
  for (const part of RELEASED) {
    cpSync(inProject(part), join(folder, part), {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(path),
    })
  }
  writePackages(folder, whole)
  const files = filesOf(folder)
  const sums = files.map((file) => `${sha256(readFileSync(join(folder, file)))}  ${file}\n`)
  writeFileSync(join(folder, SUMS), sums.join(''))
  const archive = `${name}.tar.gz`
  await pack(folder, [...files, SUMS], name, inProject('release', archive))
  const sum = sha256(readFileSync(inProject('release', archive)))
  writeFileSync(inProject('release', `${archive}.sha256`), `${sum}  ${archive}\n`)
  const { size } = statSync(inProject('release', archive))
  console.log(`release/${archive}: ${(size / 1e6).toFixed(1)} MB, sha256 ${sum}`)
})

/**
 * Writes package.json and package-lock.json with only the runtime packages.
 *
 * @param {string} folder
 * @param {any} whole the project's package.json
 */
function writePackages(folder, whole) {
  const { name, version, description, license, type, engines, optionalDependencies } = whole
  const dependencies = Object.fromEntries(RUN.map((one) => [one, whole.dependencies[one]]))
  const own = { name, version, license, dependencies, optionalDependencies, engines }
  writeJson(join(folder, 'package.json'), {
    ...own,
    private: true,
    description,
    type,
    scripts: { start: whole.scripts.start, cli: whole.scripts.cli },
  })
  const { packages, lockfileVersion, requires } = readJson('package-lock.json')
  const needed = neededFor(packages, [...RUN, ...Object.keys(optionalDependencies)])
  writeJson(join(folder, 'package-lock.json'), {
    name,
    version,
    lockfileVersion,
    requires,
    packages: { '': own, ...needed },
  })
}

/**
 * Reproducible: the same files give the same bytes.
 *
 * @param {string} folder
 * @param {readonly string[]} files
 * @param {string} name of the folder in the archive
 * @param {string} archive
 */
async function pack(folder, files, name, archive) {
  const { default: tar } = await import('tar-stream')
  const packed = tar.pack()
  const written = pipeline(packed, createGzip({ level: 9 }), createWriteStream(archive))
  for (const file of files) {
    const { size } = statSync(join(folder, file))
    const entry = packed.entry({ name: `${name}/${file}`, size, mode: 0o644, mtime: new Date(0) })
    await pipeline(createReadStream(join(folder, file)), entry)
  }
  packed.finalize()
  await written
}

/**
 * @param {string} folder
 * @returns {string[]} with `/`, in a fixed order
 */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
}

/** @param {string | Uint8Array} content */
function sha256(content) {
  return createHash('sha256').update(content).digest('hex')
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(inProject(file), 'utf8'))
}

/**
 * @param {string} file
 * @param {unknown} value
 */
function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
