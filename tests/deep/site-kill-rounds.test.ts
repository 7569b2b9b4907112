import { lnurlInvoice } from '#contracts/lightning-address.ts'
import { boostPrediction, createInvoice, setReceiptContact } from '#contracts/payments.ts'
import { PREDICTION_KIND } from '#server/attestation/event-format.ts'
import { nostrSigner } from '#server/publishing/nostr/relays.ts'
import { entry } from '#tests/support/builders.ts'
import { killMessages } from '#tests/support/kill-messages.ts'
import { startVictim, type Victim } from '#tests/support/victim.ts'
import { SUBMISSION, type Ordered } from '#tests/support/payment-world.ts'
import { programOf } from '#tests/support/programs.ts'
import { seededRandom } from '#tests/support/random.ts'
import { count as countRows } from '#tests/support/review.ts'
import { script, signedIn } from '#tests/support/sign-in.ts'
import type { KillOwner } from '#tests/support/site-kill-owner.ts'
import { KEY, walletServer } from '#tests/support/stand-ins/wallet-servers.ts'
import { testApp } from '#tests/support/test-app.ts'
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'

/** `KILL_ROUNDS=100 npm test -- deep` for the long run. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 10)
const PAYERS = 4
/** Between two payments of a payer, and two approvals. */
const REST_MS = 6_000
/** From a payment to the first kill, and from there to the second. */
const LONGEST_MS = 1_500
const KILL_WITHIN_MS = 120_000
/** The longest lease of a sender is five minutes. */
const END_WITHIN_MS = 480_000
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

/*
 * Two sites are killed in each round, one after the other, while visitors submit, boost and zap, an administrator approves,
 * and posts, mails, push messages and relay events are on their way. Only the jobs of the sites deliver.
 */
