import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { standInLedger, type Entry, type Ledger } from './ledger.ts'
import { bodyOf, serving } from './serving.ts'

/*
 * Programs that answer as the wallets do, in the documented wire formats. Each returns a preimage before the payment, as the real ones do.
 */

type WalletRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}
type WalletAnswer = { readonly status: number; readonly body: unknown }
type Handler = (request: WalletRequest, ledger: Ledger, origin: string) => WalletAnswer

/** Wallets called over http with a key. */
export const KEYED = ['lnbits', 'lnd', 'cln', 'phoenixd', 'btcpay'] as const
export type Kind = (typeof KEYED)[number] | 'lnurl'

export const KEY = 'right-key'
export const STORE = 'store1'

export type WalletServer = Awaited<ReturnType<typeof walletServer>>

export async function walletServer(kind: Kind) {
  const ledger = standInLedger()
  const behaviour: {
    mode: 'fine' | 'slow' | 'error' | 'garbage' | 'endless' | 'mixed up'
    calls: number
  } = { mode: 'fine', calls: 0 }
  let origin = ''
  const streams = new Set<ServerResponse>()
  /** Answers about the second invoice when asked about the first. */
  function mixedUp(text: string): string {
    const [one, other] = behaviour.mode === 'mixed up' ? ledger.entries.keys() : []
    return one && other ? text.replaceAll(one, other) : text
  }
  const server = createServer((request, response) => {
    if (kind === 'lnd' && request.url === '/v1/invoices/subscribe') {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
      streams.add(response)
      response.once('close', () => streams.delete(response))
      return
    }
    void (async () => {
      behaviour.calls += 1
      const reply = await read(request, mixedUp)
      if (behaviour.mode === 'slow') await pause(3_000)
      if (behaviour.mode === 'endless') {
        for (let i = 0; i < 300 && !response.destroyed; i += 1) response.write('x'.repeat(10_000))
        response.end()
        return
      }
      const answer =
        behaviour.mode === 'error'
          ? { status: 500, body: { detail: 'Unexpected error!' } }
          : behaviour.mode === 'garbage'
            ? { status: 200, body: '<html>maintenance</html>' }
            : HANDLERS[kind](reply, ledger, origin)
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
    })().catch(() => response.destroy())
  })
  const sockets = new WebSocketServer({ server })
  /** Sends this to every client listening for payments. */
  const broadcast = (message: unknown): void => {
    for (const socket of sockets.clients) socket.send(JSON.stringify(message))
    for (const stream of streams) stream.write(`${JSON.stringify(message)}\n`)
  }
  ledger.settleListeners.add((entry) => {
    if (kind === 'lnbits') {
      broadcast({
        wallet_balance: 1,
        payment: { payment_hash: entry.paymentHash, amount: entry.msat },
      })
    }
    if (kind === 'lnd') {
      const r_hash = Buffer.from(entry.paymentHash, 'hex').toString('base64')
      broadcast({ result: { r_hash, state: 'SETTLED', settle_index: '1' } })
    }
    if (kind === 'phoenixd') broadcast({ type: 'payment_received', paymentHash: entry.paymentHash })
  })
  const open = await serving(server)
  origin = open.origin
  return {
    url: new URL(origin),
    ledger,
    behaviour,
    broadcast,
    listeners: () => sockets.clients.size + streams.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      await open[Symbol.asyncDispose]()
    },
  }
}

async function read(
  request: IncomingMessage,
  change: (text: string) => string,
): Promise<WalletRequest> {
  const text = change((await bodyOf(request)).toString('utf8'))
  const url = new URL(change(request.url ?? '/'), 'http://stand-in')
  const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
  const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || '{}')
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: z.record(z.string(), z.unknown()).parse(body),
  }
}

const HANDLERS: Readonly<Record<Kind, Handler>> = { lnbits, lnd, cln, phoenixd, btcpay, lnurl }

