import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { copyBinaries, findBinaries, linkLibraries, programOf } from './binaries.ts'
import {
  connectionStringOf,
  findRunning,
  startEmbedded,
  type Embedded,
} from './embedded-postgres.ts'
import { findOwner, takeOwnerLock, findProcess, isServerOf } from './owner-lock.ts'
import { chooseAccount, launchersFor, wordsFor } from './place.ts'
import { startServer } from './server.ts'

const isRoot = process.getuid?.() === 0
const hasSetpriv = existsSync('/usr/bin/setpriv')
const OWNER = join(import.meta.dirname, '../../../../tests/support/kill-rounds-owner.ts')
const silent = { info() {}, warn() {}, error() {} }

/** A folder with a stopped database, which tests leave so that it can be started: creating one takes a second. */
let made = ''
let folder = ''
let children: ChildProcess[] = []

beforeAll(async () => {
  made = makeFolder()
  await use(made, 'select 1')
})

afterAll(() => rmSync(made, { recursive: true, force: true }))

beforeEach(() => {
  folder = makeFolder()
})

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  if (folder !== made) rmSync(folder, { recursive: true, force: true })
})

describe('starting', () => {
  it('a start removes the remains of an interrupted one, creates a database once and keeps its rows', async () => {
    mkdirSync(join(folder, 'data.unfinished-abc/base'), { recursive: true })
    await use(folder, 'create table kept as select 7 as n')
    expect(await use(folder, 'select n from kept')).toEqual([{ n: 7 }])
    expect(readdirSync(folder)).toEqual(['data'])
  })

  it('a server has one owner, names its address to others, keeps committed rows when killed, and is restarted', async () => {
    folder = made
    expect(await findRunning(folder)).toBeNull()
    const embedded = await startEmbedded({ dataDir: folder, log: silent })
    await expect(start(folder)).rejects.toThrow(/process \d+.*already uses/)
    expect(await findRunning(folder)).toEqual({
      connection: embedded.connection,
      pid: embedded.pid,
    })
    const names = ['fsync', 'full_page_writes', 'synchronous_commit']
    const columns = names.map((name) => `current_setting('${name}') as ${name}`).join()
    const crashed = embedded.pid
    process.kill(crashed, 'SIGKILL')
    await until(() => embedded.pid !== crashed)
    expect(await query(embedded, `select ${columns}`)).toEqual([
      { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' },
    ])
    await embedded.stop()
    expect(await findRunning(folder)).toBeNull()
  })

  it('a start places its socket elsewhere when the path is too long', async () => {
    const made = join(folder, 'long'.repeat(25))
    const embedded = await start(made)
    expect(statSync(made).mode & 0o777).toBe(isRoot ? 0o711 : 0o700)
    expect(embedded.connection.host).toMatch(/^\/tmp\/proof-of-price-socket-/)
    expect(statSync(embedded.connection.host).mode & 0o777).toBe(0o700)
    await embedded.stop()
    expect(existsSync(embedded.connection.host)).toBe(false)
  })

  it('a start refuses data of another major version, with advice', async () => {
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data/PG_VERSION'), '17\n')
    await expect(start(folder)).rejects.toThrow(/made by PostgreSQL 17.*backup.*restore/)
  })

  it('a start refuses a folder that holds other files', async () => {
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data/letter.txt'), 'dear')
    await expect(start(folder)).rejects.toThrow(/holds files but no database/)
  })

  it("a start that fails reports PostgreSQL's message", async () => {
    folder = made
    const control = join(folder, 'data/global/pg_control')
    renameSync(control, `${control}.away`)
    await expect(start(folder)).rejects.toThrow(/pg_control/)
    await expect(start(folder), 'and releases the folder').rejects.toThrow(/pg_control/)
    renameSync(`${control}.away`, control)
  })
})

describe('one owner', () => {
  it('an owner takes over from one that was killed', async () => {
    folder = made
    const server = await startOwnerAndKill()
    expect(await findRunning(folder)).toBeNull()
    expect(await use(folder, 'select 1 as n')).toEqual([{ n: 1 }])
    expect(isServerOf(server, join(folder, 'data'))).toBe(false)
  })

  it.each([
    { lock: '', what: 'an empty lock' },
    { lock: '{"pid":1', what: 'half a lock' },
    { lock: '{"pid":1,"began":"long ago"}', what: 'a lock whose process id was reused' },
    { lock: '{"pid":99999999,"began":"0"}', what: 'a lock of a process that is gone' },
  ])('an owner takes over $what', ({ lock }) => {
    const file = join(folder, 'owner.lock')
    writeFileSync(file, lock)
    expect(findOwner(file)).toBeNull()
    const taken = takeOwnerLock(file)
    expect(findOwner(file)?.pid).toBe(process.pid)
    taken.release()
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('leftovers of a killed run', () => {
  it('a start stops a server without an owner', async () => {
    folder = made
    const orphan = await startOrphan()
    await use(folder, 'select 1')
    expect(isServerOf(orphan, join(folder, 'data'))).toBe(false)
  })

  it.skipIf(process.platform !== 'linux').each([
    { what: 'another program of the same user', pid: () => startAsAccount('sleep', ['60']) },
    { what: 'a zombie', pid: makeZombie },
  ])('a database starts although postmaster.pid names $what', async ({ pid }) => {
    folder = made
    const lines = [await pid(), join(folder, 'data'), 1, 5432, join(folder, 'data'), '', '1 1', '']
    const file = join(folder, 'data/postmaster.pid')
    writeFileSync(file, lines.join('\n'))
    writeFileSync(join(folder, 'data/.s.PGSQL.5432.lock'), lines.join('\n'))
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) giveToAccount(name)
    expect(await use(folder, 'select 1 as n')).toEqual([{ n: 1 }])
  })
})

describe('the programs', () => {
  it('are linked to libraries that an installation without scripts omits', () => {
    const binaries = copyBinaries(findBinaries(), folder)
    const libraries = join(binaries.folder, 'lib')
    const links = readdirSync(libraries, { withFileTypes: true }).filter((at) =>
      at.isSymbolicLink(),
    )
    expect(links.length).toBeGreaterThan(5)
    for (const { name } of links) unlinkSync(join(libraries, name))
    expect(linkLibraries(binaries)).toBe(true)
    expect(links.filter(({ name }) => !existsSync(join(libraries, name)))).toEqual([])
    writeFileSync(join(folder, 'pg-symlinks.json'), 'damaged')
    expect(() => linkLibraries({ ...binaries, folder })).toThrow('link the libraries')
  })

  it('the copy of the programs is repeated after an interruption', () => {
    const binaries = copyBinaries(findBinaries(), folder)
    renameSync(binaries.folder, `${binaries.folder}.part`)
    rmSync(join(`${binaries.folder}.part`, 'bin/postgres'))
    expect(existsSync(programOf(copyBinaries(findBinaries(), folder), 'postgres'))).toBe(true)
  })
})

describe.skipIf(!isRoot || !hasSetpriv)('as root', () => {
  it('root moves data from an unreachable folder to an open one, and finds it again', async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const request = join(closed, 'var/postgres')
    const warnings: string[] = []
    const log = { ...silent, warn: (text: string) => warnings.push(text) }
    const embedded = await startEmbedded({ dataDir: request, log, durable: false })
    const elsewhere = readFileSync(join(request, 'moved-to'), 'utf8').trim()
    try {
      await query(embedded, 'create table kept as select 7 as n')
      await embedded.stop()
      expect(warnings.join()).toContain(elsewhere)
      expect(statSync(elsewhere).uid).toBe(0)
      expect(await use(request, 'select n from kept')).toEqual([{ n: 7 }])
      rmSync(elsewhere, { recursive: true })
      await expect(start(request), 'never creates a new one by itself').rejects.toThrow(
        /which is gone/,
      )
    } finally {
      rmSync(elsewhere, { recursive: true, force: true })
      if (readdirSync(dirname(elsewhere)).length === 0)
        rmSync(dirname(elsewhere), { recursive: true })
    }
  })

  it('root continues with data of another user, as that user', async () => {
    const owner = { name: 'nobody', uid: 65_534, gid: 65_534 }
    chownSync(folder, owner.uid, owner.gid)
    const child = startOwner(['/usr/bin/setpriv', `--reuid=${String(owner.uid)}`, '--clear-groups'])
    const server = await firstLine(child)
    expect(statSync(`/proc/${server}`).uid).toBe(owner.uid)
    child.kill('SIGTERM')
    await once(child, 'exit')
    const embedded = await start(folder)
    expect(statSync(`/proc/${String(embedded.pid)}`).uid).toBe(owner.uid)
    await embedded.stop()
  })

  it('root returns data that it copied', async () => {
    folder = made
    await use(folder, 'create table kept as select 7 as n')
    giveToRoot(join(folder, 'data'))
    expect(await use(folder, 'select n from kept')).toEqual([{ n: 7 }])
  })
})

function makeFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'proof-of-price-embedded-'))
  chmodSync(path, 0o755)
  return path
}

