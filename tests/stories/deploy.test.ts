import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { LIVE_EVENTS_PATH, PRICE_SOCKET_PATH } from '#contracts/paths.ts'
import { RECEIPT_EVENTS_PATH } from '#contracts/payments.ts'
import { QUEUE_EVENTS_PATH } from '#contracts/posts.ts'
import { openStore, type StoreOptions, refusePooler } from '#server/database/open.ts'
import { openReplica } from '#server/database/replica.ts'
import { transactionPooler } from '#tests/support/stand-ins/transaction-pooler.ts'
import { testDatabase } from '#tests/support/test-app.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')
const NGINX = '/usr/sbin/nginx'

const Service = z.looseObject({
  image: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  depends_on: z
    .union([z.array(z.string()), z.record(z.string(), z.unknown())])
    .transform((input) => (Array.isArray(input) ? input : Object.keys(input)))
    .optional(),
})
const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.null()),
})
const compose = Compose.parse(parse(read('deploy/compose.yaml'), { merge: true }))
const settings = new Set(read('.env.example').match(/(?<=^#?)[A-Z][A-Z\d_]+(?==)/gm))
const of = (names: readonly string[]) =>
  names.map((name) => compose.services[name] ?? Service.parse({ image: `${name} is missing` }))

describe('the compose file', () => {
  it('names only existing settings, versions, files and volumes', () => {
    for (const { environment } of of(['web1', 'web2', 'worker'])) {
      expect(Object.keys(environment ?? {}).filter((name) => !settings.has(name))).toEqual([])
    }
    for (const [name, { image, volumes, depends_on: needs = [] }] of Object.entries(
      compose.services,
    )) {
      expect([name, image]).toEqual([name, expect.stringMatching(/:(v?\d[\w.-]*|local)$/)])
      expect(needs.filter((one) => !(one in compose.services))).toEqual([])
      const sources = (volumes ?? []).map((volume) => volume.split(':')[0] ?? '')
      const missing = sources.filter((source) =>
        source.startsWith('.')
          ? !existsSync(join(ROOT, 'deploy', source))
          : !(source in compose.volumes),
      )
      expect([name, missing]).toEqual([name, []])
    }
  })

  it('lets only PgBouncer read its passwords, and does not start Grafana without one', () => {
    const users = mkdtempSync(join(tmpdir(), 'proof-of-price-users-'))
    const script = read('deploy/pgbouncer/start.sh')
      .replace('/etc/pgbouncer/users', users)
      .replace(/^exec .*$/m, '')
    execFileSync('sh', ['-c', `umask 022; ${script}`], { env: { DATABASE_PASSWORD: 'x' } })
    expect(statSync(join(users, 'userlist.txt')).mode & 0o777).toBe(0o600)
    rmSync(users, { recursive: true })
    const [shell = '', ...words] = compose.services['grafana']?.entrypoint ?? []
    const grafana = (password: string) =>
      spawnSync(
        shell,
        words.map((word) => word.replaceAll('$$', '$').replace('exec /run.sh', 'true')),
        { env: { ...process.env, GF_SECURITY_ADMIN_PASSWORD: password } },
      ).status
    expect([grafana(''), grafana('x')]).toEqual([1, 0])
  })

  it('lets the site write nothing but its data', () => {
    for (const one of of(['web1', 'web2', 'worker'])) {
      expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    }
    const container = read('Dockerfile')
    expect(container).toMatch(/^USER 10001:10001$/m)
    expect(container).toMatch(/^HEALTHCHECK .*\n.*\/readyz/m)
  })
})

describe('the cache in front of the site', () => {
  const config = read('deploy/nginx/nginx.conf')

  it('forwards streams at once, and does not expose the metrics', () => {
    const pattern = /location ~ (\S+) \{/.exec(config)?.[1] ?? ''
    const streams = [LIVE_EVENTS_PATH, PRICE_SOCKET_PATH, QUEUE_EVENTS_PATH, RECEIPT_EVENTS_PATH]
    for (const path of streams) expect(path.replace(':token', 'abc')).toMatch(new RegExp(pattern))
    for (const path of ['/', '/btc', '/api/v1/page', '/api/v1/receipts/abc']) {
      expect(path).not.toMatch(new RegExp(pattern))
    }
    expect(config).toMatch(/location = \/metrics \{\s+return 404;/)
  })

  it('every location forwards the client address and the original host', () => {
    const places = config.split(/^ {4}location /m).filter((place) => place.includes('proxy_pass'))
    expect(places).toHaveLength(3)
    for (const place of places) {
      expect(place.match(/(?<=proxy_set_header )(?:Host|X-Forwarded-\S+) \S+(?=;)/g)).toEqual([
        'Host $http_host',
        'X-Forwarded-For $remote_addr',
        'X-Forwarded-Proto $http_x_forwarded_proto',
      ])
    }
  })

  it.skipIf(!existsSync(NGINX))('is read by nginx', () => {
    const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-nginx-'))
    const file = join(folder, 'nginx.conf')
    const own = config
      .replaceAll(/server web\d:3001/g, 'server 127.0.0.1:9')
      .replaceAll('/tmp/nginx', join(folder, 'nginx'))
    writeFileSync(file, own)
    const message = execFileSync(NGINX, ['-t', '-q', '-c', file, '-e', join(folder, 'error.log')])
    expect(String(message)).toBe('')
    rmSync(folder, { recursive: true })
  })
})

const migrationsFolder = join(import.meta.dirname, '../../migrations')
const log = { info() {}, warn() {}, error() {} }

const optionsOf = (databaseUrl: string, directUrl: string | null): StoreOptions => ({
  databaseUrl,
  directUrl,
  dataDir: '/nowhere',
  migrationsFolder,
  log,
  join: false,
})

describe('a pooler', () => {
  it('in transaction mode is refused where a session is required', async () => {
    await using database = await testDatabase()
    await using pooler = await transactionPooler(database.url, { most: 2 })
    const connection = { connectionString: pooler.url }
    await expect(refusePooler(connection, 'DATABASE_URL')).rejects.toThrow(
      /^DATABASE_URL leads through a pooler in transaction mode.* Set DATABASE_DIRECT_URL to/,
    )
    await expect(refusePooler(connection, 'DATABASE_DIRECT_URL')).rejects.toThrow(
      /^DATABASE_DIRECT_URL leads through a pooler .* Name the PostgreSQL server itself/,
    )
  })

  it('in session mode, and the server itself, are accepted', async () => {
    await using database = await testDatabase()
    await using pooler = await transactionPooler(database.url, { most: 4, mode: 'session' })
    for (const connectionString of [pooler.url, database.url]) {
      await expect(refusePooler({ connectionString }, 'DATABASE_URL')).resolves.toBeUndefined()
    }
  })

  it('is refused at the start with a message, unless the server behind it is named', async () => {
    await using database = await testDatabase()
    await using another = await testDatabase()
    await using pooler = await transactionPooler(database.url, { most: 4 })
    await expect(openStore(optionsOf(pooler.url, null))).rejects.toThrow('Set DATABASE_DIRECT_URL')
    await expect(openStore(optionsOf(pooler.url, pooler.url))).rejects.toThrow(
      'DATABASE_DIRECT_URL leads through a pooler',
    )
    await expect(openStore(optionsOf(pooler.url, another.url))).rejects.toThrow(
      'DATABASE_DIRECT_URL and DATABASE_URL lead to different databases.',
    )
    const store = await openStore(optionsOf(pooler.url, database.url))
    expect(store.direct).toEqual({ connectionString: database.url })
    await store.close()
  })

  it('prepares an empty database like any other at the start', async () => {
    await using database = await testDatabase('template0')
    await using pooler = await transactionPooler(database.url, { most: 1 })
    const store = await openStore(optionsOf(pooler.url, database.url))
    const { rows } = await store.database.pool.query('select key from assets order by key')
    expect(rows.map(({ key }) => key)).toEqual(['btc', 'mstr', 'naka'])
    await store.close()
  })
})

it('a read address must be a replica: otherwise the start is refused with a message', async () => {
  await using database = await testDatabase()
  const connection = { connectionString: database.url }
  await expect(openReplica(database.pool, connection, { warn: () => {} })).rejects.toThrow(
    'DATABASE_READ_URL must lead to a streaming replica',
  )
})
