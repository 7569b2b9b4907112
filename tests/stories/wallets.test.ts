import { createHash, randomUUID } from 'node:crypto'
import { lookup } from 'node:dns'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkInvoice } from '#domain/money/invoice.ts'
import { SourceError } from '#server/kit/failure.ts'
import { type Reach } from '#server/kit/reach.ts'
import {
  type InvoiceRef,
  type InvoiceState,
  type Wallet,
  type WalletInvoice,
  provenPreimage,
} from '#server/payments/ports.ts'
import { btcpayWallet } from '#server/payments/wallets/btcpay.ts'
import { clnWallet } from '#server/payments/wallets/cln.ts'
import { demoWallet } from '#server/payments/wallets/demo.ts'
import { lnbitsWallet } from '#server/payments/wallets/lnbits.ts'
import { lndWallet } from '#server/payments/wallets/lnd.ts'
import { addressWallet } from '#server/payments/wallets/lnurl-pay.ts'
import { nwcWallet } from '#server/payments/wallets/nwc.ts'
import { phoenixdWallet } from '#server/payments/wallets/phoenixd.ts'
import { sharedByFile } from '#tests/support/once-for-file.ts'
import { standInLedger } from '#tests/support/stand-ins/ledger.ts'
import { nwcService } from '#tests/support/stand-ins/nwc-service.ts'
import { serving } from '#tests/support/stand-ins/serving.ts'
import {
  KEY,
  KEYED,
  STORE,
  walletServer,
  type Kind,
  type WalletServer,
} from '#tests/support/stand-ins/wallet-servers.ts'
import { patiently, until } from '#tests/support/waiting.ts'

type OpenWallet = AsyncDisposable & {
  readonly wallet: Wallet
  readonly pay: (bolt11: string) => Promise<void> | void
  readonly server: WalletServer | null
}

const MAKE: Readonly<Record<Kind, (server: WalletServer, key: string) => Wallet>> = {
  lnbits: ({ url }, key) => lnbitsWallet({ url, key, network: 'mainnet' }),
  lnd: ({ url }, key) => lndWallet({ url, key, network: 'mainnet' }),
  cln: ({ url }, key) => clnWallet({ url, key, network: 'mainnet' }),
  phoenixd: ({ url }, key) => phoenixdWallet({ url, key, network: 'mainnet' }),
  btcpay: ({ url }, key) => btcpayWallet({ url, key, store: STORE, network: 'mainnet' }),
  lnurl: (server) =>
    addressWallet({
      url: `${server.url.origin}/.well-known/lnurlp/shop`,
      network: 'mainnet',
      reach: OPEN,
    }),
}

/** Allows stand-ins on this machine, which the real guard refuses. */
const OPEN: Reach = {
  lookup: (host, options, done) => lookup(host, options, done),
  isAllowed: () => true,
}