function lnbits({ method, path, headers, body }: WalletRequest, ledger: Ledger): WalletAnswer {
  const isOurs = headers['x-api-key'] === KEY
  if (path === '/api/v1/wallet') {
    return isOurs
      ? { status: 200, body: { name: 'shop', balance: 0 } }
      : { status: 404, body: { detail: 'Wallet not found.' } }
  }
  const paymentOf = (entry: Entry): object => ({
    checking_id: `internal_${entry.paymentHash}`,
    payment_hash: entry.paymentHash,
    amount: entry.msat,
    bolt11: entry.bolt11,
    payment_request: entry.bolt11,
    status: entry.settledMs === null ? 'pending' : 'success',
    memo: entry.memo,
    expiry: '2026-11-20T10:22:09',
    preimage: entry.preimage,
    updated_at: new Date().toISOString(),
  })
  if (method === 'POST' && path === '/api/v1/payments') {
    if (!isOurs || body['out'] !== false) {
      return { status: 403, body: { detail: 'Invoice (or Admin) key required.' } }
    }
    const made = ledger.make({
      msat: Number(body['amount']) * 1_000,
      expirySeconds: Number(body['expiry']),
      memo: String(body['memo']),
      ...(typeof body['unhashed_description'] === 'string'
        ? hashOf(Buffer.from(body['unhashed_description'], 'hex'))
        : {}),
    })
    return { status: 201, body: paymentOf(made) }
  }
  const entry = ledger.entries.get(path.split('/').at(-1) ?? '')
  if (!entry) return { status: 404, body: { detail: 'Payment does not exist.' } }
  const paid = entry.settledMs !== null
  const answer = { paid, preimage: entry.preimage, status: paid ? 'success' : 'pending' }
  return { status: 200, body: isOurs ? { ...answer, details: paymentOf(entry) } : answer }
}

function hashOf(text: string | Buffer): { descriptionHash: string } {
  return { descriptionHash: createHash('sha256').update(text).digest('hex') }
}

function lnd({ method, path, headers, body }: WalletRequest, ledger: Ledger): WalletAnswer {
  if (headers['grpc-metadata-macaroon'] !== KEY) {
    return { status: 401, body: { code: 16, message: 'verification failed', details: [] } }
  }
  if (path === '/v1/getinfo') {
    return { status: 200, body: { chains: [{ chain: 'bitcoin', network: 'mainnet' }] } }
  }
  const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')
  if (method === 'POST' && path === '/v1/invoices') {
    const made = ledger.make({
      msat: Number(body['value']) * 1_000,
      expirySeconds: Number(body['expiry']),
      memo: String(body['memo']),
      ...(typeof body['description_hash'] === 'string'
        ? { descriptionHash: Buffer.from(body['description_hash'], 'base64').toString('hex') }
        : {}),
    })
    return {
      status: 200,
      body: { r_hash: base64(made.paymentHash), payment_request: made.bolt11, add_index: '7' },
    }
  }
  const entry = ledger.entries.get(path.split('/').at(-1) ?? '')
  if (!entry) {
    return { status: 404, body: { code: 5, message: 'unable to locate invoice', details: [] } }
  }
  const isPaid = entry.settledMs !== null
  return {
    status: 200,
    body: {
      r_hash: base64(entry.paymentHash),
      r_preimage: base64(entry.preimage),
      state: isPaid ? 'SETTLED' : 'OPEN',
      amt_paid_msat: isPaid ? String(entry.msat) : '0',
      settle_date: isPaid ? String(Math.floor((entry.settledMs ?? 0) / 1_000)) : '0',
    },
  }
}

function cln({ method, path, headers, body }: WalletRequest, ledger: Ledger): WalletAnswer {
  if (headers['rune'] !== KEY) return { status: 403, body: { error: { code: 1501 } } }
  if (method !== 'POST') return { status: 405, body: {} }
  const all = [...ledger.entries.values()]
  switch (path) {
    case '/v1/getinfo':
      return { status: 201, body: { id: '02', network: 'bitcoin' } }
    case '/v1/invoice': {
      const label = String(body['label'])
      if (all.some((one) => one.label === label)) {
        return { status: 500, body: { code: 900, message: 'Duplicate label', data: {} } }
      }
      const made = ledger.make({
        msat: Number(body['amount_msat']),
        expirySeconds: Number(body['expiry']),
        memo: String(body['description']),
        ...(body['deschashonly'] === true ? hashOf(String(body['description'])) : {}),
        label,
      })
      return { status: 201, body: { bolt11: made.bolt11, payment_hash: made.paymentHash } }
    }
    case '/v1/listinvoices': {
      const found = all.filter(
        (one) => one.label === body['label'] || one.paymentHash === body['payment_hash'],
      )
      const invoices = found.map((entry) => ({
        label: entry.label,
        bolt11: entry.bolt11,
        payment_hash: entry.paymentHash,
        status: entry.settledMs === null ? 'unpaid' : 'paid',
        amount_msat: entry.msat,
        ...(entry.settledMs === null
          ? {}
          : {
              amount_received_msat: entry.msat,
              paid_at: Math.floor(entry.settledMs / 1_000),
              payment_preimage: entry.preimage,
            }),
      }))
      return { status: 201, body: { invoices } }
    }
    default:
      return { status: 404, body: {} }
  }
}

