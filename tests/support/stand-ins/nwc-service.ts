import { createECDH, randomBytes } from 'node:crypto'
import {
  NWCWalletService,
  NWCWalletServiceKeyPair,
  type Nip47SingleMethod,
  type Nip47Transaction,
} from '@getalby/sdk/nwc'
import { realRelay } from '#tests/support/nostr-relay.ts'

export type NwcBooks = {
  readonly make: (
    msat: number,
    memo: string,
    expirySeconds: number,
    descriptionHash?: string,
  ) => Promise<NwcEntry> | NwcEntry
  readonly find: (paymentHash: string) => NwcEntry | null
}
export type NwcEntry = {
  readonly bolt11: string
  readonly paymentHash: string
  readonly msat: number
  readonly preimage?: string
  readonly settledMs: number | null
}

/** A real relay and a real wallet service of Nostr Wallet Connect, on given books. */
export async function nwcService(
  books: NwcBooks,
  methods: Nip47SingleMethod[] = ['get_info', 'make_invoice', 'lookup_invoice'],
) {
  const relay = await realRelay()
  const [walletSecret, clientSecret] = [keyPair(), keyPair()]
  const keys = new NWCWalletServiceKeyPair(walletSecret.secret, clientSecret.publicKey)
  const quiet = { debug() {}, info() {}, log() {}, warn() {}, error() {} }
  const service = new NWCWalletService({ relayUrls: [relay.url], logger: quiet })
  const calls: string[] = []
  const publishInfo = () =>
    service.publishWalletServiceInfoEvent(walletSecret.secret, methods, ['payment_received'])
  await publishInfo()
  const wire = (entry: NwcEntry): Nip47Transaction => ({
    type: 'incoming',
    state: entry.settledMs === null ? 'pending' : 'settled',
    invoice: entry.bolt11,
    description: '',
    description_hash: '',
    preimage: entry.settledMs === null ? '' : (entry.preimage ?? ''),
    payment_hash: entry.paymentHash,
    amount: entry.msat,
    fees_paid: 0,
    settled_at: entry.settledMs === null ? 0 : Math.floor(entry.settledMs / 1_000),
    created_at: 0,
    expires_at: 0,
  })
  const stop = await service.subscribe(keys, {
    async makeInvoice({ amount, description, description_hash: hash, expiry }) {
      calls.push('make_invoice')
      const made = await books.make(amount, description ?? '', expiry ?? 3_600, hash)
      return { result: wire(made), error: undefined }
    },
    lookupInvoice({ payment_hash: hash }) {
      calls.push('lookup_invoice')
      const found = books.find(hash ?? '')
      return Promise.resolve(
        found
          ? { result: wire(found), error: undefined }
          : { result: undefined, error: { code: 'NOT_FOUND', message: 'not found' } },
      )
    },
  })
  return {
    uri: `nostr+walletconnect://${keys.walletPubkey}?relay=${encodeURIComponent(relay.url)}&secret=${clientSecret.secret}`,
    relay,
    calls,
    [Symbol.asyncDispose]: async () => {
      stop()
      // Its replies are confirmed before this one; closed earlier, it would reject without a catch.
      await publishInfo().catch(() => undefined)
      service.close()
      await relay.close()
    },
  }
}

function keyPair(): { secret: string; publicKey: string } {
  const ecdh = createECDH('secp256k1')
  ecdh.setPrivateKey(randomBytes(32))
  return {
    secret: ecdh.getPrivateKey('hex').padStart(64, '0'),
    publicKey: ecdh.getPublicKey('hex', 'compressed').slice(2),
  }
}
