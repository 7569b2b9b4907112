// Over 400 lines: every way to notify a submitter, on one site.

import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns'
import { beforeEach, describe, expect, it } from 'vitest'
import { readFact } from '#server/kit/facts.ts'
import { SourceError } from '#server/kit/failure.ts'
import { noteInvoices } from '#server/payments/wallets/lnurl-pay.ts'
import { openSite } from '#server/site.ts'
import { smtpMailer } from '#server/submissions/mail.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { sharedByFile } from '#tests/support/once-for-file.ts'
import {
  call,
  check,
  Failed,
  order,
  payNow,
  receipt,
  sharedWorld,
  world,
  type Ordered,
} from '#tests/support/payment-world.ts'
import { sharedMailSink, unsubscribePath } from '#tests/support/stand-ins/mail-sink.ts'
import { walletServer } from '#tests/support/stand-ins/wallet-servers.ts'
import { testPorts } from '#tests/support/test-site.ts'
import { waitingForLocks, until } from '#tests/support/waiting.ts'

const DAY = 86_400_000

const sink = sharedMailSink()
const shop = sharedByFile(
  () => walletServer('lnurl'),
  async ({ ledger }) => {
    ledger.entries.clear()
    ledger.lies = {}
  },
)
/** The shop's contact is an https address; its stand-in listens without. */
const invoices = noteInvoices({
  lookup: (host, options, done) => lookup(host, options, done),
  isAllowed: () => true,
})
/** Payments requested from the site's wallet, and their outcome. */
const paid: string[] = []
let pay = async (): Promise<void> => {}
beforeEach(() => {
  paid.length = 0
  pay = async () => {}
})
const site = sharedWorld(
  () => ({
    settings: { payments: { noticeSatsADay: 10 } },
    ports: {
      mailer: smtpMailer({ url: sink.url, from: 'Proof of Price <notices@site.org>' }),
      invoices: {
        invoiceFor: (url, ask, signal) =>
          invoices.invoiceFor(shop.url.origin + new URL(url).pathname, ask, signal),
      },
    },
  }),
  {
    pay: (bolt11) => {
      paid.push(bolt11)
      return pay()
    },
  },
)

function ask({ receipt: { token } }: Ordered, contact: string, kind = 'email', on = site) {
  return call(on, 'POST', `/api/v1/receipts/${token}/contact`, { contact, kind })
}

/** A paid submission with notices to `contact`. */
async function paidFor(
  contact = 'reader@example.org',
  kind = 'email',
  data: object = {},
  on = site,
) {
  const made = await order(on, { data })
  await payNow(on, made)
  const { status, body } = await ask(made, contact, kind, on)
  return { made, status, body }
}

/** The same, with the address confirmed by the link of its mail; the sink is empty again. */
async function confirmedFor(contact?: string) {
  const paid = await paidFor(contact)
  await sendNotices()
  await press(await tokenIn(), 'confirm')
  sink.clear()
  return paid
}

/** The token in the link of the last mail. */
async function tokenIn(): Promise<string> {
  const text = (await sink.mails()).at(-1)?.text ?? ''
  return /\/confirm\/([\w-]+)/.exec(text)?.[1] ?? ''
}

function press(token: string, what: 'confirm' | 'refuse') {
  return call(site, 'POST', `/api/v1/mail/${token}/${what}`)
}

async function decide(status: string, predictionId: string | null = null) {
  await site.sql('update submissions set status = $1, admin_comment = $2, prediction_id = $3', [
    status,
    'No such <words>: https://bad.example/x',
    predictionId,
  ])
}

async function sendNotices(): Promise<void> {
  await site.payments.notices.write()
  await site.outbox.deliver('notice')
}

async function statuses(): Promise<string[]> {
  const rows = await site.sql(
    `select payload->>'event' || ' ' || state as text from outbox where kind = 'notice' order by id`,
  )
  return rows.map((row) => row.text)
}

