// Over 400 lines: every way to notify a submitter, tried with the same submissions.
import { noteInvoices } from '#server/payments/wallets/lnurl-pay.ts'
import { smtpMailer } from '#server/submissions/mail-smtp.ts'
import { isPublicAddress, publicLookup } from '#server/kit/public-address.ts'
import { type Reach } from '#server/kit/reach.ts'
import { openSite } from '#server/site.ts'
import { SourceError } from '#server/kit/ports.ts'
import { type NoteInvoices } from '#server/submissions/ports.ts'
import { readFact } from '#server/kit/facts.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { call, check, Failed, order, receipt, world } from '#tests/support/payment-world.ts'
import { testPorts } from '#tests/support/test-site.ts'
import { mailSink, type MailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { type Lies } from '#tests/support/stand-ins/ledger.ts'
import { walletServer, type WalletServer } from '#tests/support/stand-ins/wallet-servers.ts'
import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns'
import { createServer } from 'node:http'
import { waitingForLocks } from '#tests/support/waiting-queries.ts'
import { patiently, until } from '#tests/support/waiting.ts'
import { describe, expect, it } from 'vitest'

const DAY = 86_400_000

function mailOn(sink: MailSink) {
  return { mailer: smtpMailer({ url: sink.url, from: 'Proof of Price <notices@site.org>' }) }
}

type World = Awaited<ReturnType<typeof world>>

/** A paid submission whose submitter has asked to be notified at `contact`. */
async function paidFor(
  site: World,
  contact: string,
  kind: 'email' | 'lightning' = 'email',
  data: object = {},
) {
  const made = await order(site, { data })
  site.ledger.pay(made.invoice.payment_request)
  site.clock.ms += 2_000
  await call(site, 'GET', `/api/payments/check-payment/${made.invoice.checking_id}`)
  const url = `/api/v1/receipts/${made.receipt.token}/contact`
  const { status, body } = await call(site, 'POST', url, { contact, kind })
  return { made, status, body }
}

/** The same, with the address confirmed by the link of its mail; the sink is empty again. */
async function confirmedFor(site: World, sink: MailSink, contact = 'reader@example.org') {
  const paid = await paidFor(site, contact)
  await sendNotices(site)
  await press(site, await tokenIn(sink), 'confirm')
  sink.clear()
  return paid
}

/** The token in the link of the last mail. */
async function tokenIn(sink: MailSink): Promise<string> {
  const text = (await sink.mails()).at(-1)?.text ?? ''
  return /\/confirm\/([\w-]+)/.exec(text)?.[1] ?? ''
}

function press(site: World, token: string, what: 'confirm' | 'refuse') {
  return call(site, 'POST', `/api/v1/mail/${token}/${what}`)
}

async function decide(site: World, status: string, predictionId: string | null = null) {
  await site.database.pool.query(
    'update submissions set status = $1, admin_comment = $2, prediction_id = $3',
    [status, 'No such <words> in the source.', predictionId],
  )
}

async function sendNotices(site: World): Promise<void> {
  await site.payments.notices.write()
  while (await site.payments.notices.sendOne()) {
    // The next one.
  }
}

async function statuses(site: World): Promise<string[]> {
  const { rows } = await site.database.pool.query<{ text: string }>(
    `select event || ' ' || status as text from notices order by id`,
  )
  return rows.map((row) => row.text)
}

describe('by mail', () => {
  it('a submitter gets one mail of each: approval and verdict', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const { made, status } = await confirmedFor(site, sink)
    expect(status).toBe(200)
    await sendNotices(site)
    expect(await sink.mails()).toEqual([])
    await site.imports.predictions(JSON.stringify([entry('jane-1')]))
    await decide(site, 'approved', 'jane-1')
    await sendNotices(site)
    await site.imports.prices('btc', closesFile('2024-01-01', [100, 160]), 'test')
    await sendNotices(site)
    await sendNotices(site)
    expect(sink.recipients).toEqual(['reader@example.org', 'reader@example.org'])
    const mails = await sink.mails()
    expect(mails.map((mail) => mail.subject)).toEqual([
      'Prediction approved: BTC $150,000 by 31/12/2027',
      'SUCCESS: BTC $150,000 by 31/12/2027',
    ])
    const [mail] = mails
    expect(mail?.text).toContain(`http://localhost:3001${made.receipt.path}`)
    expect(mail?.html).toContain('http://localhost:3001/predictions/jane-1')
    const header = mail?.headers.find((one) => one.key === 'list-unsubscribe')?.value ?? ''
    const path = new URL(header.slice(1, -1)).pathname
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const ended = await site.app.inject({
      method: 'POST',
      url: path,
      headers: form,
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(ended.statusCode).toBe(200)
    expect((await receipt(site, made)).contact).toBeNull()
  })

  it('a mail about a rejection names its reason, as text', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    await confirmedFor(site, sink)
    await decide(site, 'rejected')
    await sendNotices(site)
    const [mail] = await sink.mails()
    expect(mail?.text).toContain('Reason: No such <words> in the source.')
    expect(mail?.html).toContain('No such &lt;words&gt;')
  })

  it('what the mail server puts off is tried again; what it refuses is given up', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    await confirmedFor(site, sink)
    await decide(site, 'rejected')
    sink.mood.refuseWith = 451
    await sendNotices(site)
    expect(await statuses(site)).toEqual(['confirm sent', 'rejected waiting'])
    site.clock.ms += 60_000
    sink.mood.refuseWith = 550
    await sendNotices(site)
    expect(await statuses(site)).toEqual(['confirm sent', 'rejected failed'])
  })

  it('two processes send each notice once', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    await confirmedFor(site, sink)
    await decide(site, 'rejected')
    await Promise.all(Array.from({ length: 5 }, () => sendNotices(site)))
    expect(await sink.mails()).toHaveLength(1)
  })

  it('a submitter who has unsubscribed gets no mail', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const { made } = await confirmedFor(site, sink)
    await decide(site, 'rejected')
    await site.payments.notices.write()
    await call(site, 'POST', `/api/v1/receipts/${made.receipt.token}/unsubscribe`)
    await sendNotices(site)
    expect(await sink.mails()).toEqual([])
  })

  it.each([
    ['a@b.org, c@d.org', /valid email/],
    ['evil@x.org\r\nBcc: y@z.org', /valid email/],
    ['nobody', /email address, a Lightning address or an LNURL/],
    ['lightning:me@wallet.org', /cannot send notices over Lightning/],
  ])('the contact %j is refused with a sentence', async (contact, message) => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const { status, body } = await paidFor(site, contact)
    expect([status, Failed.parse(body).fields?.['contact']]).toEqual([
      400,
      expect.stringMatching(message),
    ])
  })

  it('where there is no mail server, no address is taken', async () => {
    await using site = await world()
    const { status, body } = await paidFor(site, 'reader@example.org')
    expect([status, Failed.parse(body).error]).toEqual([
      400,
      expect.stringMatching(/receipt instead/),
    ])
  })
})

