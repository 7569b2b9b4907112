import { boostPrediction, createInvoice, setReceiptContact } from '#contracts/payments.ts'
import { lnurlInvoice } from '#contracts/lightning-address.ts'
import { PREDICTION_KIND } from '#server/attestation/event-format.ts'
import { importService } from '#server/predictions/imports.service.ts'
import { killMessages } from './kill-messages.ts'
import { programOf } from './programs.ts'
import type { KillOwner } from './site-kill-owner.ts'
import { entry } from './builders.ts'
import { nostrSigner } from '#server/publishing/nostr/relays.ts'
import { SUBMISSION, type Ordered } from './payment-world.ts'
import { seededRandom } from './random.ts'
import { KEY, walletServer } from './stand-ins/wallet-servers.ts'
import { testDatabase } from './test-app.ts'
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { until } from './waiting.ts'

const PAYERS = 6
const LONGEST_MS = 500
const OWNER = await programOf('site-kill-owner')

const SITE_KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const SITE = nostrSigner(SITE_KEY).publicKey
const ZAPPER = generateSecretKey()

/** A zap of the prediction `a`. */
function zapRequest(msat: number, relay: string) {
  const tags = [
    ['p', SITE],
    ['a', `${String(PREDICTION_KIND)}:${SITE}:a`],
    ['amount', String(msat)],
    ['relays', relay],
  ]
  const created_at = Math.floor(Date.now() / 1_000)
  return finalizeEvent({ kind: 9_734, created_at, tags, content: '' }, ZAPPER)
}

type Site = { readonly child: ChildProcess; readonly address: string }

/**
 * Kills sites while visitors submit, boost and zap, and while posts, mails, push messages and relay events are
 * sent: nothing is lost, and nothing counts twice.
 *
 * @returns the number of payments
 */
