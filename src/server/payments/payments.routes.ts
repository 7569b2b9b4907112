import { boostPrediction, getSupportReceipt } from '#contracts/boost.ts'
import {
  cancelPayment,
  checkPayment,
  createInvoice,
  hintPayment,
  paymentOptions,
  payWithDemonstration,
} from '#contracts/payments.ts'
import {
  getReceipt,
  payReceipt,
  RECEIPT_EVENTS_PATH,
  ReceiptParams,
  setReceiptContact,
  unsubscribe,
} from '#contracts/receipt.ts'
import { confirmMail, refuseMail } from '#contracts/mail.ts'
import { listExperts, previewSubmission } from '#contracts/submissions.ts'
import { swallowBodies } from '#server/http/bodies.ts'
import { receiptEvents } from './receipt-events.routes.ts'
import { serve, serveShared } from '#server/http/serve.ts'
import { type MailAddresses } from '#server/submissions/mail-addresses.service.ts'
import { callerOf } from './caller-of.ts'
import { orderBoost } from './order-boost.service.ts'
import { supportReceipt } from './support-receipt.service.ts'
import { optionsOf } from './payment-options.ts'
import { orderForReceipt, orderInvoice } from './order-invoice.service.ts'
import { type PaymentsKit } from './payments-kit.ts'
import { cancel, checkedState, checkReceipt, hint, payDemonstration } from './payments.service.ts'
import { type NoticeWays, type Receipts } from './receipts.service.ts'
import { type Records } from '#server/predictions/predictions.service.ts'
import { type Submissions } from '#server/submissions/submissions.service.ts'
import { type FastifyInstance } from 'fastify'

export type PaymentParts = {
  readonly payments: PaymentsKit
  readonly receipts: Receipts
  readonly ways: NoticeWays
  readonly addresses: MailAddresses
}

/** Handing in predictions, paying for their review, and following what becomes of them. */
export async function paymentRoutes(
  app: FastifyInstance,
  {
    payments,
    receipts,
    submissions,
    records,
    canStore,
    reportDepositSats,
    addresses,
    ways,
  }: PaymentParts & {
    submissions: Submissions
    records: Records
    canStore: () => boolean
    reportDepositSats: number
  },
): Promise<void> {
  await app.register(async (scope) => {
    serve(scope, paymentOptions, async () =>
      optionsOf(payments, ways, {
        btcUsd: (await records.lastPrice('btc')).price,
        canStore: canStore(),
        reportDepositSats,
      }),
    )
    serve(scope, createInvoice, ({ body, request }) =>
      orderInvoice(payments, body, callerOf(request)),
    )
    serve(scope, payReceipt, ({ params, body, request }) =>
      orderForReceipt(payments, params.token, body.amount, callerOf(request)),
    )
    serve(scope, boostPrediction, ({ params, body, request }) =>
      orderBoost(payments, params.id, body.amount, callerOf(request)),
    )
    serve(scope, getSupportReceipt, ({ params }) => supportReceipt(payments, params.checkingId))
    serve(scope, checkPayment, ({ params }) => checkedState(payments, params.checkingId))
    serve(scope, cancelPayment, ({ params }) => cancel(payments, params.checkingId))
    serve(scope, payWithDemonstration, ({ params }) =>
      payDemonstration(payments, params.checkingId),
    )
    serve(scope, getReceipt, ({ params }) => {
      void checkReceipt(payments, params.token)
      return receipts.receipt(params.token)
    })
    serve(
      scope,
      setReceiptContact,
      async ({ params, body, request }) => ({
        contact: await receipts.setContact(
          params.token,
          body.contact,
          body.kind ?? null,
          request.ip,
        ),
      }),
      30,
    )
    serve(scope, previewSubmission, ({ body }) =>
      submissions.preview(body.submissionData, body.receipts ?? []),
    )
    serveShared(scope, listExperts, () => submissions.experts())
    await scope.register(async (bodiless) => {
      swallowBodies(bodiless)
      serve(bodiless, hintPayment, ({ params }) => hint(payments, params.checkingId))
      serve(bodiless, confirmMail, ({ params }) => addresses.confirm(params.token), 30)
      serve(bodiless, refuseMail, ({ params }) => addresses.refuse(params.token), 30)
      serve(bodiless, unsubscribe, ({ params }) => receipts.unsubscribe(params.token))
    })

    const follow = receiptEvents(scope, receipts)
    scope.get(
      RECEIPT_EVENTS_PATH,
      {
        exposeHeadRoute: false,
        schema: {
          summary: 'Events `receipt`: the receipt, whenever it changes.',
          params: ReceiptParams,
        },
        config: { rateLimit: { max: 60, timeWindow: '1 minute' } },
      },
      (request, reply) => follow(request, reply, ReceiptParams.parse(request.params).token),
    )
  })
}