describe('an address', () => {
  const EVIL = 'Jane https://evil.example/login'

  it('an address is asked first, by a mail that holds nothing that was typed in; then what was missed is sent', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const { made } = await paidFor(site, 'reader@example.org', 'email', {
      expert_name: EVIL,
      notes: 'Go to https://evil.example/notes',
    })
    await decide(site, 'rejected')
    await sendNotices(site)
    await sendNotices(site)
    expect(sink.recipients).toEqual(['reader@example.org'])
    const [asked] = await sink.mails()
    expect(asked?.subject).toBe('Please confirm your address')
    // A week from when it was asked for.
    const { text = '' } = asked ?? {}
    expect(text).toContain('The link works until 27/11/2026 at 12:00 UTC.')
    const whole = JSON.stringify(asked)
    expect(whole).not.toMatch(/evil|Jane|150,000|No such|receipt/)
    // What is to be sent is not even written down yet.
    await site.payments.notices.write()
    expect(await statuses(site)).toEqual(['confirm sent'])
    expect((await receipt(site, made)).contact).toMatchObject({ confirmed: false })
    const token = await tokenIn(sink)
    // A program that opens every link of a mail confirms nothing.
    for (const url of [`/confirm/${token}`, `/api/v1/mail/${token}/confirm`]) {
      await call(site, 'GET', url)
    }
    expect((await receipt(site, made)).contact).toMatchObject({ confirmed: false })
    await sendNotices(site)
    expect(sink.recipients).toHaveLength(1)
    expect(await press(site, token, 'confirm')).toEqual({
      status: 200,
      body: { confirmed: true, shown: 'r…@example.org' },
    })
    expect((await press(site, token, 'confirm')).status).toBe(200)
    expect((await receipt(site, made)).contact).toMatchObject({ confirmed: true })
    await sendNotices(site)
    await sendNotices(site)
    expect(sink.recipients).toHaveLength(2)
    const mail = (await sink.mails())[1]
    expect(mail?.subject).toBe('Prediction not published: BTC $150,000 by 31/12/2027')
    expect(JSON.stringify(mail)).not.toMatch(/evil|Jane/)
    const links = [...(mail?.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, url]) => url ?? '')
    expect(links).not.toEqual([])
    expect(links.filter((url) => !url.startsWith('http://localhost:3001/'))).toEqual([])
  })

  it('the mail to an address makes no link of what an administrator writes either', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    await confirmedFor(site, sink)
    await site.database.pool.query(
      `update submissions set status = 'rejected', admin_comment = 'See https://evil.example/x'`,
    )
    await sendNotices(site)
    const html = (await sink.mails())[0]?.html ?? ''
    expect(html).toContain('See https://evil.example/x')
    expect(html).not.toContain('href="https://evil')
  })

  it('an address is not written to before the submission has been paid', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const made = await order(site)
    const url = `/api/v1/receipts/${made.receipt.token}/contact`
    expect((await call(site, 'POST', url, { contact: 'reader@example.org' })).status).toBe(200)
    await sendNotices(site)
    expect(sink.recipients).toEqual([])
    site.ledger.pay(made.invoice.payment_request)
    site.clock.ms += 2_000
    await call(site, 'GET', `/api/payments/check-payment/${made.invoice.checking_id}`)
    await sendNotices(site)
    expect(sink.recipients).toEqual(['reader@example.org'])
  })

  it('an address that was stored before addresses were confirmed is asked once, when there is something to send', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    await paidFor(site, 'reader@example.org')
    await site.database.pool.query('delete from contact_confirmations')
    await sendNotices(site)
    expect(sink.recipients).toEqual([])
    await decide(site, 'rejected')
    // Written by the version of before, and not sent yet.
    await site.database.pool.query(
      `insert into notices (submission_id, event, next_try_at, created_at)
       select id, 'rejected', $1, $1 from submissions`,
      [new Date(site.clock.ms).toISOString()],
    )
    for (let i = 0; i < 3; i += 1) await sendNotices(site)
    site.clock.ms += 30 * DAY
    await sendNotices(site)
    expect((await sink.mails()).map((mail) => mail.subject)).toEqual([
      'Please confirm your address',
    ])
    expect((await press(site, await tokenIn(sink), 'confirm')).body).toMatchObject({
      error: expect.stringMatching(/^This link has expired/),
    })
  })

  it('an address of the oldest submission is asked first, and one that has been asked enough holds up no other', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const { pool } = site.database
    // More of one address than one round looks at, before one of another; ids run against the time.
    await pool.query(
      `insert into submissions (id, origin, status, asset, expert_name, prediction_type, price_prediction,
         target_time, contact_kind, contact_address, created_at)
       select ('00000000-0000-4000-8000-' || lpad((1000 - n)::text, 12, '0'))::uuid, 'admin', 'rejected', 'btc',
         'Jane Doe', 'target', '$150,000', '2027-12-31', 'email',
         case when n > 60 then 'other@example.org' else 'reader@example.org' end,
         '2026-01-01'::timestamptz + n * interval '1 hour'
       from generate_series(1, 61) n`,
    )
    const asked = async (): Promise<number[]> => {
      const { rows } = await pool.query<{ n: number }>(
        `select 1000 - right(submission_id::text, 12)::int as n from contact_confirmations order by 1`,
      )
      return rows.map((row) => row.n)
    }
    await sendNotices(site)
    expect(await asked()).toEqual([1, 2, 3])
    await sendNotices(site)
    expect(await asked()).toEqual([1, 2, 3, 61])
    site.clock.ms += DAY + 1_000
    await sendNotices(site)
    expect(await asked()).toEqual([1, 2, 3, 4, 5, 6, 61])
  })

  it('an address cannot be confirmed by a link that is old, made up, or of another address', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const { made } = await paidFor(site, 'reader@example.org')
    await sendNotices(site)
    const token = await tokenIn(sink)
    const { rows } = await site.database.pool.query('select * from contact_confirmations')
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${token}|reader`))
    expect((await press(site, 'a'.repeat(32), 'confirm')).status).toBe(404)
    const url = `/api/v1/receipts/${made.receipt.token}/contact`
    await call(site, 'POST', url, { contact: 'victim@example.org' })
    expect((await press(site, token, 'confirm')).status).toBe(404)
    await sendNotices(site)
    const next = await tokenIn(sink)
    expect(next).not.toBe(token)
    site.clock.ms += 8 * DAY
    expect((await press(site, next, 'confirm')).status).toBe(404)
    expect((await receipt(site, made)).contact).toMatchObject({ confirmed: false })
  })

  it('an address is asked three times a day at the most, whatever submission names it', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    for (let i = 0; i < 3; i += 1) {
      expect((await paidFor(site, 'Reader@example.org')).status).toBe(200)
    }
    expect((await paidFor(site, 'reader@example.org')).status).toBe(429)
    await sendNotices(site)
    expect(sink.recipients).toHaveLength(3)
    site.clock.ms += DAY + 1_000
    expect((await paidFor(site, 'reader@example.org')).status).toBe(200)
  })

  it('an address is asked three times a day at the most, also when five name it at once', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const made = []
    for (let i = 0; i < 5; i += 1) made.push(await order(site))
    const { pool } = site.database
    const other = await pool.connect()
    try {
      await other.query('begin')
      // What is there can be counted, and nothing can be added.
      await other.query('lock table contact_confirmations in share mode')
      const all = made.map(({ receipt: { token } }) =>
        call(site, 'POST', `/api/v1/receipts/${token}/contact`, { contact: 'reader@example.org' }),
      )
      await until(async () => (await waitingForLocks(other)) === made.length)
      await other.query('commit')
      const codes = (await Promise.all(all)).map(({ status }) => status)
      expect(codes.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429])
    } finally {
      other.release()
    }
    const { rows } = await pool.query('select contact_address from submissions')
    expect(rows.filter((row) => row.contact_address !== null)).toHaveLength(3)
  })

  it('an address is asked by one network ten times an hour at the most', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const made = await order(site)
    const ask = async (i: number, remoteAddress: string): Promise<number> => {
      const answer = await site.app.inject({
        method: 'POST',
        url: `/api/v1/receipts/${made.receipt.token}/contact`,
        payload: { contact: `reader${String(i)}@example.org` },
        remoteAddress,
      })
      return answer.statusCode
    }
    for (let i = 0; i < 10; i += 1) expect(await ask(i, '203.0.113.9')).toBe(200)
    expect(await ask(10, '203.0.113.9')).toBe(429)
    expect(await ask(11, '198.51.100.7')).toBe(200)
    site.clock.ms += 3_600_001
    expect(await ask(12, '203.0.113.9')).toBe(200)
  })

  it('an address whose reader says never is not written to any more', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const { made } = await paidFor(site, 'reader@example.org')
    await sendNotices(site)
    const [asked] = await sink.mails()
    const header = asked?.headers.find((one) => one.key === 'list-unsubscribe')?.value ?? ''
    const wayOut = new URL(header.slice(1, -1)).pathname
    expect((await call(site, 'POST', wayOut)).body).toEqual({ refused: true })
    expect((await receipt(site, made)).contact).toBeNull()
    const again = await paidFor(site, 'READER@example.org')
    expect([again.status, Failed.parse(again.body).fields?.['contact']]).toEqual([
      400,
      expect.stringMatching(/asked us not to write to it/),
    ])
    await decide(site, 'rejected')
    await sendNotices(site)
    expect(sink.recipients).toHaveLength(1)
  })

  it('an address whose reader says never stays refused when the secret of tokens is replaced', async () => {
    await using site = await world()
    const { db, pool } = site.database
    const fact = async (name: string): Promise<string> => (await readFact(db, name)) ?? ''
    expect(await fact('salt of addresses')).not.toBe(await fact('secret of tokens'))
    // As a version wrote it that had no salt for addresses yet.
    const keyed = createHmac('sha256', await fact('secret of tokens'))
    await pool.query(`delete from facts where name = 'salt of addresses'`)
    await pool.query('insert into refused_addresses values ($1, now())', [
      keyed.update('address reader@example.org').digest('hex'),
    ])
    const again = async () => (await openSite(site.kit, testPorts(site.kit))).payments
    const updated = await again()
    expect(await updated.addresses.isRefused('Reader@example.org')).toBe(true)
    await pool.query(`delete from facts where name = 'secret of tokens'`)
    const replaced = await again()
    expect(replaced.tokens.receipt('one')).not.toBe(updated.tokens.receipt('one'))
    expect(await replaced.addresses.isRefused('reader@example.org')).toBe(true)
    expect(await replaced.addresses.isRefused('other@example.org')).toBe(false)
  })

  it('an address whose reader says never is forgotten in every submission, confirmed and unpaid ones too', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const confirmed = await confirmedFor(site, sink, 'Reader@example.org')
    const unpaid = await order(site, { data: { notes: 'Another one.' } })
    const url = `/api/v1/receipts/${unpaid.receipt.token}/contact`
    await call(site, 'POST', url, { contact: 'reader@example.org' })
    await paidFor(site, 'reader@example.org', 'email', { notes: 'A third one.' })
    await sendNotices(site)
    const token = await tokenIn(sink)
    sink.clear()
    await press(site, token, 'refuse')
    expect((await receipt(site, confirmed.made)).contact).toBeNull()
    expect((await receipt(site, unpaid)).contact).toBeNull()
    site.ledger.pay(unpaid.invoice.payment_request)
    // Reading the receipt may have begun a look from before it was paid.
    await until(async () => {
      site.clock.ms += 2_000
      return (await check(site, unpaid)).paid
    })
    await decide(site, 'rejected')
    await sendNotices(site)
    expect(sink.recipients).toEqual([])
  })

  it('an address that is not to be written to gets nothing, even where a submission still holds it', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    await paidFor(site, 'reader@example.org')
    await sendNotices(site)
    await press(site, await tokenIn(sink), 'refuse')
    sink.clear()
    // As it was kept when only one submission forgot it.
    await site.database.pool.query(
      `update submissions set contact_kind = 'email', contact_address = 'reader@example.org', contact_confirmed_at = created_at`,
    )
    await decide(site, 'rejected')
    await sendNotices(site)
    await sendNotices(site)
    expect(sink.recipients).toEqual([])
    expect(await statuses(site)).toEqual(['confirm sent', 'rejected failed'])
  })

  it('an address cannot be confirmed for another one that is entered at the same moment', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const { made } = await paidFor(site, 'reader@example.org')
    await sendNotices(site)
    const token = await tokenIn(sink)
    const { pool } = site.database
    const other = await pool.connect()
    try {
      await other.query('begin')
      await other.query(`update submissions set contact_address = 'victim@example.org'`)
      // It still reads the old address, and then waits for the row.
      const pressed = press(site, token, 'confirm')
      await until(async () => (await waitingForLocks(pool)) > 0)
      await other.query('commit')
      expect((await pressed).status).toBe(404)
    } finally {
      other.release()
    }
    expect((await receipt(site, made)).contact).toMatchObject({ confirmed: false })
  })

  it('an address that has been confirmed stays so when it is entered once more', async () => {
    await using sink = await mailSink()
    await using site = await world({ ports: mailOn(sink) })
    const { made } = await confirmedFor(site, sink)
    const url = `/api/v1/receipts/${made.receipt.token}/contact`
    expect((await call(site, 'POST', url, { contact: 'reader@example.org' })).body).toMatchObject({
      contact: { confirmed: true },
    })
    await sendNotices(site)
    expect(sink.recipients).toEqual([])
  })
})

describe('over Lightning', () => {
  const OPEN: Reach = {
    lookup: (host, options, done) => lookup(host, options, done),
    isAllowed: () => true,
  }

  /** The invoices of a shop, whose contact is an https address; the stand-in listens without. */
  function invoicesOf(shop: WalletServer): NoteInvoices {
    const real = noteInvoices(OPEN)
    return {
      invoiceFor: (url, ask, signal) =>
        real.invoiceFor(shop.url.origin + new URL(url).pathname, ask, signal),
    }
  }

  /** A wallet that pays what it is asked to. */
  function payer(): { paid: string[]; pay: (bolt11: string) => Promise<void> } {
    const paid: string[] = []
    return { paid, pay: async (bolt11) => void paid.push(bolt11) }
  }

  it('a notice over Lightning pays one sat with a comment, once, within the budget', async () => {
    await using shop = await walletServer('lnurl')
    const { paid, pay } = payer()
    const settings = { payments: { noticeSatsADay: 10 } }
    await using site = await world({ settings, ports: { invoices: invoicesOf(shop) } }, { pay })
    const { status, body } = await paidFor(site, 'shop@example.org', 'lightning')
    expect([status, body]).toEqual([
      200,
      { contact: { kind: 'lightning', shown: 's…@example.org', confirmed: true } },
    ])
    await decide(site, 'rejected')
    await sendNotices(site)
    await sendNotices(site)
    const [made] = shop.ledger.entries.values()
    expect(paid).toEqual([made?.bolt11])
    expect(made).toMatchObject({ msat: 1_000, memo: expect.stringMatching(/^Proof of Price/) })
    // Six of ten sats are spoken for, with the fee; the next one waits for tomorrow.
    await site.database.pool.query(`update submissions set status = 'approved'`)
    await sendNotices(site)
    expect(await statuses(site)).toEqual(['rejected sent', 'approved waiting'])
    site.clock.ms += DAY + 3_600_000
    await sendNotices(site)
    expect(paid).toHaveLength(2)
  })

  it.each<[string, Lies]>([
    ['asks for more than one sat', { msat: 1_001 }],
    ['asks for a thousand times as much', { msat: 1_000_000 }],
    ['is on another network', { network: 'signet' }],
    ['is for something else than was offered', { descriptionHash: 'ab'.repeat(32) }],
  ])('an invoice of a notice that %s is not paid', async (_, lies) => {
    await using shop = await walletServer('lnurl')
    shop.ledger.lies = lies
    const { paid, pay } = payer()
    const settings = { payments: { noticeSatsADay: 100 } }
    await using site = await world({ settings, ports: { invoices: invoicesOf(shop) } }, { pay })
    await paidFor(site, 'shop@example.org', 'lightning')
    await decide(site, 'rejected')
    await sendNotices(site)
    expect(shop.ledger.entries.size).toBe(1)
    expect(paid).toEqual([])
    expect(await statuses(site)).not.toContain('rejected sent')
    const { rows } = await site.database.pool.query('select sats from notices')
    expect(rows).toEqual([{ sats: 0 }])
  })

  it('a notice that may have been paid is never paid again', async () => {
    let calls = 0
    const invoices: NoteInvoices = { invoiceFor: () => Promise.resolve('lnbc1') }
    const pay = (): Promise<void> => {
      calls += 1
      return Promise.reject(new SourceError('down', 'It did not answer in time.'))
    }
    await using site = await world(
      { settings: { payments: { noticeSatsADay: 100 } }, ports: { invoices } },
      { pay },
    )
    await paidFor(site, 'shop@example.org', 'lightning')
    await decide(site, 'rejected')
    await sendNotices(site)
    // Nothing waits to be tried again.
    expect(await statuses(site)).toEqual(['rejected unknown'])
    site.clock.ms += DAY
    await sendNotices(site)
    expect([calls, await statuses(site)]).toEqual([1, ['rejected unknown']])
  })

  it('a notice that was being paid when the server died is never paid again', async () => {
    let calls = 0
    const invoices: NoteInvoices = { invoiceFor: () => Promise.resolve('lnbc1') }
    // As long as the first process lives the wallet has not answered; another one would have its answer at once.
    const pay = (): Promise<void> => {
      calls += 1
      return calls === 1 ? new Promise(() => {}) : Promise.resolve()
    }
    await using site = await world(
      { settings: { payments: { noticeSatsADay: 100 } }, ports: { invoices } },
      { pay },
    )
    await paidFor(site, 'shop@example.org', 'lightning')
    await decide(site, 'rejected')
    await site.payments.notices.write()
    void site.payments.notices.sendOne()
    await until(() => Promise.resolve(calls === 1))
    // Another process finds it when its lease is over, and again later.
    for (const passed of [5 * 60_000, DAY]) {
      site.clock.ms += passed
      await sendNotices(site)
    }
    expect([calls, await statuses(site)]).toEqual([1, ['rejected unknown']])
  })
})

describe('addresses that strangers choose', () => {
  it.each([
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.31.255.1', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::1', false],
    ['::', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:7f00:1', false],
    ['64:ff9b::7f00:1', false],
    ['fe80::1', false],
    ['fd00::1', false],
    ['not an address', false],
  ])('an address that a stranger chooses counts as public as %s: %j', (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic)
  })

  it.each([
    'https://127.0.0.1/pay',
    'https://[::1]/pay',
    'https://[::ffff:7f00:1]/pay',
    'https://2130706433/pay',
    'https://0x7f.1/pay',
    'https://8.8.8.8/pay',
    'http://example.org/pay',
    'http://localhost/pay',
    'https://example.org:8443/pay',
    'https://user:secret@example.org/pay',
    'https://user@example.org/pay',
    'ftp://example.org/pay',
    'not an address',
  ])('an address that a stranger chooses, %s, is not asked', async (url) => {
    const ask = { sats: 1, message: '', network: 'mainnet' as const }
    const asked = noteInvoices().invoiceFor(url, ask, patiently())
    await expect(asked).rejects.toMatchObject({
      fault: 'refused',
      message: 'The Lightning address has an address that we may not call.',
    })
  })

  it('a name of this machine is looked up, and not asked', async () => {
    const ask = { sats: 1, message: '', network: 'mainnet' as const }
    const asked = noteInvoices().invoiceFor('https://localhost/pay', ask, patiently())
    await expect(asked).rejects.toThrow(/ENOTPUBLIC/)
  })

  it('a name of a private address is not asked, even if it has a public one too', async () => {
    const guarded = publicLookup(((
      _host: string,
      _options: object,
      done: (e: null, found: object[]) => void,
    ) => {
      done(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ])
    }) as typeof lookup)
    const error = await new Promise((done) =>
      guarded('both.example', { all: true }, (e) => done(e)),
    )
    expect(error).toMatchObject({ code: 'ENOTPUBLIC' })
  })

  it('a redirect is not followed', async () => {
    let reached = 0
    const server = createServer((request, response) => {
      if (request.url === '/inside') reached += 1
      response.writeHead(302, { location: '/inside' }).end('{"moved":true}')
    })
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    const open: Reach = {
      lookup: (host, options, done) => lookup(host, options, done),
      isAllowed: () => true,
    }
    const ask = { sats: 1, message: '', network: 'mainnet' as const }
    const url = `http://127.0.0.1:${String(port)}/`
    const asked = noteInvoices(open).invoiceFor(url, ask, patiently())
    await expect(asked).rejects.toThrow(/another shape/)
    expect(reached).toBe(0)
    server.close()
  })
})
