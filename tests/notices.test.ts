import { noteInvoices, type LnurlGuard } from '#server/adapters/lnurl-pay.ts'
import { smtpMailer } from '#server/adapters/mail-smtp.ts'
import { isPublicAddress, publicLookup } from '#server/adapters/public-address.ts'
import { SourceError, type NoteInvoices } from '#server/ports.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { call, Failed, order, receipt, world } from '#tests/support/payment-world.ts'
import { mailSink, type MailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { walletServer } from '#tests/support/stand-ins/wallet-servers.ts'
import { lookup } from 'node:dns'
import { createServer } from 'node:http'
import { patiently, until } from '#tests/support/waiting.ts'
import { describe, expect, it } from 'vitest'

const DAY = 86_400_000

function mailOn(sink: MailSink) {
  return { mailer: smtpMailer({ url: sink.url, from: 'Proof of Price <notices@site.org>' }) }
}

type World = Awaited<ReturnType<typeof world>>

/** A paid submission whose submitter wants to be told at `contact`. */
async function paidFor(site: World, contact: string, kind: 'email' | 'lightning' = 'email') {
  const made = await order(site)
  site.ledger.pay(made.invoice.payment_request)
  site.clock.ms += 2_000
  await call(site, 'GET', `/api/payments/check-payment/${made.invoice.checking_id}`)
  const url = `/api/v1/receipts/${made.receipt.token}/contact`
  const { status, body } = await call(site, 'POST', url, { contact, kind })
  return { made, status, body }
}

async function decide(site: World, status: string, predictionId: string | null = null) {
  await site.database.pool.query(
    'update submissions set status = $1, admin_comment = $2, prediction_id = $3',
    [status, 'No such <words> in the source.', predictionId],
  )
}

async function tell(site: World): Promise<void> {
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
  it('a submitter is told once of each: approval and verdict', async () => {
    await using sink = await mailSink()
    await using site = await world({ notices: mailOn(sink) })
    const { made, status } = await paidFor(site, 'reader@example.org')
    expect(status).toBe(200)
    await tell(site)
    expect(await sink.mails()).toEqual([])
    await site.imports.predictions(JSON.stringify([entry('jane-1')]))
    await decide(site, 'approved', 'jane-1')
    await tell(site)
    await site.imports.prices('btc', closesFile('2024-01-01', [100, 160]), 'test')
    await tell(site)
    await tell(site)
    expect(sink.recipients).toEqual(['reader@example.org', 'reader@example.org'])
    const mails = await sink.mails()
    expect(mails.map((mail) => mail.subject)).toEqual([
      'Prediction approved: Jane Doe: BTC $150,000 by 31/12/2027',
      'SUCCESS: Jane Doe: BTC $150,000 by 31/12/2027',
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

  it('a rejection names its reason, as text', async () => {
    await using sink = await mailSink()
    await using site = await world({ notices: mailOn(sink) })
    await paidFor(site, 'reader@example.org')
    await decide(site, 'rejected')
    await tell(site)
    const [mail] = await sink.mails()
    expect(mail?.text).toContain('Reason: No such <words> in the source.')
    expect(mail?.html).toContain('No such &lt;words&gt;')
  })

  it('what the mail server puts off is tried again; what it refuses is given up', async () => {
    await using sink = await mailSink()
    await using site = await world({ notices: mailOn(sink) })
    await paidFor(site, 'reader@example.org')
    await decide(site, 'rejected')
    sink.mood.refuseWith = 451
    await tell(site)
    expect(await statuses(site)).toEqual(['rejected waiting'])
    site.clock.ms += 60_000
    sink.mood.refuseWith = 550
    await tell(site)
    expect(await statuses(site)).toEqual(['rejected failed'])
  })

  it('two processes send each notice once', async () => {
    await using sink = await mailSink()
    await using site = await world({ notices: mailOn(sink) })
    await paidFor(site, 'reader@example.org')
    await decide(site, 'rejected')
    await Promise.all(Array.from({ length: 5 }, () => tell(site)))
    expect(await sink.mails()).toHaveLength(1)
  })

  it('who has unsubscribed is not told', async () => {
    await using sink = await mailSink()
    await using site = await world({ notices: mailOn(sink) })
    const { made } = await paidFor(site, 'reader@example.org')
    await decide(site, 'rejected')
    await site.payments.notices.write()
    await call(site, 'POST', `/api/v1/receipts/${made.receipt.token}/unsubscribe`)
    await tell(site)
    expect(await sink.mails()).toEqual([])
  })

  it.each([
    ['a@b.org, c@d.org', /valid email/],
    ['evil@x.org\r\nBcc: y@z.org', /valid email/],
    ['nobody', /email address, a Lightning address or an LNURL/],
    ['lightning:me@wallet.org', /cannot send notices over Lightning/],
  ])('the contact %j is refused with a sentence', async (contact, message) => {
    await using sink = await mailSink()
    await using site = await world({ notices: mailOn(sink) })
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

describe('over Lightning', () => {
  const OPEN: LnurlGuard = {
    lookup: (host, options, done) => lookup(host, options, done),
    isAllowed: () => true,
  }

  it('one sat with a comment is paid, once, within the budget', async () => {
    await using shop = await walletServer('lnurl')
    const paid: string[] = []
    const real = noteInvoices(OPEN)
    const invoices: NoteInvoices = {
      // The contact is an https address; the stand-in listens without.
      invoiceFor: (url, ask, signal) =>
        real.invoiceFor(shop.url.origin + new URL(url).pathname, ask, signal),
    }
    const pay = (bolt11: string): Promise<void> => {
      paid.push(bolt11)
      return Promise.resolve()
    }
    await using site = await world({ notices: { invoices, noticeSatsADay: 10 } }, { pay })
    const { status, body } = await paidFor(site, 'shop@example.org', 'lightning')
    expect([status, body]).toEqual([
      200,
      { contact: { kind: 'lightning', shown: 's…@example.org' } },
    ])
    await decide(site, 'rejected')
    await tell(site)
    await tell(site)
    const [made] = shop.ledger.entries.values()
    expect(paid).toEqual([made?.bolt11])
    expect(made).toMatchObject({ msat: 1_000, memo: expect.stringMatching(/^Proof of Price/) })
    // Six of ten sats are spoken for, with the fee; the next one waits for tomorrow.
    await site.database.pool.query(`update submissions set status = 'approved'`)
    await tell(site)
    expect(await statuses(site)).toEqual(['rejected sent', 'approved waiting'])
    site.clock.ms += DAY + 3_600_000
    await tell(site)
    expect(paid).toHaveLength(2)
  })

  it('what may have been paid is never paid again', async () => {
    let calls = 0
    const invoices: NoteInvoices = { invoiceFor: () => Promise.resolve('lnbc1') }
    const pay = (): Promise<void> => {
      calls += 1
      return Promise.reject(new SourceError('down', 'It did not answer in time.'))
    }
    await using site = await world({ notices: { invoices, noticeSatsADay: 100 } }, { pay })
    await paidFor(site, 'shop@example.org', 'lightning')
    await decide(site, 'rejected')
    await tell(site)
    site.clock.ms += DAY
    await tell(site)
    expect([calls, await statuses(site)]).toEqual([1, ['rejected unknown']])
  })

  it('what was being paid when the server died is never paid again', async () => {
    let calls = 0
    const invoices: NoteInvoices = { invoiceFor: () => Promise.resolve('lnbc1') }
    // As long as the process lives the wallet has not answered.
    const pay = (): Promise<void> => {
      calls += 1
      return new Promise(() => {})
    }
    await using site = await world({ notices: { invoices, noticeSatsADay: 100 } }, { pay })
    await paidFor(site, 'shop@example.org', 'lightning')
    await decide(site, 'rejected')
    await site.payments.notices.write()
    void site.payments.notices.sendOne()
    await until(() => Promise.resolve(calls === 1))
    // Another process finds it when its lease is over, and again later.
    for (const passed of [5 * 60_000, DAY]) {
      site.clock.ms += passed
      await tell(site)
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
  ])('%s is public: %j', (address, isPublic) => {
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
  ])('%s is not asked', async (url) => {
    const ask = { sats: 1, message: '', network: 'mainnet' as const }
    const asked = noteInvoices().invoiceFor(url, ask, patiently())
    await expect(asked).rejects.toMatchObject({
      fault: 'refused',
      message: 'The Lightning address stands at an address that is not asked.',
    })
  })

  it('a name of this machine is looked up, and not asked', async () => {
    const ask = { sats: 1, message: '', network: 'mainnet' as const }
    const asked = noteInvoices().invoiceFor('https://localhost/pay', ask, patiently())
    await expect(asked).rejects.toThrow(/ENOTPUBLIC/)
  })

  it('a name that stands for a private address is not asked, even if it stands for a public one too', async () => {
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
    const open: LnurlGuard = {
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
