import { randomBytes } from 'node:crypto'
import { demoWallet } from './adapters/lightning-demo.ts'
import { startPaymentWatch, type PaymentWatch } from './jobs/payment-watch.ts'
import { type PaymentSettings } from './payment-settings.ts'
import { type Clock, type Log, type Wallet } from './ports.ts'
import { type PaymentParts } from './routes/payments.ts'
import { type Catalog } from './services/catalog.ts'
import { paymentLooks } from './services/payment-looks.ts'
import { PAYMENT_LIMITS, paymentService, type PaymentLimits } from './services/payments.ts'
import { receiptBoard } from './services/receipt-board.ts'
import { receiptService, type NoticeWays } from './services/receipts.ts'
import { tokenMaker } from './services/tokens.ts'
import { walletDesk } from './services/wallet-desk.ts'
import { type Db } from './store/database.ts'
import { settleFact } from './store/facts.ts'

const NO_WALLET =
  'Submitting is closed: this site has no wallet to receive payments yet. See LIGHTNING_WALLET in .env.example.'
const SECRET_FACT = 'secret of tokens'

export type PaymentDesk = PaymentParts & {
  /** Checks the wallet and begins to look after invoices; it waits for neither. */
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** The wallet that the settings choose; null where there is none. */
export function walletOf(
  { wallet }: PaymentSettings,
  { dataDir, clock }: { dataDir: string; clock: Clock },
): Wallet | null {
  switch (wallet.kind) {
    case 'off':
      return null
    case 'demo':
      return demoWallet({ folder: dataDir, clock })
    case 'lnbits':
    case 'lnd':
    case 'cln':
    case 'phoenixd':
    case 'nwc':
    case 'address':
    case 'btcpay':
      throw new Error(`LIGHTNING_WALLET ${wallet.kind} is not built yet`)
  }
}

/** Puts together all that has to do with paid submissions. Nothing runs before `start`. */
export async function openPayments({
  wallet,
  limits: given = {},
  db,
  clock,
  log,
  catalog,
}: {
  wallet: Wallet | null
  limits?: Partial<PaymentLimits>
  db: Db
  clock: Clock
  log: Log
  catalog: Pick<Catalog, 'snapshot'>
}): Promise<PaymentDesk> {
  const limits = { ...PAYMENT_LIMITS, ...given }
  const ways: NoticeWays = { email: false, lightning: false }
  const tokens = tokenMaker(
    await settleFact(db, SECRET_FACT, randomBytes(32).toString('base64url')),
  )
  const desk = walletDesk({ wallet, closedBecause: wallet ? null : NO_WALLET, log })
  const board = receiptBoard({ db, log })
  const looks = paymentLooks({ db, clock, log, desk, onChange: board.tell })
  let watch: PaymentWatch | null = null
  const payments = paymentService({
    db,
    clock,
    log,
    desk,
    looks,
    tokens,
    limits,
    onInvoice: (invoice) => watch?.add(invoice),
    onChange: board.tell,
  })
  const receipts = receiptService({ db, clock, catalog, board, tokens, ways })
  return {
    payments,
    receipts,
    desk,
    limits,
    ways,
    start: () => {
      watch ??= startPaymentWatch({ db, clock, log, desk, looks })
      void desk.start()
    },
    stop: async () => {
      await watch?.stop()
      await desk.stop()
    },
  }
}
