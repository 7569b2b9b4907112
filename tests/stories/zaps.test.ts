import { createHash, randomBytes } from 'node:crypto'
import { LightningAddress } from '@getalby/lightning-tools/lnurl'
import { nip57 } from 'nostr-tools'
import { finalizeEvent, generateSecretKey, getPublicKey, verifyEvent } from 'nostr-tools/pure'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { lnurlInvoice } from '#contracts/lightning-address.ts'
import { SupportReceipt } from '#contracts/payments.ts'
import { readBolt11 } from '#domain/money/bolt11.ts'
import { PREDICTION_KIND } from '#server/attestation/event-format.ts'
import { openOutbox } from '#server/kit/outbox.ts'
import { publicLookup, STRANGE_RELAYS } from '#server/kit/reach.ts'
import { nostrOutbox, type NostrOutbox } from '#server/publishing/nostr/outbox.service.ts'
import { nostrRelays, nostrSigner } from '#server/publishing/nostr/relays.ts'
import { type NostrSigner } from '#server/publishing/ports.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { sharedByFile } from '#tests/support/once-for-file.ts'
import { sharedWorld } from '#tests/support/payment-world.ts'
import { faultyRelay, type FaultyRelay } from '#tests/support/stand-ins/faulty-relay.ts'
import { SILENT } from '#tests/support/test-site.ts'
import { shows } from '#tests/support/waiting.ts'

const ORIGIN = 'https://example.org'
const SITE_KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const SITE = nostrSigner(SITE_KEY).publicKey
const ZAPPER = generateSecretKey()
const OTHER = getPublicKey(generateSecretKey())
const ADDRESS = `${String(PREDICTION_KIND)}:${SITE}:a`

afterEach(() => void vi.unstubAllGlobals())

const own = sharedByFile(faultyRelay, async ({ events, seen }) => {
  events.length = 0
  seen.length = 0
})
// Relays on this machine stand for those of strangers.
const strangers = {
  isAllowed: (url: URL) => url.protocol === 'ws:' && !url.pathname.includes('private'),
}
/** A site that accepts zaps, with the signed prediction `a`, whose score is 7. */
const site = sharedWorld(
  () => ({
    settings: {
      origin: ORIGIN,
      payments: { lightningName: 'tips' },
      nostr: { privateKey: SITE_KEY, relays: [own.url], name: 'news' },
    },
    ports: {
      relaysOf: (signer: NostrSigner) =>
        nostrRelays([own.url], { signer, clock: { now: Date.now } }, strangers),
    },
  }),
  {},
  async ({ imports, database, nostr, refresh }) => {
    await imports.prices('btc', closesFile('2024-01-01', [100, 101, 102]), 'test')
    await imports.predictions(JSON.stringify([entry('a')]))
    await database.sql('update predictions set vote_score = 7')
    await nostr.record.sign()
    await refresh()
  },
)

function outbox(): NostrOutbox {
  if (!site.nostr.outbox) throw new Error('there is a key')
  return site.nostr.outbox
}

async function eventId(): Promise<string> {
  const rows = await site.sql(
    `select event_id as id from record_events where prediction_id = 'a' order by id limit 1`,
  )
  return rows[0]?.id ?? ''
}

/** A zap request made by nostr-tools, then changed and signed. */
function request(
  change: (tags: string[][]) => string[][] = (tags) => tags,
  overrides: { kind?: number; created_at?: number } = {},
) {
  const template = nip57.makeZapRequest({
    pubkey: SITE,
    amount: 21_000,
    comment: 'Good call',
    relays: ['wss://relay.example.org'],
  })
  const created_at = Math.floor(site.clock.ms / 1_000)
  return finalizeEvent(
    { ...template, created_at, ...overrides, tags: change(template.tags) },
    ZAPPER,
  )
}

async function ask(
  zap: object | string,
  amount = '21000',
): Promise<{ status: number; body: unknown }> {
  const nostr = typeof zap === 'string' ? zap : JSON.stringify(zap)
  const query = new URLSearchParams({ amount, nostr }).toString()
  const url = `/api/v1/lnurlp/tips/callback?${query}`
  const answer = await site.app.inject({ method: 'GET', url })
  return { status: answer.statusCode, body: answer.json() }
}

async function pay(pr: string): Promise<void> {
  site.ledger.pay(pr)
  site.clock.ms += 2_000
  site.wallet.hint(null)
  const hash = readBolt11(pr)?.paymentHash ?? ''
  const id = await site.sql('select id from payments where payment_hash = $1', [hash])
  await site.payments.admin.look(id[0]?.id ?? '')
}