async function openWallet(kind: Kind): Promise<OpenWallet> {
  const server = await walletServer(kind)
  return {
    wallet: MAKE[kind](server, KEY),
    server,
    pay: (bolt11) => server.ledger.pay(bolt11),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function nwcSetup(): Promise<OpenWallet> {
  const ledger = standInLedger()
  const service = await nwcService({
    make: (msat, memo, expirySeconds, descriptionHash) =>
      ledger.make({ msat, memo, expirySeconds, ...(descriptionHash ? { descriptionHash } : {}) }),
    find: (hash) => ledger.entries.get(hash) ?? null,
  })
  const wallet = nwcWallet(service.uri, 'mainnet', false)
  return {
    wallet,
    server: null,
    pay: (bolt11) => ledger.pay(bolt11),
    [Symbol.asyncDispose]: async () => {
      await wallet.close()
      await service[Symbol.asyncDispose]()
    },
  }
}

function demoSetup(): OpenWallet {
  const folder = mkdtempSync(join(tmpdir(), 'proof-of-price-demo-'))
  const wallet = demoWallet({ folder, clock: { now: Date.now } })
  return {
    wallet,
    server: null,
    pay: async (bolt11) => wallet.pay?.(bolt11, patiently()),
    [Symbol.asyncDispose]: async () => {
      await wallet.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function order(sats = 21) {
  const id = randomUUID()
  const memo = `Proof of Price: Expert A BTC $150,000 by 2027-12-31 · ${id.slice(0, 8)}`
  return { id, sats, memo, expirySeconds: 600, hintUrl: null }
}

function refOf(made: WalletInvoice, wallet: Wallet, sats = 21): InvoiceRef {
  const ask = { sats, network: wallet.network, expirySeconds: 600 }
  const read = checkInvoice(made.bolt11, made.paymentHash, ask, Date.now())
  if (typeof read === 'string') throw new Error(read)
  return { ref: made.ref, bolt11: made.bolt11, paymentHash: read.paymentHash, sats }
}

function settled(found: InvoiceState): Extract<InvoiceState, { state: 'settled' }> {
  if (found.state !== 'settled') throw new Error(`it is ${found.state}`)
  return found
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    return error instanceof SourceError ? error.fault : String(error)
  }
}

const WALLETS: readonly [string, () => Promise<OpenWallet> | OpenWallet][] = [
  ...KEYED.map((kind) => [kind, () => openWallet(kind)] as [string, () => Promise<OpenWallet>]),
  ['address', () => openWallet('lnurl')],
  ['nwc', nwcSetup],
  ['demonstration', demoSetup],
]

describe.each(WALLETS)('the wallet %s', (name, open) => {
  const on = sharedByFile(async () => open())

  it.skipIf(name === 'address')(
    'a wallet makes an invoice with the hash of a text, if one is given',
    async () => {
      const { wallet } = on
      expect(wallet.hashesTexts).toBe(true)
      const hashed = '[["text/plain","Zap ⚡ – ünïcode"]]'
      const made = await wallet.createInvoice({ ...order(), hashed }, patiently())
      const hash = createHash('sha256').update(hashed).digest('hex')
      const ask = { sats: 21, network: wallet.network, expirySeconds: 600, descriptionHash: hash }
      const check = (descriptionHash: string) =>
        checkInvoice(made.bolt11, made.paymentHash, { ...ask, descriptionHash }, Date.now())
      expect(check(hash)).toMatchObject({ descriptionHash: hash })
      expect(check('ab'.repeat(32))).toBe(
        'The wallet sent an invoice without the hash of what it is for.',
      )
    },
  )

  it('a wallet makes an invoice that passes every check, and reports when it is paid', async () => {
    const { wallet } = on
    expect(wallet).toMatchObject({ name, isLifeChosen: name !== 'address' })
    await wallet.check(patiently())
    for (const sats of [1, 21, 100_000]) {
      const invoice = refOf(await wallet.createInvoice(order(sats), patiently()), wallet, sats)
      expect(await wallet.lookUp(invoice, patiently())).toEqual({ state: 'open' })
      const paidMs = Date.now()
      await on.pay(invoice.bolt11)
      const found = await wallet.lookUp(invoice, patiently())
      const { receivedMsat, settledMs, preimage } = settled(found)
      expect(provenPreimage(preimage, invoice.paymentHash) !== null).toBe(name !== 'demonstration')
      expect(receivedMsat ?? sats * 1_000).toBe(sats * 1_000)
      // Some give whole seconds.
      expect(settledMs ?? paidMs).toBeGreaterThan(paidMs - 1_000)
      expect(settledMs ?? paidMs).toBeLessThanOrEqual(Date.now())
    }
  })

  it('a wallet reports an unknown invoice as unknown, and nothing else', async () => {
    const paymentHash = '00'.repeat(32)
    const ref = name === 'address' ? `${on.server?.url.origin ?? ''}/verify/none` : paymentHash
    const unknown = { ref, paymentHash, bolt11: 'lnbc1', sats: 1 }
    const found = await on.wallet.lookUp(unknown, patiently()).catch((error: unknown) => error)
    // LUD-21 can only express it as a refusal. The demonstration forgets expired invoices.
    const gone = { state: name === 'demonstration' ? 'ended' : 'gone' }
    expect(found).toMatchObject(name === 'address' ? { fault: 'refused' } : gone)
  })
})

it.each(KEYED)(
  'a wallet over http that refuses our key, fails or is away says so, and nothing counts as paid: %s',
  async (kind) => {
    await using on = await openWallet(kind)
    const { server, wallet } = on
    if (!server) throw new Error('it is over http')
    const stranger = MAKE[kind](server, 'wrong-key')
    expect(await faultOf(stranger.check(patiently()))).toBe('refused')
    expect(await faultOf(stranger.createInvoice(order(), patiently()))).toBe('refused')
    const invoice = refOf(await wallet.createInvoice(order(), patiently()), wallet)
    expect(await faultOf(stranger.lookUp(invoice, patiently()))).toBe('refused')
    // Another payment, which has been paid.
    const other = await wallet.createInvoice(order(), patiently())
    server.ledger.pay(other.bolt11)
    server.behaviour.mode = 'mixed up'
    expect(await faultOf(wallet.lookUp(invoice, patiently()))).toBe('nonsense')
    for (const [mode, fault] of [
      ['error', 'down'],
      ['garbage', 'nonsense'],
      ['endless', 'nonsense'],
      ['slow', 'down'],
    ] as const) {
      server.behaviour.mode = mode
      const give = () => (mode === 'slow' ? AbortSignal.timeout(100) : patiently())
      expect([mode, await faultOf(wallet.lookUp(invoice, give()))]).toEqual([mode, fault])
      expect([mode, await faultOf(wallet.createInvoice(order(), give()))]).toEqual([mode, fault])
    }
    await on[Symbol.asyncDispose]()
    expect(await faultOf(wallet.check(patiently()))).toBe('down')
  },
)

describe('notices of the wallets', () => {
  it.each(['lnbits', 'lnd', 'phoenixd'] as const)(
    'a message from %s only triggers a look-up, never a payment by itself',
    async (kind) => {
      await using on = await openWallet(kind)
      const hints: (string | null)[] = []
      const handle = on.wallet.listen?.((hash) => hints.push(hash))
      const invoice = refOf(await on.wallet.createInvoice(order(), patiently()), on.wallet)
      await until(() => on.server?.listeners() === 1)
      on.server?.broadcast({ pending: false, status: 'success' })
      on.server?.broadcast(
        kind === 'lnbits' ? { payment: { payment_hash: 'x' } } : { type: 'other' },
      )
      await on.pay(invoice.bolt11)
      // Earlier notices have been received by then, too.
      await until(() => hints.length > 0)
      handle?.close()
      expect(hints).toEqual([invoice.paymentHash])
    },
  )

  it('notices of an existing label return the invoice made before', async () => {
    await using on = await openWallet('cln')
    const same = order()
    const first = await on.wallet.createInvoice(same, patiently())
    expect(await on.wallet.createInvoice(same, patiently())).toEqual(first)
  })

  it('notices by an NWC wallet that is away are not awaited', async () => {
    await using service = await nwcService({ make: () => new Promise(() => {}), find: () => null })
    const wallet = nwcWallet(service.uri, 'mainnet', false)
    expect(await faultOf(wallet.createInvoice(order(), AbortSignal.timeout(500)))).toBe('down')
    await wallet.close()
  })
})

describe('a Lightning address', () => {
  /** The service behind the address, with answers chosen by the test. */
  async function service(): Promise<
    AsyncDisposable & { url: string; answer: object; requests: number }
  > {
    const stand = { url: '', answer: {}, requests: 0 }
    const open = await serving((_, response) => {
      stand.requests += 1
      response.end(JSON.stringify(stand.answer))
    })
    stand.url = `${open.origin}/verify`
    return Object.assign(stand, { [Symbol.asyncDispose]: open[Symbol.asyncDispose] })
  }

  const preimage = '5a'.repeat(32)
  const paymentHash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')

  it.each([
    ['no proof', { settled: true }],
    ['an empty proof', { settled: true, preimage: '' }],
    ['a proof that is null', { settled: true, preimage: null }],
    ['another proof', { settled: true, preimage: '5b'.repeat(32) }],
    ['the hash itself', { settled: true, preimage: paymentHash }],
    ['a proof cut short', { settled: true, preimage: preimage.slice(2) }],
    ['a proof of another invoice', { settled: true, preimage, pr: 'lnbc1other' }],
  ])('that reports a payment with %s is not believed', async (_, answer) => {
    await using lying = await service()
    const wallet = addressWallet({ url: lying.url, network: 'mainnet', reach: OPEN })
    const invoice = { ref: lying.url, paymentHash, bolt11: 'lnbc1this', sats: 21 }
    lying.answer = answer
    expect(await faultOf(wallet.lookUp(invoice, patiently()))).toBe('nonsense')
    lying.answer = { settled: false, preimage }
    expect(await wallet.lookUp(invoice, patiently())).toEqual({ state: 'open' })
    lying.answer = { settled: true, preimage, pr: 'LNBC1THIS' }
    expect(await wallet.lookUp(invoice, patiently())).toMatchObject({ state: 'settled' })
  })

  it('is called over https by name only: for its offer, invoice and proof', async () => {
    await using near = await service()
    const wallet = addressWallet({ url: near.url, network: 'mainnet' })
    const invoice = { ref: near.url, paymentHash, bolt11: 'lnbc1this', sats: 21 }
    for (const work of [
      wallet.check(patiently()),
      wallet.createInvoice(order(), patiently()),
      wallet.lookUp(invoice, patiently()),
    ]) {
      await expect(work).rejects.toMatchObject({
        fault: 'refused',
        message: expect.stringContaining('has an address that we may not call'),
      })
    }
    expect(near.requests).toBe(0)
  })

  it('is not followed to a forbidden callback', async () => {
    await using near = await service()
    near.answer = {
      tag: 'payRequest',
      callback: near.url.replace('/verify', '/callback'),
      minSendable: 1,
      maxSendable: 100_000_000,
      metadata: '[]',
    }
    const reach = { ...OPEN, isAllowed: (url: URL) => url.pathname === '/verify' }
    const wallet = addressWallet({ url: near.url, network: 'mainnet', reach })
    expect(await faultOf(wallet.createInvoice(order(), patiently()))).toBe('refused')
    expect(near.requests).toBe(1)
  })

  it('a shortened comment keeps the id of the payment', async () => {
    await using on = await openWallet('lnurl')
    const request = order()
    await on.wallet.createInvoice(request, patiently())
    const [entry] = on.server?.ledger.entries.values() ?? []
    expect(entry?.memo).toMatch(new RegExp(`^Proof of Price: .*… · ${request.id.slice(0, 8)}$`))
    expect(entry?.memo.length).toBeLessThanOrEqual(50)
  })
})