function start(dataDir: string): Promise<Embedded> {
  return startEmbedded({ dataDir, log: silent, durable: false })
}

async function use(dataDir: string, sql: string): Promise<unknown[]> {
  const embedded = await start(dataDir)
  try {
    return await query(embedded, sql)
  } finally {
    await embedded.stop()
  }
}

async function query({ connection }: Embedded, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: connectionStringOf(connection) })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(sql)
  await client.end()
  return rows
}

function startOwner(prefix: readonly string[] = []): ChildProcess {
  const [file, ...args] = [...prefix, process.execPath, OWNER, folder]
  const child = spawn(file ?? process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

async function startOwnerAndKill(): Promise<number> {
  const child = startOwner()
  const server = Number(await firstLine(child))
  child.kill('SIGKILL')
  await once(child, 'exit')
  return server
}

/** A server that outlives this process, as on systems without setpriv. */
async function startOrphan(): Promise<number> {
  const binaries = findBinaries()
  const launcher = launchersFor(chooseAccount(join(folder, 'data'))).at(-1)
  if (!launcher) throw new Error('no launcher')
  const place = { folder, data: join(folder, 'data'), ownerLock: '', password: '' }
  const { pid } = await startServer({ place, binaries, launcher }, false, silent)
  return pid
}

async function startAsAccount(program: string, words: string[]): Promise<number> {
  const launcher = launchersFor(chooseAccount(join(folder, 'data'))).at(-1)
  if (!launcher) throw new Error('no launcher')
  const { file, args } = wordsFor(launcher, program, words)
  const child = spawn(file, args, { ...launcher.options, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  await once(child, 'spawn')
  return child.pid ?? 0
}

/** An ended process whose parent never waits for it. */
async function makeZombie(): Promise<number> {
  await startAsAccount('sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 60'])
  const child = children.at(-1)
  if (!child) throw new Error('no child')
  const zombie = Number(await firstLine(child))
  await until(() => findProcess(zombie) === null)
  return zombie
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('no output')
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return chunk.toString().trim()
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(20)
}

function giveToAccount(name: string): void {
  const { uid, gid } = statSync(join(folder, 'data'))
  chownSync(join(folder, 'data', name), uid, gid)
}

function giveToRoot(path: string): void {
  chownSync(path, 0, 0)
  for (const entry of readdirSync(path, { recursive: true }))
    chownSync(join(path, String(entry)), 0, 0)
}