async function score(): Promise<number> {
  const rows = await site.sql(`select vote_score as score from predictions where id = 'a'`)
  return rows[0]?.score ?? NaN
}

const receipts = (relay: FaultyRelay) => relay.events.filter(({ kind }) => kind === 9_735)

const Receipt = z.object({
  id: z.string(),
  pubkey: z.string(),
  kind: z.number(),
  created_at: z.number(),
  tags: z.array(z.array(z.string())),
  content: z.string(),
  sig: z.string(),
})

it('a zap of a prediction by another client is credited once, and its receipt goes to both sides', async () => {
  await using theirs = await faultyRelay()
  vi.stubGlobal('fetch', async (address: string | URL) => {
    const { pathname, search } = new URL(address)
    const answer = await site.app.inject({ method: 'GET', url: pathname + search })
    return new Response(answer.body, { status: answer.statusCode })
  })
  const ofRecord = await eventId()
  vi.setSystemTime(site.clock.ms)
  const address = new LightningAddress('tips@example.org', { proxy: false })
  await address.fetch()
  expect(address.lnurlpData).toMatchObject({ allowsNostr: true })
  expect(address.nostrPubkey).toBe(SITE)
  const nostr = {
    getPublicKey: () => Promise.resolve(getPublicKey(ZAPPER)),
    signEvent: (event: object) =>
      Promise.resolve(finalizeEvent(event as Parameters<typeof finalizeEvent>[0], ZAPPER)),
  }
  // Too long for a database index.
  const letters = Array.from(randomBytes(1_000), (byte) => String.fromCodePoint(0x4e00 + 61 * byte))
  const long = `${theirs.url}/${letters.join('')}`
  const relays = [theirs.url, `${theirs.url}/private`, 'http://no-relay', long, theirs.url]
  const invoice = await address.zapInvoice(
    { satoshi: 21, comment: 'Good call', relays, e: ofRecord },
    { nostr },
  )
  vi.useRealTimers()
  // Nothing is credited, and no receipt goes out, before our own wallet says that it is paid.
  expect(await outbox().queueZapReceipts()).toBe(0)
  await pay(invoice.paymentRequest)
  expect(await score()).toBe(28)
  expect(await outbox().queueZapReceipts()).toBe(1)
  expect(await outbox().queueZapReceipts()).toBe(0)
  await outbox().sendDue()
  await outbox().sendDue()
  expect(receipts(theirs)).toHaveLength(0)
  await site.outbox.deliver('zap-relay')
  await site.outbox.deliver('zap-relay')
  expect(receipts(own)).toHaveLength(1)
  expect(receipts(theirs)).toHaveLength(1)
  const receipt = Receipt.parse(receipts(theirs)[0])
  expect(verifyEvent(receipt)).toBe(true)
  expect(receipt.pubkey).toBe(SITE)
  const tag = (name: string) => receipt.tags.find(([key]) => key === name)?.[1] ?? ''
  expect(nip57.validateZapRequest(tag('description'))).toBeNull()
  expect(tag('bolt11')).toBe(invoice.paymentRequest)
  const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
  const read = readBolt11(tag('bolt11'))
  expect(read?.descriptionHash).toBe(sha256(tag('description')))
  expect(sha256(Buffer.from(tag('preimage'), 'hex'))).toBe(read?.paymentHash)
  expect([tag('p'), tag('P'), tag('e')]).toEqual([SITE, getPublicKey(ZAPPER), ofRecord])
  expect(nip57.getSatoshisAmountFromBolt11(tag('bolt11'))).toBe(21)
  await pay(invoice.paymentRequest)
  expect(await score()).toBe(28)
})

it('a zap may name the address of a prediction, or none: then it supports the site', async () => {
  const made = async (tags: string[][]) =>
    lnurlInvoice.reply.parse((await ask(request((all) => [...all, ...tags]))).body)
  const of = await made([['a', ADDRESS]])
  await pay(of.pr)
  expect(await score()).toBe(28)
  const token = of.successAction.url.split('/').at(-1) ?? ''
  const receipt = await site.get(`/api/v1/payments/${token}/receipt`)
  expect(SupportReceipt.parse(receipt.body)).toMatchObject({ purpose: 'zap', credited_sats: 21 })
  await pay((await made([['e', 'ab'.repeat(32)]])).pr)
  await pay((await made([['a', `1:${OTHER}:a`]])).pr)
  await pay((await made([])).pr)
  expect(await score()).toBe(28)
  await site.sql(`update predictions set withdrawn_at = now()`)
  expect(await ask(request((all) => [...all, ['a', ADDRESS]]))).toMatchObject({
    status: 409,
    body: { status: 'ERROR' },
  })
})