describe('by mail', () => {
  it('a submitter gets one mail each for approval and verdict', async () => {
    const { made, status } = await confirmedFor()
    expect(status).toBe(200)
    await sendNotices()
    expect(await sink.mails()).toEqual([])
    await site.imports.predictions(JSON.stringify([entry('jane-1')]))
    await decide('approved', 'jane-1')
    await sendNotices()
    await site.imports.prices('btc', closesFile('2024-01-01', [100, 160]), 'test')
    await sendNotices()
    await sendNotices()
    expect(sink.recipients).toEqual(['reader@example.org', 'reader@example.org'])
    const mails = await sink.mails()
    expect(mails.map((mail) => mail.subject)).toEqual([
      'Prediction approved: BTC $150,000 by 31/12/2027',
      'SUCCESS: BTC $150,000 by 31/12/2027',
    ])
    const [mail] = mails
    expect(mail?.text).toContain(`http://localhost:3001${made.receipt.path}`)
    expect(mail?.html).toContain('http://localhost:3001/predictions/jane-1')
    const ended = await site.app.inject({
      method: 'POST',
      url: unsubscribePath(mail),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(ended.statusCode).toBe(200)
    expect((await receipt(site, made)).contact).toBeNull()
  })

  it('a mail about a rejection includes its reason, as text without links', async () => {
    await confirmedFor()
    await decide('rejected')
    await sendNotices()
    const [mail] = await sink.mails()
    expect(mail?.text).toContain('Reason: No such <words>: https://bad.example/x')
    expect(mail?.html).toContain('No such &lt;words&gt;: https://bad.example/x')
    expect(mail?.html).not.toContain('href="https://bad')
  })

  it('a submitter who has unsubscribed gets no mail', async () => {
    const { made } = await confirmedFor()
    await decide('rejected')
    await site.payments.notices.write()
    await call(site, 'POST', `/api/v1/receipts/${made.receipt.token}/unsubscribe`)
    await sendNotices()
    expect(await sink.mails()).toEqual([])
  })

  it('without a mail server and a paying wallet, no address is accepted', async () => {
    await using without = await world()
    for (const [contact, sentence] of [
      ['reader@example.org', /receipt instead/],
      ['lightning:me@wallet.org', /receipt instead/],
    ] as const) {
      const { status, body } = await paidFor(contact, 'email', {}, without)
      expect([status, Failed.parse(body).error]).toEqual([400, expect.stringMatching(sentence)])
    }
  })
})

describe('an address', () => {
  const EVIL = 'Jane https://evil.example/login'

  it('is confirmed by a mail without any visitor input; then missed news is sent', async () => {
    const { made } = await paidFor('reader@example.org', 'email', {
      expert_name: EVIL,
      notes: 'Go to https://evil.example/notes',
    })
    await decide('rejected')
    await sendNotices()
    await sendNotices()
    expect(sink.recipients).toEqual(['reader@example.org'])
    const [response] = await sink.mails()
    expect(response?.subject).toBe('Please confirm your address')
    // A week after the request.
    const { text = '' } = response ?? {}
    expect(text).toContain('The link works until 27/11/2026 at 12:00 UTC.')
    expect(JSON.stringify(response)).not.toMatch(/evil|Jane|150,000|No such|receipt/)
    // The notice is not even stored yet.
    await site.payments.notices.write()
    expect(await statuses()).toEqual(['confirm sent'])
    expect((await receipt(site, made)).contact).toMatchObject({ confirmed: false })
    const token = await tokenIn()
    // A program that opens every link of a mail confirms nothing.
    for (const url of [`/confirm/${token}`, `/api/v1/mail/${token}/confirm`]) {
      await site.app.inject({ url })
    }
    expect((await receipt(site, made)).contact).toMatchObject({ confirmed: false })
    await sendNotices()
    expect(sink.recipients).toHaveLength(1)
    expect(await press(token, 'confirm')).toEqual({
      status: 200,
      body: { confirmed: true, shown: 'r…@example.org' },
    })
    expect((await press(token, 'confirm')).status).toBe(200)
    expect((await receipt(site, made)).contact).toMatchObject({ confirmed: true })
    await sendNotices()
    await sendNotices()
    expect(sink.recipients).toHaveLength(2)
    const mail = (await sink.mails())[1]
    expect(mail?.subject).toBe('Prediction not published: BTC $150,000 by 31/12/2027')
    expect(JSON.stringify(mail)).not.toMatch(/evil|Jane/)
    const links = [...(mail?.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, url]) => url ?? '')
    expect(links).not.toEqual([])
    expect(links.filter((url) => !url.startsWith('http://localhost:3001/'))).toEqual([])
    // Another address is confirmed on its own.
    const { body } = await ask(made, 'other@example.org')
    expect(body).toMatchObject({ contact: { confirmed: false } })
    await sendNotices()
    expect(sink.recipients.at(-1)).toBe('other@example.org')
  })

  it('gets no mail before the submission is paid', async () => {
    const made = await order(site)
    expect((await ask(made, 'reader@example.org')).status).toBe(200)
    await sendNotices()
    expect(sink.recipients).toEqual([])
    await payNow(site, made)
    await sendNotices()
    expect(sink.recipients).toEqual(['reader@example.org'])
  })

  it('stored before confirmation existed is asked once, when there is news', async () => {
    await paidFor()
    await site.sql('delete from contact_confirmations')
    await sendNotices()
    expect(sink.recipients).toEqual([])
    await decide('rejected')
    // Written by the previous version, and not sent yet.
    await site.sql(
      `insert into outbox (kind, key, ref, lane, payload, due, created_at, updated_at)
       select 'notice', id || ' rejected', id, 'notice', '{"event":"rejected"}', $1, $1, $1 from submissions`,
      [new Date(site.clock.ms).toISOString()],
    )
    for (let i = 0; i < 3; i += 1) await sendNotices()
    site.clock.ms += 30 * DAY
    await sendNotices()
    expect((await sink.mails()).map((mail) => mail.subject)).toEqual([
      'Please confirm your address',
    ])
    expect((await press(await tokenIn(), 'confirm')).body).toMatchObject({
      error: expect.stringMatching(/^This link has expired/),
    })
  })

  it('the address of the oldest submission is asked first, and an address that was asked often enough delays no others', async () => {
    const { sql } = site.database
    // More submissions with one address than a batch takes, then one with another; newer ones have lower ids.
    await sql(
      `insert into submissions (id, origin, status, asset, expert_name, prediction_type, timing, price_prediction,
         target_time, contact_kind, contact_address, created_at)
       select ('00000000-0000-4000-8000-' || lpad((1000 - n)::text, 12, '0'))::uuid, 'admin', 'rejected', 'btc',
         'Jane Doe', 'target', 'by', '$150,000', '2027-12-31', 'email',
         case when n > 60 then 'other@example.org' else 'reader@example.org' end,
         '2026-01-01'::timestamptz + n * interval '1 hour'
       from generate_series(1, 61) n`,
    )
    for (const [passed, asked] of [
      [0, [1, 2, 3]],
      [0, [1, 2, 3, 61]],
      [DAY + 1_000, [1, 2, 3, 4, 5, 6, 61]],
    ] as const) {
      site.clock.ms += passed
      await sendNotices()
      const rows = await sql(
        `select 1000 - right(submission_id::text, 12)::int as n from contact_confirmations order by 1`,
      )
      expect(rows.map(({ n }) => n)).toEqual(asked)
    }
  })

  it('cannot be confirmed by a link that is old, forged, or of another address', async () => {
    const { made } = await paidFor()
    await sendNotices()
    const token = await tokenIn()
    const rows = await site.sql('select * from contact_confirmations')
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${token}|reader`))
    expect((await press('a'.repeat(32), 'confirm')).status).toBe(404)
    await ask(made, 'victim@example.org')
    expect((await press(token, 'confirm')).status).toBe(404)
    await sendNotices()
    const next = await tokenIn()
    expect(next).not.toBe(token)
    site.clock.ms += 8 * DAY
    expect((await press(next, 'confirm')).status).toBe(404)
    expect((await receipt(site, made)).contact).toMatchObject({ confirmed: false })
  })

  // Limits under concurrency are tested with payments.
  it('is asked at most three times a day, and ten an hour per network', async () => {
    const made = await order(site)
    const ask = async (name: string, remoteAddress = '203.0.113.9'): Promise<number> => {
      const url = `/api/v1/receipts/${made.receipt.token}/contact`
      const payload = { contact: `${name}@example.org` }
      return (await site.app.inject({ method: 'POST', url, payload, remoteAddress })).statusCode
    }
    for (const name of ['reader', 'Reader', 'READER']) expect(await ask(name)).toBe(200)
    expect(await ask('reader', '198.51.100.7')).toBe(429)
    for (let n = 0; n < 7; n += 1) expect(await ask(`reader${String(n)}`)).toBe(200)
    expect(await ask('reader7')).toBe(429)
    expect(await ask('reader8', '198.51.100.7')).toBe(200)
    site.clock.ms += 3_600_001
    expect([await ask('reader9'), await ask('reader')]).toEqual([200, 429])
    site.clock.ms += DAY
    expect(await ask('reader')).toBe(200)
  })

  it('that opted out gets no further mail', async () => {
    const { made } = await paidFor()
    await sendNotices()
    const [response] = await sink.mails()
    const ended = await call(site, 'POST', unsubscribePath(response))
    expect(ended.body).toEqual({ refused: true })
    expect((await receipt(site, made)).contact).toBeNull()
    const again = await paidFor('READER+again@example.org')
    expect([again.status, Failed.parse(again.body).fields?.['contact']]).toEqual([
      400,
      expect.stringMatching(/asked us not to write to it/),
    ])
    // As stored by a version that removed it from one submission only.
    await site.sql(
      `update submissions set contact_kind = 'email', contact_address = 'reader@example.org', contact_confirmed_at = created_at`,
    )
    await decide('rejected')
    await sendNotices()
    expect(sink.recipients).toHaveLength(1)
    expect(await statuses()).toContain('rejected failed')
  })

  it('that opted out stays blocked when the token secret is replaced', async () => {
    const { db, sql } = site.database
    const fact = async (name: string): Promise<string> => (await readFact(db, name)) ?? ''
    expect(await fact('salt of addresses')).not.toBe(await fact('secret of tokens'))
    // As written by a version without a salt for addresses.
    const keyed = createHmac('sha256', await fact('secret of tokens'))
    await sql(`delete from facts where name = 'salt of addresses'`)
    await sql('insert into refused_addresses values ($1, now())', [
      keyed.update('address reader@example.org').digest('hex'),
    ])
    const again = async () => (await openSite(site.kit, testPorts(site.kit))).payments
    const updated = await again()
    expect(await updated.addresses.isRefused('Reader@example.org')).toBe(true)
    await sql(`delete from facts where name = 'secret of tokens'`)
    const replaced = await again()
    expect(replaced.tokens.receipt('one')).not.toBe(updated.tokens.receipt('one'))
    expect(await replaced.addresses.isRefused('reader@example.org')).toBe(true)
    expect(await replaced.addresses.isRefused('other@example.org')).toBe(false)
  })

  it('that opted out is deleted from every submission, confirmed and unpaid ones, too', async () => {
    const confirmed = await confirmedFor('Reader@example.org')
    const unpaid = await order(site, { data: { notes: 'Another one.' } })
    await ask(unpaid, 'reader@example.org')
    await paidFor('reader@example.org', 'email', { notes: 'A third one.' })
    await sendNotices()
    const token = await tokenIn()
    sink.clear()
    await press(token, 'refuse')
    expect((await receipt(site, confirmed.made)).contact).toBeNull()
    expect((await receipt(site, unpaid)).contact).toBeNull()
    site.ledger.pay(unpaid.invoice.payment_request)
    // Reading the receipt may have started an earlier look-up.
    await until(async () => {
      site.clock.ms += 2_000
      return (await check(site, unpaid)).paid
    })
    await decide('rejected')
    await sendNotices()
    expect(sink.recipients).toEqual([])
  })

  it('confirming an address does not confirm another one entered at the same moment', async () => {
    const { made } = await paidFor()
    await sendNotices()
    const token = await tokenIn()
    const { pool } = site.database
    const other = await pool.connect()
    try {
      await other.query('begin')
      await other.query(`update submissions set contact_address = 'victim@example.org'`)
      // It still reads the old address, and then waits for the row.
      const pressed = press(token, 'confirm')
      await until(async () => (await waitingForLocks(pool)) > 0)
      await other.query('commit')
      expect((await pressed).status).toBe(404)
    } finally {
      other.release()
    }
    expect((await receipt(site, made)).contact).toMatchObject({ confirmed: false })
  })
})

describe('over Lightning', () => {
  const rejected = async (): Promise<void> => {
    await paidFor('shop@example.org', 'lightning')
    await decide('rejected')
  }

  it('a notice over Lightning pays one sat with a comment, once, within the budget', async () => {
    const { status, body } = await paidFor('shop@example.org', 'lightning')
    expect([status, body]).toEqual([
      200,
      { contact: { kind: 'lightning', shown: 's…@example.org', confirmed: true } },
    ])
    await decide('rejected')
    await sendNotices()
    await sendNotices()
    const [made] = shop.ledger.entries.values()
    expect(paid).toEqual([made?.bolt11])
    expect(made).toMatchObject({ msat: 1_000, memo: expect.stringMatching(/^Proof of Price/) })
    // Six of ten sats are reserved, with the fee; the next notice waits until tomorrow.
    await site.sql(`update submissions set status = 'approved'`)
    await sendNotices()
    expect(await statuses()).toEqual(['rejected sent', 'approved waiting'])
    site.clock.ms += DAY + 3_600_000
    await sendNotices()
    expect(paid).toHaveLength(2)
  })

  // Other faults of invoices are tested in the domain.
  it('a notice invoice over more than one sat is not paid', async () => {
    shop.ledger.lies = { msat: 1_001 }
    await rejected()
    await sendNotices()
    expect([shop.ledger.entries.size, paid]).toEqual([1, []])
    expect(await statuses()).not.toContain('rejected sent')
    const rows = await site.sql(
      `select coalesce((payload->>'sats')::int, 0) as sats from outbox where kind = 'notice'`,
    )
    expect(rows).toEqual([{ sats: 0 }])
  })

  it('a notice that may have been paid is never paid again', async () => {
    pay = () => Promise.reject(new SourceError('down', 'It did not answer in time.'))
    await rejected()
    await sendNotices()
    // Nothing is waiting for a retry.
    expect(await statuses()).toEqual(['rejected unknown'])
    site.clock.ms += DAY
    await sendNotices()
    expect([paid.length, await statuses()]).toEqual([1, ['rejected unknown']])
  })

  it('a notice being paid when the server died is never paid again', async () => {
    // The first process has no answer from the wallet; another one would get it at once.
    pay = () => (paid.length === 1 ? new Promise(() => {}) : Promise.resolve())
    await rejected()
    await site.payments.notices.write()
    site.outbox.deliver('notice').catch(() => {})
    await until(() => paid.length === 1)
    // Another process finds it when its lease ends, and again later.
    for (const passed of [5 * 60_000, DAY]) {
      site.clock.ms += passed
      await sendNotices()
    }
    expect([paid.length, await statuses()]).toEqual([1, ['rejected unknown']])
  })
})
