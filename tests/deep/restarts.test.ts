import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createInvoice } from '#contracts/payments.ts'
import { connectionStringOf, startEmbedded } from '#server/database/embedded/embedded-postgres.ts'
import { migrateDatabase, openDatabase } from '#server/kit/db.ts'
import { SUBMISSION } from '#tests/support/payment-world.ts'
import { programOf } from '#tests/support/programs.ts'
import type { KillOwner } from '#tests/support/site-kill-owner.ts'
import { KEY, walletServer } from '#tests/support/stand-ins/wallet-servers.ts'
import { startVictim, type Victim } from '#tests/support/victim.ts'
import { shows, until } from '#tests/support/waiting.ts'

/**
 * `DATABASE_RESTARTS=20 npm test -- deep` for the long run. The built-in database gives up after five crashes in a
 * minute, so more of them take longer.
 */
const RESTARTS = Number(process.env['DATABASE_RESTARTS'] ?? 3)
const PACE_MS = RESTARTS > 5 ? 13_000 : 0
const WRITERS = 12
const OWNER = await programOf('site-kill-owner')
const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const silent = { info() {}, warn() {}, error() {} }

/** Signals of `pg_ctl stop -m fast` and `-m immediate`. */
const SIGNALS = ['SIGINT', 'SIGQUIT'] as const

/** One of sixteen million, so that no rate limit by address is reached. */
const someAddress = (): string =>
  `10.${[1, 2, 3].map(() => String(Math.floor(Math.random() * 256))).join('.')}`

// Windows ends a signalled program, which is a crash and not a restart.
it.skipIf(process.platform === 'win32')(
  `two processes under ${String(WRITERS)} writers outlive ${String(RESTARTS)} restarts of PostgreSQL`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-restarts-'))
    chmodSync(folder, 0o755)
    const embedded = await startEmbedded({ dataDir: folder, log: silent })
    const sites: Victim[] = []
    await using lnbits = await walletServer('lnbits')
    let isOver = false
    try {
      const database = openDatabase(embedded.connection, () => {})
      await migrateDatabase(database, MIGRATIONS)
      await database.close()
      const url = connectionStringOf(embedded.connection)
      const owner: KillOwner = { database: url, lnbits: lnbits.url.origin, key: KEY }
      const start = async (): Promise<void> => {
        sites.push(await startVictim(OWNER, JSON.stringify(owner)))
      }
      await Promise.all([start(), start()])

      const answers = new Map<number, number>()
      const wrong: string[] = []
      const write = async ({ first }: Victim): Promise<number> => {
        const answer = await fetch(first + createInvoice.path, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'idempotency-key': randomUUID(),
            'x-forwarded-for': someAddress(),
          },
          body: JSON.stringify({ amount: 1_000, submissionData: SUBMISSION }),
        })
        const text = await answer.text()
        const isAway =
          answer.status === 503 &&
          answer.headers.get('retry-after') === '5' &&
          text.includes('"unavailable"') &&
          text.includes('Submissions are paused for a moment; nothing was charged.')
        if (!answer.ok && !isAway) wrong.push(`${String(answer.status)} ${text}`)
        answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
        return answer.status
      }
      const writer = async (site: Victim): Promise<void> => {
        while (!isOver) {
          await write(site).catch((error: unknown) => wrong.push(String(error)))
          await pause(Math.random() * 30)
        }
      }
      const writers = Array.from({ length: WRITERS / sites.length }, () => sites.map(writer)).flat()

      for (let round = 0; round < RESTARTS; round += 1) {
        const before = answers.get(200) ?? 0
        await until(() => (answers.get(200) ?? 0) > before + WRITERS)
        const server = embedded.pid
        process.kill(server, SIGNALS[round % SIGNALS.length])
        await until(() => embedded.pid !== server)
        for (const site of sites) {
          await shows(async () => expect(await write(site)).toBe(200))
        }
        await pause(PACE_MS)
      }
      isOver = true
      await Promise.all(writers)

      expect(sites.map((site) => site.hasEnded())).toEqual([false, false])
      expect([...new Set(wrong)]).toEqual([])
      expect(answers.get(503), 'writers met the outages').toBeGreaterThan(0)
      for (const { lines } of sites) {
        await shows(() => expect(lines.at(-1)).toMatch(/^The database is back/))
        // Two lines per outage; an orderly stop may be noticed twice, at its beginning and end.
        expect(lines.length).toBeLessThanOrEqual(4 * RESTARTS)
      }
      process.stdout.write(`${String(RESTARTS)} restarts, ${JSON.stringify([...answers])}\n`)
    } finally {
      isOver = true
      for (const site of sites) await site.kill()
      await embedded.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  RESTARTS * (PACE_MS + 60_000),
)