it('a zap of our post about a prediction supports the prediction', async () => {
  const id = 'cd'.repeat(32)
  await site.sql(
    `with admin as (insert into admins (username, folded, role, password_hash, created_at)
       values ('Admin A', 'admin a', 'administrator', '-', now()) returning id),
     event as (insert into nostr_events (id, purpose, event, signed_at) values ($1, 'note', '{}', now())),
     post as (insert into social_posts (id, kind, state, networks, pictures, scheduled_at, prediction_id, created_by, created_at, updated_at)
       select gen_random_uuid(), 'prediction', 'done', '{nostr}', '[]', now(), 'a', id, now(), now() from admin returning id)
     insert into outbox (kind, key, ref, lane, payload, state, created_at, updated_at)
     select 'post', id || ' nostr', id, 'nostr', jsonb_build_object('remoteId', $1::text), 'sent', now(), now() from post`,
    [id],
  )
  const zap = request((all) => [...all, ['e', id]])
  await pay(lnurlInvoice.reply.parse((await ask(zap)).body).pr)
  expect(await score()).toBe(28)
})

it('a zap request may have any lnurl tag and no relays: its receipt goes to ours', async () => {
  const bare = request((tags) => [
    ...tags.filter(([key]) => key !== 'relays'),
    ['lnurl', `${ORIGIN}/api/v1/lnurlp/tips/callback`],
  ])
  const { pr } = lnurlInvoice.reply.parse((await ask(bare)).body)
  const others = [[], ['relays'], ['lnurl'], ['lnurl', 'lnurl1nonsense']]
  for (const tag of others) expect((await ask(request((all) => [...all, tag]))).status).toBe(200)
  await pay(pr)
  await outbox().queueZapReceipts()
  await outbox().sendDue()
  expect(receipts(own)).toHaveLength(1)
})

it('refuses a zap request for another recipient and says why', async () => {
  const put = (name: string, ...values: string[]) =>
    request((tags) => [...tags.filter(([key]) => key !== name), [name, ...values]])
  const add = (...tag: string[]) => request((tags) => [...tags, tag])
  const forged = { ...request(), content: 'Something else' }
  const now = Math.floor(site.clock.ms / 1_000)
  const input: [string, object | string][] = [
    ['differs from the requested one', put('amount', '1000')],
    ['for somebody else', put('p', OTHER)],
    ['exactly one p tag', add('p', SITE)],
    ['exactly one p tag', request((tags) => tags.filter(([key]) => key !== 'p'))],
    ['at most one event', request((t) => [...t, ['e', 'a'], ['e', 'b']])],
    ['is not an event id', add('e', 'no id')],
    ['is not an event address', add('a', 'x:y')],
    ['is old', request(undefined, { created_at: now - 7_200 })],
    ['is old', request(undefined, { created_at: now + 7_200 })],
    ['the kind 9734', request(undefined, { kind: 9_735 })],
    ['signature', forged],
    ['signature', { ...request(), id: 'ab'.repeat(32) }],
    ['cannot be read', 'no json'],
    ['cannot be read', '[]'],
    ['cannot be read', { kind: 9_734 }],
    ['cannot be read', add('x', 'y'.repeat(3_000))],
    // The database stores neither, and a paid zap must get its receipt.
    ['cannot be read', add('k', '\0')],
    ['cannot be read', add('e', 'ab'.repeat(32), '\uD83D')],
    ['cannot be read', { ...request(), content: '\uDE00' }],
  ]
  expect(await Promise.all(input.map(([, zap]) => ask(zap)))).toMatchObject(
    input.map(([message]) => ({
      status: 400,
      body: { status: 'ERROR', reason: expect.stringContaining(message) },
    })),
  )
  expect((await ask(request(), '22000')).status).toBe(400)
  expect((await ask('x'.repeat(1_000_000))).status).toBe(400)
  expect(site.ledger.entries.size).toBe(0)
})

it('a receipt that cannot be made delays neither the others nor anything else', async () => {
  for (let n = 0; n < 2; n++) {
    const zap = lnurlInvoice.reply.parse((await ask(request())).body)
    await pay(zap.pr)
  }
  await site.sql(
    `update payments set description = 'no request' where id = (select id from payments order by paid_at limit 1)`,
  )
  await expect(outbox().queueZapReceipts()).rejects.toThrow('a paid zap without its request')
  await outbox().sendDue()
  expect(receipts(own)).toHaveLength(1)
})