function phoenixd({ method, path, headers, body }: WalletRequest, ledger: Ledger): WalletAnswer {
  const key = Buffer.from(`:${KEY}`).toString('base64')
  if (headers.authorization !== `Basic ${key}`) return { status: 401, body: 'Invalid' }
  if (path === '/getinfo') return { status: 200, body: { nodeId: '02', chain: 'mainnet' } }
  if (method === 'POST' && path === '/createinvoice') {
    const { description, descriptionHash: hash } = body
    const memo = typeof description === 'string' ? description : ''
    if ((hash === undefined) === (description === undefined)) {
      return { status: 400, body: 'Request parameter description is invalid' }
    }
    if (memo.length > 128) return { status: 400, body: 'Request parameter description is invalid' }
    const made = ledger.make({
      msat: Number(body['amountSat']) * 1_000,
      expirySeconds: Number(body['expirySeconds']),
      memo,
      ...(typeof hash === 'string' ? { descriptionHash: hash } : {}),
    })
    const { paymentHash, bolt11: serialized } = made
    return { status: 200, body: { amountSat: made.msat / 1_000, paymentHash, serialized } }
  }
  const entry = ledger.entries.get(path.split('/').at(-1) ?? '')
  if (!entry) return { status: 404, body: 'Not found' }
  const isPaid = entry.settledMs !== null
  return {
    status: 200,
    body: {
      subType: 'lightning',
      paymentHash: entry.paymentHash,
      preimage: entry.preimage,
      isPaid,
      isExpired: false,
      requestedSat: entry.msat / 1_000,
      // Less the fee for liquidity.
      receivedSat: isPaid ? 0 : null,
      completedAt: entry.settledMs,
      createdAt: entry.createdMs,
    },
  }
}

function btcpay({ method, path, headers, body }: WalletRequest, ledger: Ledger): WalletAnswer {
  if (headers.authorization !== `token ${KEY}`) {
    return { status: 401, body: { code: 'unauthenticated', message: 'Authentication is required' } }
  }
  const base = `/api/v1/stores/${STORE}/lightning/BTC/invoices`
  if (!path.startsWith(base)) return { status: 404, body: { code: 'store-not-found' } }
  const wire = (entry: Entry): object => ({
    id: entry.paymentHash,
    status: entry.settledMs === null ? 'Unpaid' : 'Paid',
    BOLT11: entry.bolt11,
    paidAt: entry.settledMs === null ? null : Math.floor(entry.settledMs / 1_000),
    expiresAt: Math.floor(entry.createdMs / 1_000) + entry.expirySeconds,
    amount: String(entry.msat),
    amountReceived: entry.settledMs === null ? null : String(entry.msat),
    paymentHash: entry.paymentHash,
    preimage: entry.preimage,
  })
  if (path === base && method === 'GET') return { status: 200, body: [] }
  if (path === base) {
    const [msat, expirySeconds] = [Number(body['amount']), Number(body['expiry'])]
    const hash = body['descriptionHashOnly'] === true ? hashOf(String(body['description'])) : {}
    return { status: 200, body: wire(ledger.make({ msat, expirySeconds, ...hash })) }
  }
  const entry = ledger.entries.get(path.split('/').at(-1) ?? '')
  return entry
    ? { status: 200, body: wire(entry) }
    : { status: 404, body: { code: 'invoice-not-found' } }
}

/** A Lightning address with LUD-21; the callback has its own query, as with wallets that have accounts. */
function lnurl({ path, query }: WalletRequest, ledger: Ledger, origin: string): WalletAnswer {
  const metadata = '[["text/identifier","shop@example.org"],["text/plain","Shop"]]'
  if (path === '/.well-known/lnurlp/shop') {
    return {
      status: 200,
      body: {
        tag: 'payRequest',
        callback: `${origin}/callback?wallet=abc`,
        minSendable: 1_000,
        maxSendable: 100_000_000,
        metadata,
        commentAllowed: 50,
        allowsNostr: true,
      },
    }
  }
  if (path === '/callback') {
    if (query.get('wallet') !== 'abc') return { status: 200, body: { status: 'ERROR' } }
    const comment = query.get('comment') ?? ''
    if (comment.length > 50) return { status: 400, body: { status: 'ERROR', reason: 'too long' } }
    const made = ledger.make({
      msat: Number(query.get('amount')),
      expirySeconds: 600,
      memo: comment,
      descriptionHash: createHash('sha256').update(metadata).digest('hex'),
    })
    const verify = `${origin}/verify/${made.paymentHash}`
    return { status: 200, body: { pr: made.bolt11, routes: [], verify } }
  }
  const entry = ledger.entries.get(path.split('/').at(-1) ?? '')
  if (!entry) return { status: 200, body: { status: 'ERROR', reason: 'Not found' } }
  const settled = entry.settledMs !== null
  const preimage = settled ? entry.preimage : null
  return { status: 200, body: { status: 'OK', settled, preimage, pr: entry.bolt11 } }
}
