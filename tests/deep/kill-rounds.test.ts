import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { startEmbedded } from '#server/database/embedded/embedded-postgres.ts'
import { seededRandom } from '#tests/support/deep.ts'
import { programOf } from '#tests/support/programs.ts'

const ROUNDS = 60
const LONGEST_MS = 400
const VICTIMS = ['the site', 'the database', 'both'] as const

const OWNER = await programOf('kill-rounds-owner')
const log = { info() {}, warn() {}, error() {} }

it(`a site loses no acknowledged row in ${String(ROUNDS)} rounds of kill -9`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-kill-'))
  chmodSync(folder, 0o755)
  const acknowledged = new Set<number>()
  const random = seededRandom('KILL_SEED')('pauses')
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const victim = VICTIMS[round % VICTIMS.length] ?? 'both'
      const before = acknowledged.size
      await writeAndKill(folder, acknowledged, victim, random() * LONGEST_MS)
      const stored = await readStored(folder)
      const lost = [...acknowledged].filter((id) => !stored.has(id))
      expect(lost, `killed ${victim} in round ${String(round)}`).toEqual([])
      for (const id of stored) acknowledged.add(id)
      expect(acknowledged.size, 'the round wrote rows').toBeGreaterThan(before)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 600_000)

async function writeAndKill(
  folder: string,
  acknowledged: Set<number>,
  victim: (typeof VICTIMS)[number],
  afterMs: number,
): Promise<void> {
  const first = Math.max(0, ...acknowledged) + 1
  const owner = spawn(process.execPath, [OWNER, folder, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(owner, 'exit')
  let server = 0
  const writing = new Promise<void>((done) => {
    createInterface(owner.stdout).on('line', (line) => {
      if (server === 0) {
        server = Number(line)
      } else {
        acknowledged.add(Number(line))
        done()
      }
    })
  })
  await Promise.race([writing, ended])
  await pause(afterMs)
  if (victim !== 'the site') process.kill(server, 'SIGKILL')
  if (victim !== 'the database') owner.kill('SIGKILL')
  await ended
}

async function readStored(folder: string): Promise<Set<number>> {
  const embedded = await startEmbedded({ dataDir: folder, log })
  const client = new Client(embedded.connection)
  await client.connect()
  const { rows } = await client.query<{ id: number }>('select id from kept')
  await client.end()
  await embedded.stop()
  return new Set(rows.map(({ id }) => id))
}
