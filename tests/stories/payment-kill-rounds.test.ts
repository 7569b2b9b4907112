import { boostPrediction } from '#contracts/boost.ts'
import { createInvoice } from '#contracts/payments.ts'
import { importService } from '#server/predictions/imports.service.ts'
import { entry } from '#tests/support/builders.ts'
import { SUBMISSION } from '#tests/support/payment-world.ts'
import { seededRandom } from '#tests/support/random.ts'
import { KEY, walletServer } from '#tests/support/stand-ins/wallet-servers.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { until } from '#tests/support/waiting.ts'

/** `PAYMENT_KILL_ROUNDS=100 npm test -- unit` for the long run. */
const ROUNDS = Number(process.env['PAYMENT_KILL_ROUNDS'] ?? 12)
const PAYERS = 6
const LONGEST_MS = 500
const OWNER = join(import.meta.dirname, '../support/payment-kill-owner.ts')

type Site = { readonly child: ChildProcess; readonly address: string }

it(
  `a site loses no sat and no submission in ${String(ROUNDS)} rounds of kill -9`,
  async () => {
    await using database = await testDatabase()
    await using lnbits = await walletServer('lnbits')
    const imports = importService({ ...database, clock: { now: Date.now } })
    await imports.predictions(JSON.stringify([entry('a')]))
    const open: Site[] = []
    let isOver = false
    const paidTwice = new Set<string>()
    /** The invoices of boosts that were paid. */
    const boosts = new Set<string>()
    const streams = seededRandom('PAYMENT_KILL_SEED')

    async function start(): Promise<Site> {
      const child = spawn(process.execPath, [OWNER, database.url, lnbits.url.origin, KEY], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const lines = createInterface(child.stdout)
      const [address] = (await once(lines, 'line')) as [string]
      const site = { child, address }
      open.push(site)
      return site
    }

    async function kill(site: Site): Promise<void> {
      const ended = once(site.child, 'exit')
      open.splice(open.indexOf(site), 1)
      site.child.kill('SIGKILL')
      await ended
    }

    /** One call to any site that is up; null when it died meanwhile. */
    async function call(
      random: () => number,
      path: string,
      key: string,
      body: object | null,
    ): Promise<unknown> {
      const site = open[Math.floor(random() * open.length)]
      if (!site) return null
      try {
        const answer = await fetch(site.address + path, {
          method: body ? 'POST' : 'GET',
          headers: { 'content-type': 'application/json', 'idempotency-key': key },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        return answer.ok ? await answer.json() : null
      } catch {
        return null
      }
    }

    /** Asks for invoices and pays what is shown, as wallets do: whatever becomes of the site meanwhile. */
    async function payer(random: () => number): Promise<void> {
      while (!isOver) {
        const key = randomUUID()
        if (random() < 0.3) {
          const path = boostPrediction.path.replace(':id', 'a')
          const amount = 1 + Math.floor(random() * 100)
          const boost = createInvoice.reply.safeParse(
            await call(random, path, key, { amount }),
          ).data
          await pause(random() * 30)
          if (!boost || random() < 0.2) continue
          lnbits.ledger.pay(boost.invoice.payment_request)
          boosts.add(boost.invoice.payment_request)
          await call(random, `/api/payments/check-payment/${boost.invoice.checking_id}`, key, null)
          continue
        }
        const body = { amount: 1 + Math.floor(random() * 2_000), submissionData: SUBMISSION }
        const made = createInvoice.reply.safeParse(
          await call(random, createInvoice.path, key, body),
        ).data
        await pause(random() * 30)
        if (!made || random() < 0.2) continue
        lnbits.ledger.pay(made.invoice.payment_request)
        if (random() < 0.5) {
          await call(random, `/api/payments/check-payment/${made.invoice.checking_id}`, key, null)
        }
        if (random() < 0.2) {
          // A visitor presses Try Again although they have paid, and pays once more where they can.
          const again = { ...body, receipt: made.receipt.token }
          const second = createInvoice.reply.safeParse(
            await call(random, createInvoice.path, randomUUID(), again),
          ).data
          if (second) {
            lnbits.ledger.pay(second.invoice.payment_request)
            paidTwice.add(made.receipt.token)
          }
        }
      }
    }

    const settled = (): number =>
      [...lnbits.ledger.entries.values()].filter((entry) => entry.settledMs !== null).length

    const count = async (what: string): Promise<number> => {
      const { rows } = await database.pool.query<{ n: number }>(
        `select count(*)::int n from ${what}`,
      )
      return rows[0]?.n ?? NaN
    }

    const payers = Array.from({ length: PAYERS }, (_, n) => payer(streams(`payer ${String(n)}`)))
    const random = streams('pauses')
    for (let round = 0; round < ROUNDS; round += 1) {
      const sites = await Promise.all(round % 3 === 0 ? [start(), start()] : [start()])
      const before = settled()
      await until(() => settled() > before)
      await pause(random() * LONGEST_MS)
      for (const site of sites) await kill(site)
    }
    isOver = true
    await Promise.all(payers)

    const last = await start()
    const arrived = `payments where status in ('paid', 'paid_late', 'overpaid')`
    await until(async () => (await count(arrived)) >= settled())
    expect(await count(arrived), 'every sat that was paid is on record').toBe(settled())
    const twice = await count(`payments where status = 'overpaid'`)
    expect(twice, 'what was paid twice is noted').toBe(paidTwice.size)
    const ofForms = settled() - boosts.size
    expect(await count(`submissions where status = 'pending'`)).toBe(ofForms - twice)
    // Each payment brought its own submission, and no other.
    expect(
      await count(`submissions s join payments p on p.id = s.payment_id
      where p.submission_id = s.id and s.status = 'pending' and p.status = 'paid' and s.paid_sats = p.sats`),
    ).toBe(ofForms - twice)
    // And each boost its own sats, once.
    const sats = [...lnbits.ledger.entries.values()]
      .filter(({ bolt11 }) => boosts.has(bolt11))
      .reduce((sum, { msat }) => sum + msat / 1_000, 0)
    const { rows } = await database.pool.query(
      `select vote_score as score, (select sum(credited_sats)::int from payments) as credited from predictions`,
    )
    expect(rows).toEqual([{ score: sats, credited: sats }])
    expect(sats).toBeGreaterThan(0)
    expect(settled()).toBeGreaterThan(ROUNDS)
    process.stdout.write(
      `${String(ROUNDS)} rounds, ${String(settled())} paid, ${String(twice)} twice\n`,
    )
    await kill(last)
  },
  ROUNDS * 60_000,
)
