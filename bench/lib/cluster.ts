// The cluster of deploy/ on 127.0.0.1, from Debian's packages: a primary and a streaming replica, PgBouncer, web
// processes, workers, and the cache of deploy/nginx. Each part can be killed and restarted.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { waitFor, withUs } from './limit.ts'
import { freePort, untilOpen } from './site.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const DATABASE = 'proof_of_price'

export type PartName =
  | 'primary'
  | 'replica'
  | 'pooler'
  | 'cache'
  | 'web1'
  | 'web2'
  | 'worker1'
  | 'worker2'

/** A program of the cluster. */
export type Part = {
  readonly port: number
  readonly pid: () => number
  /** Simulates a power failure: SIGKILL for it and all its children. */
  readonly kill: () => Promise<void>
  /** @returns once it is ready */
  readonly start: () => Promise<void>
}

export type Cluster = {
  readonly parts: Readonly<Record<PartName, Part>>
  /** Address for visitors. */
  readonly front: string
  /** Connected directly to the primary. */
  readonly database: pg.Pool
  readonly stop: () => Promise<void>
}

/** Paths of the programs in Debian, with package names for the message about missing ones. */
function programs(): { postgres: string; pgbouncer: string; nginx: string } {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0]
  const found = {
    postgres: `/usr/lib/postgresql/${newest ?? '15'}/bin`,
    pgbouncer: '/usr/sbin/pgbouncer',
    nginx: '/usr/sbin/nginx',
  }
  const missing = [
    ['postgresql', join(found.postgres, 'initdb')],
    ['pgbouncer', found.pgbouncer],
    ['nginx', found.nginx],
  ].flatMap(([name = '', file = '']) => (existsSync(file) ? [] : [name]))
  if (missing.length > 0) {
    console.error(`The drill needs Debian's packages: apt-get install ${missing.join(' ')}`)
    process.exit(1)
  }
  return found
}

/** PostgreSQL and PgBouncer refuse to run as root; the users of their packages run them. */
const isRoot = process.getuid?.() === 0
const asUser = (file: string, args: readonly string[]): [string, string[]] =>
  isRoot
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', file, ...args]]
    : [file, [...args]]