export async function killSites(rounds: number): Promise<number> {
  await using database = await testDatabase()
  await using lnbits = await walletServer('lnbits')
  const imports = importService({ ...database, clock: { now: Date.now } })
  await imports.predictions(JSON.stringify([entry('a')]))
  await using messages = await killMessages(database, imports, SITE_KEY)
  const { relay, outside } = messages
  const open: Site[] = []
  using _ = { [Symbol.dispose]: () => open.forEach(({ child }) => child.kill('SIGKILL')) }
  let isOver = false
  /** The paid invoices: of boosts and zaps, of zaps only, and those paid before. */
  const [support, zaps, twice] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const streams = seededRandom('PAYMENT_KILL_SEED')

  async function start(): Promise<Site> {
    const given: KillOwner = {
      database: database.url,
      lnbits: lnbits.url.origin,
      key: KEY,
      outside,
    }
    const child = spawn(process.execPath, [OWNER, JSON.stringify(given)], {
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

  /** One call to any running site; null if it died meanwhile. */
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
        headers: {
          'content-type': 'application/json',
          'idempotency-key': key,
          'x-forwarded-for': `10.${[0, 0, 0].map(() => Math.floor(random() * 256)).join('.')}`,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return answer.ok ? await answer.json() : null
    } catch {
      return null
    }
  }

  async function order(
    random: () => number,
    path: string,
    key: string,
    body: object,
  ): Promise<Ordered | undefined> {
    return createInvoice.reply.safeParse(await call(random, path, key, body)).data
  }

  function pay(bolt11: string, ...noted: Set<string>[]): void {
    lnbits.ledger.pay(bolt11)
    for (const set of noted) set.add(bolt11)
  }

  async function submit(random: () => number): Promise<void> {
    const key = randomUUID()
    const body = { amount: 1 + Math.floor(random() * 2_000), submissionData: SUBMISSION }
    const made = await order(random, createInvoice.path, key, body)
    await pause(random() * 30)
    if (!made || random() < 0.2) return
    const contact = { contact: `${key}@example.org`, kind: 'email' }
    const at = setReceiptContact.path.replace(':token', made.receipt.token)
    if (random() < 0.5) await call(random, at, key, contact)
    pay(made.invoice.payment_request)
    if (random() < 0.5) await look(random, made)
    if (random() < 0.2) {
      // A visitor presses Try Again although they have paid, and pays again if possible.
      const again = { ...body, receipt: made.receipt.token }
      const second = await order(random, createInvoice.path, randomUUID(), again)
      if (second) pay(second.invoice.payment_request, twice)
    }
  }

  async function boost(random: () => number): Promise<void> {
    const path = boostPrediction.path.replace(':id', 'a')
    const amount = 1 + Math.floor(random() * 100)
    const made = await order(random, path, randomUUID(), { amount })
    await pause(random() * 30)
    if (!made || random() < 0.2) return
    pay(made.invoice.payment_request, support)
    await look(random, made)
  }

  async function zap(random: () => number): Promise<void> {
    const msat = 1_000 * (1 + Math.floor(random() * 100))
    const nostr = JSON.stringify(zapRequest(msat, relay.url))
    const query = new URLSearchParams({ amount: String(msat), nostr }).toString()
    const path = `/api/v1/lnurlp/tips/callback?${query}`
    const made = lnurlInvoice.reply.safeParse(await call(random, path, randomUUID(), null)).data
    await pause(random() * 30)
    if (!made || random() < 0.2) return
    pay(made.pr, support, zaps)
    if (random() < 0.5) {
      await call(random, new URL(made.verify).pathname, randomUUID(), null)
    }
  }

  async function look(random: () => number, { invoice }: Ordered): Promise<void> {
    await call(random, `/api/payments/check-payment/${invoice.checking_id}`, randomUUID(), null)
  }

  /** Requests invoices and pays those shown, as wallets do, whatever happens to the site. */
  async function payer(random: () => number): Promise<void> {
    while (!isOver) {
      const what = random()
      await (what < 0.2 ? boost : what < 0.5 ? zap : submit)(random)
    }
  }

  const settled = (): number =>
    [...lnbits.ledger.entries.values()].filter((entry) => entry.settledMs !== null).length

  const count = async (what: string): Promise<number> => {
    const { rows } = await database.pool.query<{ n: number }>(`select count(*)::int n from ${what}`)
    return rows[0]?.n ?? NaN
  }

  const payers = Array.from({ length: PAYERS }, (_, n) => payer(streams(`payer ${String(n)}`)))
  const random = streams('pauses')
  for (let round = 0; round < rounds; round += 1) {
    const sites = await Promise.all(round % 3 === 0 ? [start(), start()] : [start()])
    const before = settled()
    await messages.plan(round)
    // On a slow machine a round has only one payment: the last round continues until each kind was made.
    const isMet = (): boolean => round < rounds - 1 || (settled() > rounds && zaps.size > 0)
    await until(() => settled() > before && isMet())
    await pause(random() * LONGEST_MS)
    for (const site of sites) await kill(site)
  }
  isOver = true
  await Promise.all(payers)

  // The leases of killed senders end.
  await database.pool.query(`update outbox set due = now() where state = 'sending'`)
  const last = await start()
  const arrived = `payments where status in ('paid', 'paid_late', 'overpaid')`
  await until(async () => (await count(arrived)) >= settled())
  expect(await count(arrived), 'every sat that was paid is on record').toBe(settled())
  expect(await count(`payments where status = 'overpaid'`), 'what was paid twice is noted').toBe(
    twice.size,
  )
  const submitted = settled() - support.size - twice.size
  expect(await count(`submissions where status = 'pending'`)).toBe(submitted)
  // Each payment brought its own submission, and no other.
  expect(
    await count(`submissions s join payments p on p.id = s.payment_id
    where p.submission_id = s.id and s.status = 'pending' and p.status = 'paid' and s.paid_sats = p.sats`),
  ).toBe(submitted)
  // Each boost and each zap added its sats once.
  const sats = [...lnbits.ledger.entries.values()]
    .filter(({ bolt11 }) => support.has(bolt11))
    .reduce((sum, { msat }) => sum + msat / 1_000, 0)
  const { rows } = await database.pool.query(
    `select vote_score as score, (select sum(credited_sats)::int from payments) as credited
     from predictions where id = 'a'`,
  )
  expect(rows).toEqual([{ score: sats, credited: sats }])
  expect(sats).toBeGreaterThan(0)
  // Each zap has one receipt, which is about its own invoice.
  const receipts = async () =>
    (
      await database.pool.query<{ of: string }>(
        `select tag->>1 as of from nostr_events, jsonb_array_elements(event->'tags') tag
        where purpose = 'zap' and tag->>0 = 'bolt11' order by 1`,
      )
    ).rows.map(({ of }) => of)
  await until(async () => (await receipts()).length >= zaps.size)
  expect(await receipts()).toEqual([...zaps].toSorted())
  // Whatever was repeated after a kill, no other zap receipt was sent.
  const sent = relay.seen.filter(({ kind }) => kind === 9_735)
  const { rows: kept } = await database.pool.query<{ id: string }>(
    `select id from nostr_events where purpose = 'zap'`,
  )
  expect(sent.map(({ id }) => id).filter((id) => !kept.some((one) => one.id === id))).toEqual([])
  expect(zaps.size).toBeGreaterThan(0)
  const said = await messages.check()
  process.stdout.write(
    `${String(rounds)} rounds, ${String(settled())} paid, ${String(twice.size)} twice, ${String(zaps.size)} zaps, ${said}\n`,
  )
  await kill(last)
  return settled()
}
