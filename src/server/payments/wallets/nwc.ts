// Not `{ type … }`, which would leave an import behind: the library is loaded on demand.
import type { NWCClient } from '@getalby/sdk/nwc'
import { z } from 'zod'
import { type Network } from '#domain/money/bolt11.ts'
import { SourceError } from '#server/kit/failure.ts'
import { retries } from '#server/kit/reconnecting.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { type InvoiceState, type Wallet, provenPreimage } from '#server/payments/ports.ts'
import { USUAL } from './wallet-server.ts'

const TITLE = 'The Nostr Wallet Connect wallet'
const NEEDED = ['make_invoice', 'lookup_invoice'] as const
const LISTEN_AGAIN = { firstMs: 1_000, longestMs: 60_000 }

const Hash = z.string().regex(/^[0-9a-fA-F]{64}$/)
const Made = z.object({ invoice: z.string().min(1), payment_hash: Hash.optional() })
const Looked = z.object({
  payment_hash: Hash.optional(),
  state: z.string().nullish(),
  amount: z.number().nullish(),
  settled_at: z.number().nullish(),
  preimage: z.string().nullish(),
})
const Pushed = z.object({ notification: z.object({ payment_hash: Hash }) })
const Coded = z.object({ code: z.string() })

/** Permanent error codes; wallets invent others, so everything else counts as transient. */
const REFUSALS = ['UNAUTHORIZED', 'RESTRICTED', 'NOT_IMPLEMENTED', 'UNAUTHORIZED_CLIENT']

/** Nostr Wallet Connect (NIP-47). @param uri a secret @see https://github.com/nostr-protocol/nips/blob/master/47.md */
export function nwcWallet(uri: string, network: Network, mayPay: boolean): Wallet {
  let opened: Promise<NWCClient> | null = null

  function client(): Promise<NWCClient> {
    opened ??= import('@getalby/sdk/nwc').then(
      ({ NWCClient: Client }) => new Client({ nostrWalletConnectUrl: uri, logger: SILENT }),
    )
    return opened
  }

  async function ask<T>(
    question: (from: NWCClient) => Promise<unknown>,
    schema: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const answer = await within(client().then(question), signal).catch((error: unknown) => {
      throw faultOf(error, signal)
    })
    const parsed = schema.safeParse(answer)
    if (parsed.success) return parsed.data
    throw new SourceError('nonsense', `${TITLE} sent an answer in an unexpected form.`)
  }

  return {
    ...USUAL,
    name: 'nwc',
    title: TITLE,
    network,

    async check(signal) {
      const info = await ask(
        (from) => from.getWalletServiceInfo(),
        z.object({ capabilities: z.array(z.string()) }),
        signal,
      )
      const missing = NEEDED.filter((name) => !info.capabilities.includes(name))
      if (missing.length > 0) {
        throw new SourceError('refused', `${TITLE} does not offer ${missing.join(' and ')}.`)
      }
    },

    async createInvoice({ sats, memo, hashed = null, expirySeconds }, signal) {
      const description =
        hashed === null ? { description: memo } : { description_hash: sha256(hashed) }
      const order = { amount: sats * 1_000, ...description, expiry: expirySeconds }
      const made = await ask((from) => from.makeInvoice(order), Made, signal)
      return {
        bolt11: made.invoice,
        paymentHash: made.payment_hash ?? null,
        ref: made.payment_hash ?? made.invoice,
      }
    },

    async lookUp({ paymentHash }, signal): Promise<InvoiceState> {
      try {
        const found = await ask(
          (from) => from.lookupInvoice({ payment_hash: paymentHash }),
          Looked,
          signal,
        )
        if (found.payment_hash && found.payment_hash.toLowerCase() !== paymentHash) {
          throw new SourceError('nonsense', `${TITLE} answered about a different payment.`)
        }
        if (!isSettled(found, paymentHash)) {
          return { state: found.state === 'expired' ? 'ended' : 'open' }
        }
        const { preimage } = found
        const settledMs = found.settled_at ? found.settled_at * 1_000 : null
        return { state: 'settled', receivedMsat: found.amount ?? null, settledMs, preimage }
      } catch (error) {
        if (error instanceof NotFound) return { state: 'gone' }
        throw error
      }
    },

    listen: (onHint) => {
      let closed = false
      let end: (() => void) | null = null
      const retry = retries(() => void listen(), LISTEN_AGAIN)
      async function listen(): Promise<void> {
        try {
          const stop = await (
            await client()
          ).subscribeNotifications(
            (pushed) => {
              const hash = Pushed.safeParse(pushed).data?.notification.payment_hash
              onHint(hash?.toLowerCase() ?? null)
            },
            ['payment_received'],
          )
          if (closed) stop()
          else end = stop
        } catch {
          retry.again()
        }
      }
      void listen()
      return {
        close: () => {
          closed = true
          retry.stop()
          end?.()
        },
      }
    },

    pay: mayPay
      ? async (bolt11, signal) => {
          await ask((from) => from.payInvoice({ invoice: bolt11 }), z.unknown(), signal)
        }
      : null,

    async close() {
      if (opened) (await opened).close()
      opened = null
    },
  }
}

class NotFound extends SourceError {}

/** Old wallets send no state: the time of payment or the preimage then decides. */
function isSettled(found: z.infer<typeof Looked>, paymentHash: string): boolean {
  if (found.state) return found.state === 'settled'
  if (found.settled_at) return true
  return provenPreimage(found.preimage, paymentHash) !== null
}

function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new Promise<never>((_, fail) => {
    const stop = (): void => fail(new SourceError('down', `${TITLE} did not answer in time.`))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([work, over])
}

function faultOf(error: unknown, signal: AbortSignal): SourceError {
  if (error instanceof SourceError) return error
  const code = Coded.safeParse(error).data?.code ?? null
  if (code === 'NOT_FOUND') return new NotFound('refused', `${TITLE} does not know it.`)
  if (code === 'RATE_LIMITED') return new SourceError('busy', `${TITLE} asks us to wait.`)
  if (code !== null && REFUSALS.includes(code)) {
    return new SourceError('refused', `${TITLE} refuses (${code}).`)
  }
  return new SourceError(
    'down',
    `${TITLE} ${signal.aborted ? 'did not answer in time' : 'cannot be reached'}.`,
  )
}

/** The library logs failures to the console; ours are logged as sentences. */
const SILENT = { debug: () => {}, info: () => {}, log: () => {}, warn: () => {}, error: () => {} }