it('relays of strangers that never answer are limited together, delay none of ours, and end with the site', async () => {
  await using theirs = await faultyRelay()
  await using silent = await faultyRelay('silent')
  await using hanging = await faultyRelay('hangs')
  const requested = [silent.url, hanging.url, theirs.url]
  const tagged = request((tags) => [
    ...tags.filter(([key]) => key !== 'relays'),
    ['relays', ...requested],
  ])
  await pay(lnurlInvoice.reply.parse((await ask(tagged)).body).pr)
  const signer = nostrSigner(SITE_KEY)
  // A relay that is awaited forever; only the limit for all strangers ends that.
  const patience = { connectMs: 86_400_000, answerMs: 86_400_000, afterNoticeMs: 86_400_000 }
  const relays = nostrRelays(
    [own.url],
    { signer, clock: { now: Date.now }, patience },
    { isAllowed: () => true },
  )
  const outboxWith = (strangersWithinMs: number) => {
    const box = openOutbox({ ...site.kit, log: SILENT, jobs: null })
    const input = { signer, relays, outbox: box, strangersWithinMs }
    return { ...nostrOutbox({ ...site.kit, log: SILENT, ...input }), box }
  }
  const patient = outboxWith(86_400_000)
  await patient.queueZapReceipts()
  const leaving = new AbortController()
  const strangers = patient.box.deliver('zap-relay', leaving.signal)
  await patient.sendDue()
  await shows(() => expect([receipts(own), receipts(theirs)]).toMatchObject([[{}], [{}]]))
  await shows(() => expect([silent.seen, silent.connections]).toMatchObject([[{}], 1]))
  await pay(lnurlInvoice.reply.parse((await ask(request())).body).pr)
  await patient.queueZapReceipts()
  await patient.sendDue()
  expect(receipts(own)).toHaveLength(2)
  leaving.abort()
  await strangers

  site.clock.ms += 3_600_000
  await outboxWith(500).box.deliver('zap-relay')
  const rows = await site.sql(`select distinct lane as relay, state from outbox order by relay`)
  const state = new Map(rows.map((row) => [row.relay, row.state]))
  expect(requested.map((relay) => state.get(relay))).toEqual(['waiting', 'waiting', 'sent'])
})

it('forged receipts count for nothing', async () => {
  const zap = request((tags) => [...tags, ['a', ADDRESS]])
  const made = lnurlInvoice.reply.parse((await ask(zap)).body)
  // An unpaid invoice of ours in a foreign receipt, and in one that claims our key.
  const tags = [
    ['p', SITE],
    ['bolt11', made.pr],
    ['description', JSON.stringify(zap)],
  ]
  const forged = finalizeEvent(
    { kind: 9_735, created_at: zap.created_at, tags, content: '' },
    ZAPPER,
  )
  for (const event of [forged, { ...forged, pubkey: SITE }]) {
    const body = JSON.stringify(event)
    expect((await ask(body)).status).toBe(400)
    own.events.push(event)
  }
  await outbox().sendDue()
  expect(await outbox().queueZapReceipts()).toBe(0)
  expect(await score()).toBe(7)
})

it("a stranger's relay in a private network is not called", async () => {
  await using here = await faultyRelay()
  const home = publicLookup((_host, _options, done) =>
    done(null, [{ address: '127.0.0.1', family: 4 }]),
  )
  const needs = { signer: nostrSigner(SITE_KEY), clock: { now: Date.now } }
  const relays = nostrRelays([], needs, { ...STRANGE_RELAYS, lookup: home })
  const event = finalizeEvent({ kind: 1, created_at: 1, tags: [], content: '' }, ZAPPER)
  const sent = async (relay: string) =>
    (await relays.sendToStranger(relay, [event], AbortSignal.timeout(5_000)))[0]
  expect(await sent(here.url)).toMatchObject({ state: 'refused' })
  // A name is resolved, and its address checked before connecting.
  expect(await sent('wss://localhost')).toMatchObject({ state: 'refused' })
  expect(await sent('wss://relay.example.org')).toMatchObject({ state: 'refused' })
  expect(here.connections).toBe(0)
})

it('the Nostr names of the site lead to its key, and no other name does', async () => {
  const names = async (query: string) => (await site.get(`/.well-known/nostr.json${query}`)).body
  const relays = { [SITE]: [own.url] }
  expect(await names('?name=_')).toEqual({ names: { _: SITE }, relays })
  expect(await names('?name=news')).toEqual({ names: { news: SITE }, relays })
  expect(await names('')).toEqual({ names: { _: SITE, news: SITE, tips: SITE }, relays })
  expect(await names('?name=Tips')).toEqual({ names: { tips: SITE }, relays })
  expect(await names('?name=other')).toEqual({ names: {}, relays: {} })
})
