import { Failure } from '#contracts/errors.ts'
import { lnurlInvoice, lnurlOffer, lnurlVerify, nostrNames } from '#contracts/lightning-address.ts'
import { serve, serveShared } from '#server/http/serve.ts'
import { jsonOrNull } from '#server/kit/json-or-null.ts'
import { type FastifyInstance } from 'fastify'
import { type LightningAddress } from './lightning-address.service.ts'

/** An invoice of a wallet costs it work, and a signature is checked for each zap. */
const INVOICES_A_MINUTE = 60

/** For wallets that pay the site's Lightning address, and for programs that look for its names on Nostr. */
export async function lightningAddressRoutes(
  app: FastifyInstance,
  {
    lightning,
    names,
  }: {
    readonly lightning: LightningAddress
    /** The site's key by each of its names on Nostr, and where it writes. */
    readonly names: {
      readonly pubkey: string | null
      readonly names: readonly string[]
      readonly relays: readonly string[]
    }
  },
): Promise<void> {
  await app.register((scope, _, done) => {
    scope.addHook('onSend', async (_request, reply, payload) => {
      // Wallets read failures by LUD-06.
      const failed = reply.statusCode >= 400 && typeof payload === 'string'
      const read = failed ? Failure.safeParse(jsonOrNull(payload)).data : undefined
      return read ? JSON.stringify({ status: 'ERROR', reason: read.error }) : payload
    })
    serve(scope, lnurlOffer, ({ params }) => lightning.offer(params.name))
    serve(
      scope,
      lnurlInvoice,
      ({ params, query, request }) => lightning.invoice(params.name, query, request.ip),
      INVOICES_A_MINUTE,
    )
    serve(scope, lnurlVerify, ({ params }) => lightning.verify(params.name, params.checkingId))
    done()
  })
  serveShared(app, nostrNames, ({ query }) => {
    const { pubkey, relays } = names
    const asked = query.name?.toLowerCase()
    const known = names.names.filter((one) => asked === undefined || one === asked)
    if (pubkey === null || known.length === 0) return { names: {}, relays: {} }
    return {
      names: Object.fromEntries(known.map((one) => [one, pubkey])),
      relays: { [pubkey]: [...relays] },
    }
  })
}
