// Over 400 lines: the rounds, and what is sent, asked and compared in each of them.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure'
import { expect, it } from 'vitest'
import { lnurlInvoice } from '#contracts/lightning-address.ts'
import { boostPrediction, createInvoice, setReceiptContact } from '#contracts/payments.ts'
import { PREDICTION_KIND } from '#server/attestation/event-format.ts'
import { followers, follows } from '#server/database/schema/following.ts'
import { pushKeys } from '#server/following/push.ts'
import { recordFact } from '#server/kit/facts.ts'
import { nostrSigner } from '#server/publishing/nostr/relays.ts'
import { addPost } from '#server/publishing/posts.store.ts'
import { entry } from '#tests/support/builders.ts'
import { seededRandom } from '#tests/support/deep.ts'
import { SUBMISSION, type Ordered } from '#tests/support/payment-world.ts'
import { programOf } from '#tests/support/programs.ts'
import { count as countRows } from '#tests/support/review.ts'
import { script, signedIn } from '#tests/support/sign-in.ts'
import type { KillOwner } from '#tests/support/site-kill-owner.ts'
import { faultyRelay } from '#tests/support/stand-ins/faulty-relay.ts'
import { mailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { pds } from '#tests/support/stand-ins/pds.ts'
import { pushService } from '#tests/support/stand-ins/push-service.ts'
import { KEY, walletServer } from '#tests/support/stand-ins/wallet-servers.ts'
import { xServer } from '#tests/support/stand-ins/x-server.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { startVictim, type Victim } from '#tests/support/victim.ts'

const POSTS_A_ROUND = 3
const FOLLOWERS_A_ROUND = 4
/** Between storing a delivery and acknowledging it: a kill in between leaves the sender in doubt. */
const ANSWER_MS = 100
/** No call takes longer: earlier requests were answered before their sender was killed. */
const CALL_MS = 120_000

const PURPOSES = ['mail', 'push message', 'post on X', 'post on Bluesky', 'note'] as const
type Purpose = (typeof PURPOSES)[number]

/**
 * Posts, news, notices and relay events that sites send while they are killed, and what their receivers got. A relay
 * recognizes a repeated event by its id (NIP-01): only another event about the same thing is a second delivery.
 */
async function killMessages(
  { database: { pool, db }, imports, publishing }: TestApp,
  createdBy: number,
  secret: string,
) {
  const relay = await faultyRelay()
  const mails = await mailSink()
  const x = await xServer()
  const bluesky = await pds()
  const { publicKey } = await pushKeys(db)
  const pushes = await pushService(() => publicKey)
  for (const one of [relay, mails.behaviour, pushes.behaviour, x.pause, bluesky.pause])
    Object.assign(one, { answerMs: ANSWER_MS })
  Object.assign(x.limits, { limit: 1_000_000, remaining: 1_000_000 })
  const at = new Date().toISOString()
  // Everything published from here on is news.
  await recordFact(db, 'follow news through event', '0')
  let planned = 0

  const rowsOf = async (query: string): Promise<Record<string, string>[]> =>
    (await pool.query<Record<string, string>>(query)).rows

  async function follower(channel: 'email' | 'push'): Promise<void> {
    const [id, browser] = [randomUUID(), channel === 'push' ? await pushes.subscribe() : null]
    await db.insert(followers).values({
      id,
      channel,
      address: browser?.endpoint ?? `${id}@example.org`,
      addressHash: id,
      tokenHash: id,
      every: 'now',
      pushKey: browser?.keys.p256dh ?? null,
      pushAuth: browser?.keys.auth ?? null,
      nextAt: at,
      createdAt: at,
    })
    const about = { kind: 'asset', subject: 'btc' } as const
    await db
      .insert(follows)
      .values({ followerId: id, ...about, sinceEvent: 0, sinceDay: '2024-01-01' })
  }

  /** Deliveries that the stand-ins received, by their outbox reference; a relay's notes by their text. */
  async function received(): Promise<Record<Purpose, string[]>> {
    return {
      mail: (await mails.mails()).map(({ messageId = '' }) =>
        messageId.replace(/^<(?:news|notice)-(\d+).*$/, '$1'),
      ),
      'push message': pushes.notes.map(({ topic = '' }) => topic.replace('news-', '')),
      'post on X': x.posts.map(({ text }) => text),
      'post on Bluesky': [...bluesky.records.values()].map(({ text }) => text),
      note: [...new Map(relay.events.map((event) => [event.id, event])).values()]
        .filter(({ kind }) => kind === 1)
        .map(({ content }) => content),
    }
  }

  /** Deliveries that arrived more than once. */
  async function doubled(): Promise<string[]> {
    const twice: string[] = []
    for (const [purpose, got] of Object.entries(await received())) {
      const seen = new Set<string>()
      for (const one of got) {
        if (seen.has(one)) twice.push(`${purpose} ${one}`)
        seen.add(one)
      }
    }
    // One receipt for an invoice, and one event for each state of a prediction.
    const about = new Map<string, string>()
    for (const { id, kind, tags, content } of relay.events) {
      const named = tags.find(([name]) => name === (kind === 9_735 ? 'bolt11' : 'd'))?.[1]
      const key = named === undefined ? id : `event ${String(kind)} ${named} ${content}`
      if ((about.get(key) ?? id) !== id) twice.push(key)
      about.set(key, id)
    }
    return twice
  }

  return {
    relay,
    doubled,
    outside: {
      relay: relay.url,
      secret,
      smtp: mails.url,
      x: x.url.origin,
      pds: bluesky.url.origin,
    } satisfies KillOwner['outside'],

    /** @param withinMs in which posts become due */
    async plan(round: number, withinMs: number): Promise<void> {
      for (let n = 0; n < FOLLOWERS_A_ROUND; n += 1) await follower(n % 2 ? 'push' : 'email')
      await imports.predictions(JSON.stringify([entry(`p${String(round)}`)]))
      for (let n = 0; n < POSTS_A_ROUND; n += 1) {
        const text = `Post ${String(round)}.${String(n)}`
        const due = new Date(Date.now() + (n * withinMs) / POSTS_A_ROUND).toISOString()
        await db.transaction(async (tx) => {
          await addPost(tx, {
            id: randomUUID(),
            kind: 'manual',
            state: 'scheduled',
            networks: ['x', 'nostr', 'bluesky'],
            x_text: text,
            bluesky_text: text,
            nostr_text: text,
            pictures: [],
            scheduled_at: due,
            createdBy,
            created_at: at,
            updated_at: at,
          })
          await publishing.kit.planned(tx, due)
        })
        planned += 1
      }
    },

    /** Deliveries not yet finished. */
    open: async (): Promise<Record<string, string>[]> => [
      ...(await rowsOf(`select 'post' as what, state, text(count(*)) as n from social_posts
        where state <> 'done' group by 2`)),
      ...(await rowsOf(`select kind || ' ' || lane as what, state, text(count(*)) as n, text(max(tries)) as tries,
          text(min(due - now())) as due, min(last_error) as error
        from outbox where state in ('waiting', 'sending') or due is not null group by 1, 2`)),
      ...(await rowsOf(`select 'verdict without a signed event' as what, mode as state, text(count(*)) as n from verdicts v
        where not exists (select from record_events e where e.verdict_id = v.id) group by 2`)),
      ...(await rowsOf(`select 'signed event without a delivery' as what, text(kind) as state, text(count(*)) as n
        from (select distinct on (kind, d) kind, event_id from record_events order by kind, d, id desc) e
        where not exists (select from outbox o where o.ref = e.event_id) group by 2`)),
      ...(await rowsOf(`select 'follower without news' as what, channel as state, text(count(*)) as n from followers f
        where not exists (select from follow_news n join outbox o on o.id = n.message_id
          where n.follower_id = f.id and o.state in ('sent', 'unknown')) group by 2`)),
    ],

    /**
     * Compares what has ended with what arrived.
     * @param kills when senders were killed, Unix time in ms
     * @returns a line about it
     */
    async check(kills: readonly number[]): Promise<string> {
      expect(await doubled()).toEqual([])
      const ended = await rowsOf(
        `select case when o.kind = 'post' then o.lane when o.lane = 'push' then o.lane else 'mail' end as way, o.state,
           case when o.kind = 'post' then p.x_text else o.id::text end as name, o.asked_at as asked, o.last_error as error
         from outbox o left join social_posts p on o.kind = 'post' and p.id::text = o.ref
         where o.kind in ('notice', 'follow-news', 'post')`,
      )
      const got = await received()
      const ways = { mail: 'mail', push: 'push message', x: 'post on X', nostr: 'note' } as const
      const lines: string[] = []
      for (const [way, purpose] of Object.entries({
        ...ways,
        bluesky: 'post on Bluesky',
      } as const)) {
        const rows = ended.filter((row) => row['way'] === way)
        const named = (state: string): string[] =>
          rows.flatMap((row) => (row['state'] === state ? (row['name'] ?? []) : []))
        const arrived = got[purpose]
        const [sent, unknown] = [named('sent'), named('unknown')]
        expect(without(sent, arrived), `each ${purpose} that was sent has arrived`).toEqual([])
        expect(without(arrived, [...sent, ...unknown]), `no other ${purpose}`).toEqual([])
        const others = rows.filter(({ state }) => state !== 'sent' && state !== 'unknown')
        expect(others, `each ${purpose} is sent or unknown`).toEqual([])
        const isPost = way !== 'mail' && way !== 'push'
        expect(rows).toHaveLength(isPost ? planned : rows.length)
        expect(sent.length).toBeGreaterThan(0)
        const came = unknown.length - without(unknown, arrived).length
        lines.push(
          `${purpose}: ${String(sent.length)} sent, ${String(unknown.length)} unknown of which ${String(came)} arrived`,
        )
      }
      // Each was requested shortly before its sender was killed, which never got the answer.
      const strange = ended.filter(({ state, asked = '' }) => {
        const askedMs = Date.parse(asked)
        const isKilled = kills.some((at) => askedMs <= at && at < askedMs + CALL_MS)
        return state === 'unknown' && !isKilled
      })
      expect(strange, 'each unknown is a call that may have arrived').toEqual([])
      const twice = await rowsOf(
        `select follower_id from follow_news group by follower_id, prediction_id, event having count(*) > 1`,
      )
      expect(twice).toEqual([])
      const signed = await rowsOf(
        `select distinct on (e.kind, e.d) e.event_id as id, e.d, o.state, text(o.tries) as tries, o.last_error as error,
           text(o.payload) as payload, text(o.created_at) as at
         from record_events e left join outbox o on o.ref = e.event_id order by e.kind, e.d, e.id desc`,
      )
      const relayed = new Set(relay.events.map(({ id }) => id))
      expect(signed.filter(({ id = '' }) => !relayed.has(id))).toEqual([])
      const again = relay.events.length - relayed.size
      lines.push(`${String(relayed.size)} relay events (${String(again)} again by the same id)`)
      return lines.join('\n')
    },

    [Symbol.asyncDispose]: async () => {
      for (const one of [relay, mails, x, bluesky, pushes]) await one[Symbol.asyncDispose]()
    },
  }
}

function without(all: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others)
  return all.filter((one) => !left.has(one))
}

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

    /** @throws Error that says what failed, with the state of everything */
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

    /** Requests invoices and pays those shown, as wallets do, whatever happens to the site meanwhile. */
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
          // A zap counts for a prediction only once that is signed.
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
      // The last round continues until each kind has occurred and everything has ended.
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
      // Each approval made its prediction once, with two verdicts; none that was acknowledged is lost.
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