it(
  `a site loses nothing and sends nothing twice in ${String(ROUNDS)} rounds of kill -9`,
  async () => {
    await using world = await testApp({ clock: { now: () => Date.now() } })
    await using lnbits = await walletServer('lnbits')
    const admin = await signedIn(world)
    const approver = await script(admin)
    await world.imports.predictions(JSON.stringify([entry('a')]))
    await using messages = await killMessages(world, admin.id, SITE_KEY)
    const { relay, outside } = messages
    const { pool, url } = world.database
    const open: Victim[] = []
    const kills: number[] = []
    let isOver = false
    /** The invoices that were paid: of boosts and zaps, of zaps alone, and of what had been paid before. */
    const [support, zaps, twice] = [new Set<string>(), new Set<string>(), new Set<string>()]
    const approved = new Set<string>()
    const streams = seededRandom('PAYMENT_KILL_SEED')

    async function start(): Promise<Victim> {
      const owner: KillOwner = { database: url, lnbits: lnbits.url.origin, key: KEY, outside }
      const site = await startVictim(OWNER, JSON.stringify(owner))
      open.push(site)
      return site
    }

    async function kill(site: Victim): Promise<void> {
      expect(site.hasEnded(), 'a site has ended by itself').toBe(false)
      open.splice(open.indexOf(site), 1)
      kills.push(Date.now())
      await site.kill()
    }

    const count = (what: string): Promise<number> => countRows(world, what)
    const settled = (): number =>
      [...lnbits.ledger.entries.values()].filter((one) => one.settledMs !== null).length

    /** @throws Error that says what did not come true, and how everything stands */
    async function waitFor(
      what: string,
      isTrue: () => boolean | Promise<boolean>,
      withinMs = KILL_WITHIN_MS,
    ): Promise<void> {
      for (const until = Date.now() + withinMs; !(await isTrue()); await pause(100)) {
        if (Date.now() < until) continue
        throw new Error(`This never came true: ${what}. ${JSON.stringify(await state(), null, 1)}`)
      }
    }

    async function state(): Promise<unknown> {
      const { rows: jobs } = await pool.query(
        `select name, singleton_key as key, state, count(*)::int as n, text(min(start_after - now())) as starts,
           text(min(now() - heartbeat_on)) as heard, max(retry_count) as tries, max(output::text) as said
         from jobs.job where state not in ('completed', 'created') or start_after < now() group by 1, 2, 3 order by 1`,
      )
      const { rows: payments } = await pool.query(
        `select purpose, status, count(*)::int as n, text(min(next_look_at - now())) as looks, min(last_error) as error
         from payments group by 1, 2`,
      )
      const sites = open.map((site) => [site.first, site.hasEnded(), site.lines.slice(-3)])
      return { sites, settled: settled(), payments, open: await messages.open(), jobs }
    }

    /** One call to any site that is up; null when it died meanwhile. */
    async function call(
      random: () => number,
      path: string,
      key: string,
      body: object | null,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<unknown> {
      const site = open[Math.floor(random() * open.length)]
      if (!site) return null
      try {
        const answer = await fetch(site.first + path, {
          method: body ? 'POST' : 'GET',
          headers: {
            'content-type': 'application/json',
            'idempotency-key': key,
            'x-forwarded-for': `10.${[0, 0, 0].map(() => Math.floor(random() * 256)).join('.')}`,
            ...headers,
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
        // A visitor presses Try Again although they have paid, and pays once more where they can.
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

    /** Asks for invoices and pays what is shown, as wallets do: whatever becomes of the site meanwhile. */
    async function payer(random: () => number): Promise<void> {
      while (!isOver) {
        const what = random()
        await (what < 0.2 ? boost : what < 0.5 ? zap : submit)(random)
        await pause(random() * REST_MS)
      }
    }

    /** Approves submissions whose submitters have confirmed their addresses. */
    async function approvals(random: () => number): Promise<void> {
      for (; !isOver; await pause(random() * REST_MS)) {
        const { rows } = await pool.query<{ id: string }>(
          `update submissions set contact_confirmed_at = now() where id in
             (select id from submissions where status = 'pending' order by contact_address is null, created_at limit 3)
           returning id`,
        )
        for (const { id } of rows) {
          const path = `/api/admin/prediction_submissions/${id}/approve`
          const done = await call(random, path, randomUUID(), {}, approver)
          if (done !== null) approved.add(id)
        }
      }
    }

    try {
      const crowd: Promise<void>[] = []
      const random = streams('pauses')
      for (let round = 0; round < ROUNDS; round += 1) {
        const sites = await Promise.all([start(), start()])
        if (round === 0) {
          // A zap of a prediction that is not signed yet does not count for it.
          await waitFor('`a` is signed', async () => (await count('record_events')) > 0)
          for (let n = 0; n < PAYERS; n += 1) crowd.push(payer(streams(`payer ${String(n)}`)))
          crowd.push(approvals(streams('approver')))
        }
        const before = settled()
        await messages.plan(round, 2 * LONGEST_MS)
        await waitFor(`something is paid in round ${String(round)}`, () => settled() > before)
        for (const site of sites) {
          await pause(random() * LONGEST_MS)
          await kill(site)
        }
        expect(await messages.doubled(), `by round ${String(round)}`).toEqual([])
      }
      // The last one goes on until there was one of each kind, and all has ended.
      await Promise.all([start(), start()])
      await messages.plan(ROUNDS, 0)
      const kinds = () => [support.size - zaps.size, zaps.size, approved.size]
      await waitFor('there was one of each kind', () => kinds().every((n) => n > 0))
      isOver = true
      await Promise.all(crowd)
      const arrived = `payments where status in ('paid', 'paid_late', 'overpaid')`
      const isOnRecord = async () => (await count(arrived)) >= settled()
      await waitFor('every sat that was paid is on record', isOnRecord, END_WITHIN_MS)
      const unsentNotices = `submissions s where status = 'approved' and contact_address is not null and not exists (
        select from outbox where kind = 'notice' and ref = s.id::text and payload->>'event' = 'approved')`
      await waitFor(
        'notices are written',
        async () => (await count(unsentNotices)) === 0,
        END_WITHIN_MS,
      )
      const isAllSent = async () => (await messages.open()).length === 0
      await waitFor('all that was to be sent has ended', isAllSent, END_WITHIN_MS)
      const receipts = async () =>
        (
          await pool.query<{ of: string; id: string }>(
            `select tag->>1 as of, id from nostr_events, jsonb_array_elements(event->'tags') tag
             where purpose = 'zap' and tag->>0 = 'bolt11' order by 1`,
          )
        ).rows
      const isReceived = async () => (await receipts()).length >= zaps.size
      await waitFor('each zap has a receipt', isReceived, END_WITHIN_MS)

      expect(await count(arrived)).toBe(settled())
      const overpaid = await count(`payments where status = 'overpaid'`)
      expect(overpaid, 'what was paid twice is noted').toBe(twice.size)
      const submitted = settled() - support.size - twice.size
      expect(await count(`submissions where status in ('pending', 'approved')`)).toBe(submitted)
      // Each payment brought its own submission, and no other.
      expect(
        await count(`submissions s join payments p on p.id = s.payment_id
          where p.submission_id = s.id and p.status = 'paid' and s.paid_sats = p.sats`),
      ).toBe(submitted)
      // And each boost and each zap its own sats, once.
      const sats = [...lnbits.ledger.entries.values()]
        .filter(({ bolt11 }) => support.has(bolt11))
        .reduce((sum, { msat }) => sum + msat / 1_000, 0)
      const { rows } = await pool.query(
        `select vote_score as score, (select sum(credited_sats)::int from payments) as credited
         from predictions where id = 'a'`,
      )
      expect(rows).toEqual([{ score: sats, credited: sats }])
      // Each zap has one receipt, which is about its own invoice, and no other has gone out.
      expect((await receipts()).map(({ of }) => of)).toEqual([...zaps].toSorted())
      const ids = new Set((await receipts()).map(({ id }) => id))
      const seen = relay.seen.filter(({ kind, id }) => kind === 9_735 && !ids.has(id))
      expect(seen).toEqual([])
      // Each approval made its prediction, with two verdicts, once; none that was answered is lost.
      const { rows: done } = await pool.query<{ id: string }>(
        `select id from submissions where status = 'approved'`,
      )
      expect([...approved].filter((id) => !done.some((one) => one.id === id))).toEqual([])
      const imported = ROUNDS + 2
      expect(await count('predictions')).toBe(done.length + imported)
      expect(await count(`audit_log where action = 'submission approved'`)).toBe(done.length)
      expect(await count(`(select distinct prediction_id, mode from verdicts) as judged`)).toBe(
        2 * (done.length + imported),
      )
      expect(await count('verdicts')).toBe(2 * (done.length + imported))
      expect(await count('influencers')).toBe(1)
      const said = await messages.check(kills)
      process.stdout.write(
        `${String(ROUNDS)} rounds, ${String(kills.length)} kills, ${String(settled())} paid, ${String(twice.size)} twice, ${String(support.size)} boosts and zaps, ${String(zaps.size)} zaps, ${String(done.length)} approved\n${said}\n`,
      )
    } finally {
      isOver = true
      for (const site of open) await site.kill()
    }
  },
  2 * END_WITHIN_MS + ROUNDS * 60_000,
)
