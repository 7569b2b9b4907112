import { type FastifyInstance } from 'fastify'
import { Failure } from '#contracts/fields.ts'
import { confirmMail, refuseMail } from '#contracts/following.ts'
import { lnurlInvoice, lnurlOffer, lnurlVerify, nostrNames } from '#contracts/lightning-address.ts'
import * as calls from '#contracts/payments.ts'
import { listExperts, previewSubmission } from '#contracts/submissions.ts'
import { swallowBodies } from '#server/http/bodies.ts'
import { eventStreams, STREAM, streamEvent } from '#server/http/event-streams.ts'
import { connectionLimit } from '#server/http/limits.ts'
import { serve, serveShared } from '#server/http/serve.ts'
import { jsonOrNull } from '#server/kit/text.ts'
import { lastPrice, type PublicSite } from '#server/predictions/predictions.service.ts'
import { type Submissions } from '#server/submissions/submissions.service.ts'
import { type LightningAddress } from './lightning-address.service.ts'
import { type OpenPayments } from './open-payments.ts'
import { callerOf } from './order-payment.service.ts'
import * as service from './payments.service.ts'

/** Open streams of receipts; refused pages poll instead. */
const MOST_STREAMS = 2_000
const MOST_AN_ADDRESS = 20

export async function paymentRoutes(
  app: FastifyInstance,
  { payments, receipts, ways, addresses }: OpenPayments,
  site: Pick<PublicSite, 'record' | 'live'>,
  submissions: Submissions,
  canStore: () => boolean,
): Promise<void> {
  await app.register(async (scope) => {
    serve(scope, calls.paymentOptions, async () =>
      service.optionsOf(payments, ways, {
        btcUsd: (await lastPrice(site, 'btc')).price,
        canStore: canStore(),
      }),
    )
    serve(scope, calls.createInvoice, ({ body, request }) =>
      service.orderSubmission(payments, body, callerOf(request)),
    )
    serve(scope, calls.payReceipt, ({ params, body: { amount }, request }) => {
      const order = { amount, receipt: params.token }
      return service.orderSubmission(payments, order, callerOf(request))
    })
    serve(scope, calls.boostPrediction, ({ params, body, request }) =>
      service.orderBoost(payments, params.id, body.amount, callerOf(request)),
    )
    serve(scope, calls.getSupportReceipt, ({ params }) =>
      service.supportReceipt(payments, params.checkingId),
    )
    serve(scope, calls.checkPayment, ({ params }) =>
      service.checkedState(payments, params.checkingId),
    )
    serve(scope, calls.cancelPayment, ({ params }) => service.cancel(payments, params.checkingId))
    serve(scope, calls.payWithDemonstration, ({ params }) =>
      service.payDemonstration(payments, params.checkingId),
    )
    serve(scope, calls.getReceipt, ({ params }) => {
      void service.checkReceipt(payments, params.token)
      return receipts.receipt(params.token)
    })
    serve(scope, calls.setReceiptContact, async ({ params, body, request }) => ({
      contact: await receipts.setContact(params.token, body.contact, body.kind ?? null, request.ip),
    }))
    serve(scope, previewSubmission, ({ body }) =>
      submissions.preview(body.submissionData, body.receipts ?? []),
    )
    serveShared(scope, listExperts, () => submissions.experts())
    await scope.register(async (bodiless) => {
      swallowBodies(bodiless)
      serve(bodiless, calls.hintPayment, ({ params }) => service.hint(payments, params.checkingId))
      serve(bodiless, confirmMail, ({ params }) => addresses.confirm(params.token))
      serve(bodiless, refuseMail, ({ params }) => addresses.refuse(params.token))
      serve(bodiless, calls.unsubscribe, ({ params }) => receipts.unsubscribe(params.token))
    })

    const stream = eventStreams(scope, connectionLimit(MOST_STREAMS, MOST_AN_ADDRESS))
    scope.get(
      calls.RECEIPT_EVENTS_PATH,
      {
        exposeHeadRoute: false,
        sse: STREAM,
        schema: {
          summary: 'Events `receipt`: the receipt, whenever it changes.',
          params: calls.ReceiptParams,
        },
        config: { rateLimit: { max: 60, timeWindow: '1 minute' } },
      },
      (request, reply) =>
        stream(request, reply, (on) =>
          receipts.follow(
            calls.ReceiptParams.parse(request.params).token,
            (receipt) => on.send(streamEvent('receipt', receipt)),
            (error) => {
              request.log.warn({ err: error }, 'receipt could not be sent; the page will retry')
              on.end()
            },
          ),
        ),
    )
  })
}

export async function lightningAddressRoutes(
  app: FastifyInstance,
  lightning: LightningAddress,
  nostr: { pubkey: string | null; names: readonly string[]; relays: readonly string[] },
): Promise<void> {
  await app.register((scope, _, done) => {
    scope.addHook('onSend', async (_request, reply, payload) => {
      // Wallets expect failures by LUD-06.
      const failed = reply.statusCode >= 400 && typeof payload === 'string'
      const read = failed ? Failure.safeParse(jsonOrNull(payload)).data : undefined
      return read ? JSON.stringify({ status: 'ERROR', reason: read.error }) : payload
    })
    serve(scope, lnurlOffer, ({ params }) => lightning.offer(params.name))
    serve(scope, lnurlInvoice, ({ params, query, request }) =>
      lightning.invoice(params.name, query, request.ip),
    )
    serve(scope, lnurlVerify, ({ params }) => lightning.verify(params.name, params.checkingId))
    done()
  })
  serveShared(app, nostrNames, ({ query }) => {
    const { pubkey, names, relays } = nostr
    const name = query.name?.toLowerCase()
    const known = names.filter((one) => name === undefined || one === name)
    if (pubkey === null || known.length === 0) return { names: {}, relays: {} }
    return {
      names: Object.fromEntries(known.map((one) => [one, pubkey])),
      relays: { [pubkey]: [...relays] },
    }
  })
}
