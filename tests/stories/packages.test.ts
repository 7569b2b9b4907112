import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '../..')
/** Each next to a package.json and an .npmrc: of the site, and of a single command. */
const LOCKED = ['.', 'bin/node', 'bin/migrations', 'bench/lighthouse']
const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      dev: z.boolean().optional(),
    }),
  ),
})
const lockOf = (folder: string) =>
  lockfile.parse(JSON.parse(readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8')))
const job = z.array(
  z.looseObject({ anew: z.boolean(), tests: z.boolean(), paths: z.array(z.string()) }),
)
const installer = z.object({
  missing: z.function({
    input: [z.string(), z.string(), z.object({ tests: z.boolean() })],
    output: job,
  }),
})
const lists = z.object({ RELEASED: z.array(z.string()) })
const launcher = z.object({
  nodeFault: z.function({ input: [z.string()], output: z.string().nullable() }),
  LOWEST: z.string(),
})

const binFile = (name: string): string =>
  pathToFileURL(join(ROOT, 'bin', 'lib', `${name}.mjs`)).href

/** The launcher is plain JavaScript that runs without packages. */
async function launch() {
  const [project, node] = await Promise.all([import(binFile('project')), import(binFile('node'))])
  return launcher.parse({ ...project, ...node })
}

describe('the packages', () => {
  const { packages } = lockOf('.')

  it.each(LOCKED)(
    'the packages of %s are checked, come from any registry and run no script',
    (folder) => {
      const unsound = Object.entries(lockOf(folder).packages)
        .filter(([path]) => path !== '')
        .filter(([, { integrity, resolved }]) => integrity === undefined || resolved !== undefined)
      expect(unsound).toEqual([])
      const settings = readFileSync(join(ROOT, folder, '.npmrc'), 'utf8').split('\n')
      expect(settings).toEqual(expect.arrayContaining(['ignore-scripts=true', 'save-exact=true']))
    },
  )

  it('a start installs nothing that only tests, benchmarks and types need', () => {
    const site = Object.entries(packages).filter(([, { dev }]) => !dev)
    const tools =
      /\/(?:typescript|vitest|jsdom|playwright|lighthouse|drizzle-kit|esbuild|oxlint|knip|node-linux)/
    expect(site.length).toBeGreaterThan(200)
    expect(site.filter(([path]) => tools.test(path))).toEqual([])
  })

  it('are listed in THIRD_PARTY.md with their licences', async () => {
    const check = [join(ROOT, 'bin', 'third-party.mjs'), '--check']
    await expect(promisify(execFile)(process.execPath, check)).resolves.toBeDefined()
  })

  it('there is one version of Node for machines with an older one, on every platform and in the container', () => {
    const nodes = Object.values(lockOf('bin/node').packages).flatMap(({ version }) => version ?? [])
    expect(nodes).toHaveLength(5)
    expect(new Set(nodes).size).toBe(1)
    expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toContain(`NODE=node:${nodes[0] ?? ''}-`)
  })

  it('a release has all files that its launcher imports, and nothing that is not there', async () => {
    const { RELEASED } = lists.parse(await import(binFile('packages')))
    const there = RELEASED.filter((name) => name !== 'dist')
    expect(there.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
    const launched = RELEASED.filter((name) => name.endsWith('.mjs'))
    const imported = launched.flatMap((name) =>
      [...readFileSync(join(ROOT, name), 'utf8').matchAll(/(?<=from ')\.[^']+/g)].map(([path]) =>
        posix.join(posix.dirname(name), path),
      ),
    )
    expect(imported.length).toBeGreaterThan(10)
    expect(imported.filter((name) => !RELEASED.includes(name))).toEqual([])
  })
})

describe('the installation', () => {
  /**
   * A project with a package for the site, one for tests and one for another platform; what npm records as
   * installed.
   */
  async function needed(
    present: readonly ('site' | 'tests')[] | null,
    { tests, version = '1.0.0' }: { tests: boolean; version?: string },
  ) {
    const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-installation-'))
    const all = {
      site: { version: '1.0.0' },
      tests: { version: '1.0.0', dev: true },
      foreign: { version: '1.0.0', optional: true, os: ['none'] },
    }
    const write = (file: string, packages: object): void =>
      writeFileSync(join(folder, file), JSON.stringify({ packages }))
    const at = (name: string): string => `node_modules/${name}`
    try {
      write('package-lock.json', {
        '': {},
        ...Object.fromEntries(Object.entries(all).map(([name, one]) => [at(name), one])),
        [at('site')]: { version },
      })
      mkdirSync(join(folder, 'node_modules'))
      for (const name of present ?? []) mkdirSync(join(folder, at(name)))
      if (present !== null) {
        write(
          'node_modules/.package-lock.json',
          Object.fromEntries(present.map((name) => [at(name), all[name]])),
        )
      }
      const { missing } = installer.parse(await import(binFile('install')))
      const jobs = missing('packages', folder, { tests })
      // The result is recorded, so that nothing is checked twice.
      if (jobs.length === 0) rmSync(join(folder, 'node_modules/.package-lock.json'))
      expect(missing('packages', folder, { tests })).toEqual(jobs)
      return jobs.map(({ paths, ...one }) => ({
        anew: one.anew,
        tests: one.tests,
        names: paths.map((path) => path.replace('node_modules/', '')),
      }))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  const [site, both] = [['site'] as const, ['site', 'tests'] as const]

  it.each([
    ['nothing is there', null, { tests: false }, [{ anew: true, tests: false, names: site }]],
    ['nothing is there, tests', null, { tests: true }, [{ anew: true, tests: true, names: both }]],
    ['a second start', site, { tests: false }, []],
    ['tests after a start', site, { tests: true }, [{ anew: false, tests: true, names: both }]],
    ['a start after tests', both, { tests: false }, []],
    ['tests again', both, { tests: true }, []],
    [
      'a newer version',
      site,
      { tests: false, version: '2.0.0' },
      [{ anew: false, tests: false, names: site }],
    ],
    [
      'a newer version after tests',
      both,
      { tests: false, version: '2.0.0' },
      [{ anew: false, tests: true, names: both }],
    ],
  ])(
    'the installation adds missing packages and keeps the rest: %s',
    async (_, present, also, jobs) => {
      expect(await needed(present, also)).toEqual(jobs)
    },
  )
})

describe('the launcher', () => {
  it.each([
    ['18.20.8', false],
    ['20.18.3', false],
    ['20.19.0', true],
    ['26.10.0', true],
  ])(
    'the launcher starts on Node %s, or says in a sentence why not: %s',
    async (version, starts) => {
      const { nodeFault } = await launch()
      const sentence = expect.stringContaining(`20.19 or newer, and this is Node ${version}`)
      expect(nodeFault(version)).toEqual(starts ? null : sentence)
    },
  )

  it('the site runs on the Node version that its packages and types require', async () => {
    const { LOWEST } = await launch()
    expect(LOWEST).toBe('22.19.0')
    const { packages } = lockOf('.')
    expect(packages['node_modules/@types/node']?.version).toMatch(/^22\./)
    const server = readFileSync(join(ROOT, 'vite.server.config.ts'), 'utf8')
    expect(server).toContain(`target: 'node${LOWEST.replace(/\.0$/, '')}'`)
  })
})