function runOnce(file: string, args: readonly string[]): void {
  const [command, all] = asUser(file, args)
  const { status, stderr } = spawnSync(command, all, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${stderr}`)
}

/** @param env settings of the site in addition to those of the cluster */
export async function startCluster(env: Readonly<Record<string, string>>): Promise<Cluster> {
  const programOf = programs()
  const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-cluster-'))
  chmodSync(folder, 0o777)
  const at = (name: string): string => join(folder, name)
  const names = [
    'primary',
    'replica',
    'pooler',
    'cache',
    'web1',
    'web2',
    'worker1',
    'worker2',
  ] as const
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await freePort()] as const)),
  ) as Record<PartName, number>
  const urlTo = (port: number): string => `postgresql://proof@127.0.0.1:${port}/${DATABASE}`
  const postgres = (name: string): string => join(programOf.postgres, name)

  runOnce(postgres('initdb'), ['-D', at('primary'), '-U', 'proof', '-A', 'trust', '-E', 'UTF8'])
  const server = (name: 'primary' | 'replica') =>
    part(ports[name], () =>
      spawn(
        ...asUser(
          postgres('postgres'),
          `-D ${at(name)} -p ${ports[name]} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=200`.split(
            ' ',
          ),
        ),
        { stdio: 'ignore', detached: true },
      ),
    )
  const answers =
    (port: number, database = DATABASE) =>
    async () => {
      const client = new pg.Client({ host: '127.0.0.1', port, user: 'proof', database })
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query('select 1')
        return true
      } catch {
        return false
      } finally {
        await client.end().catch(() => {})
      }
    }
  const primary = server('primary')
  await primary.begin(answers(ports.primary, 'postgres'))
  const admin = new pg.Client({
    host: '127.0.0.1',
    port: ports.primary,
    user: 'proof',
    database: 'postgres',
  })
  await admin.connect()
  await admin.query(`create database ${DATABASE}`)
  await admin.end()
  runOnce(
    postgres('pg_basebackup'),
    `-h 127.0.0.1 -p ${ports.primary} -U proof -D ${at('replica')} -R -c fast`.split(' '),
  )
  const replica = server('replica')
  await replica.begin(answers(ports.replica))

  writeFileSync(at('pgbouncer.ini'), poolerConfig(ports))
  const pooler = part(ports.pooler, () =>
    spawn(...asUser(programOf.pgbouncer, ['-q', at('pgbouncer.ini')]), {
      stdio: 'ignore',
      detached: true,
    }),
  )
  await pooler.begin(answers(ports.pooler))

  const shared = {
    NODE_ENV: 'production',
    ...process.env,
    HOST: '127.0.0.1',
    TRUST_PROXY: '127.0.0.1',
    DATABASE_URL: urlTo(ports.pooler),
    DATABASE_DIRECT_URL: urlTo(ports.primary),
    DATABASE_READ_URL: urlTo(ports.replica),
    SECRETS_KEY: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'error',
    ...env,
  }
  const log = at('site.log')
  const site = (name: 'web1' | 'web2' | 'worker1' | 'worker2') =>
    part(ports[name], () => {
      const child = spawn(process.execPath, [join(ROOT, 'dist/server/main.mjs')], {
        cwd: ROOT,
        env: {
          ...shared,
          ROLE: name.startsWith('web') ? 'web' : 'worker',
          PORT: String(ports[name]),
          DATA_DIR: at(name),
        },
        stdio: ['ignore', 'ignore', 'pipe'],
        detached: true,
      })
      child.stderr.on('data', (text) => appendFileSync(log, text))
      return child
    })
  const isReady = (name: PartName) => async () => {
    const answer = await fetch(`http://127.0.0.1:${ports[name]}/readyz`).catch(() => null)
    return answer?.status === 200
  }
  const sites = {
    web1: site('web1'),
    web2: site('web2'),
    worker1: site('worker1'),
    worker2: site('worker2'),
  }
  for (const [name, one] of Object.entries(sites)) await one.begin(isReady(name as PartName))

  writeFileSync(at('nginx.conf'), cacheConfig(ports, folder))
  const cache = part(ports.cache, () =>
    spawn(programOf.nginx, ['-c', at('nginx.conf'), '-e', at('nginx.log')], {
      stdio: 'ignore',
      detached: true,
    }),
  )
  const front = `http://127.0.0.1:${ports.cache}`
  await cache.begin(async () => (await untilOpen(`${front}/btc`)) > 0)

  const database = new pg.Pool({ connectionString: urlTo(ports.primary), max: 4 })
  database.on('error', () => {})
  const parts = { primary, replica, pooler, cache, ...sites }
  return {
    parts,
    front,
    database,
    async stop() {
      await database.end()
      for (const one of Object.values(parts).toReversed()) await one.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** deploy/'s PgBouncer configuration with the addresses of this cluster. */
function poolerConfig(ports: Readonly<Record<PartName, number>>): string {
  return readFileSync(join(ROOT, 'deploy', 'pgbouncer', 'pgbouncer.ini'), 'utf8')
    .replace(/host=postgres port=5432/, `host=127.0.0.1 port=${ports.primary} user=proof`)
    .replace(/listen_addr = .*/, 'listen_addr = 127.0.0.1')
    .replace(/listen_port = .*/, `listen_port = ${ports.pooler}`)
    .replace(/auth_type = .*/, 'auth_type = any')
    .replace(/auth_file = .*\n/, '')
}

/** deploy/'s cache configuration with the addresses of this cluster. */
function cacheConfig(ports: Readonly<Record<PartName, number>>, folder: string): string {
  const own = readFileSync(join(ROOT, 'deploy', 'nginx', 'nginx.conf'), 'utf8')
    .replaceAll('web1:3001', `127.0.0.1:${ports.web1}`)
    .replaceAll('web2:3001', `127.0.0.1:${ports.web2}`)
    .replace('listen 8080', `listen 127.0.0.1:${ports.cache}`)
    // May exceed this machine's limit of open files; the drill connects its many streams to the web processes directly.
    .replace(/worker_rlimit_nofile .*/, '')
    .replace(/worker_connections .*/, 'worker_connections 8192;')
    .replace('set_real_ip_from 10.0.0.0/8;', 'set_real_ip_from 127.0.0.1;')
    .replaceAll('/tmp/nginx', `${folder}/nginx`)
  return `${isRoot ? 'user root;\n' : ''}daemon off;\n${own}`
}

type StartedPart = Part & {
  /** Starts it for the first time; `works` reports readiness. */
  readonly begin: (works: () => Promise<boolean>) => Promise<void>
}

function part(port: number, run: () => ChildProcess): StartedPart {
  let child: ChildProcess | null = null
  let works: () => Promise<boolean> = async () => true
  const start = async (): Promise<void> => {
    child = withUs(run())
    await waitFor(`a program at port ${port}`, works, { limitMs: 60_000 })
  }
  return {
    port,
    pid: () => child?.pid ?? 0,
    start,
    async begin(options) {
      works = options
      await start()
    },
    async kill() {
      const killed = child
      child = null
      if (!killed?.pid) return
      const gone = new Promise((done) => killed.once('exit', done))
      try {
        // Kills the whole process group.
        process.kill(-killed.pid, 'SIGKILL')
      } catch {
        return
      }
      await gone
    },
  }
}
