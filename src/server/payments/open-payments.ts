import { type Warning } from '#contracts/operations.ts'
import { hintPayment } from '#contracts/payments.ts'
import { payAddressOf } from '#domain/money/contact.ts'
import { showCount } from '#domain/price-text.ts'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { addressWallet } from './wallets/lightning-address.ts'
import { btcpayWallet } from './wallets/btcpay.ts'
import { clnWallet } from './wallets/cln.ts'
import { demoWallet } from './wallets/demo.ts'
import { lnbitsWallet } from './wallets/lnbits.ts'
import { lndWallet } from './wallets/lnd.ts'
import { nwcWallet } from './wallets/nwc.ts'
import { phoenixdWallet } from './wallets/phoenixd.ts'
import { noteInvoices } from './wallets/lnurl-pay.ts'
import { smtpMailer } from '#server/submissions/mail-smtp.ts'
import { ConfigError } from '#server/kit/settings/config.ts'
import { startNotices } from '#server/submissions/notices.jobs.ts'
import { startUnpaidRemoval } from './unpaid-removal.jobs.ts'
import { startPaymentWatch, type PaymentWatch } from './payments.jobs.ts'
import {
  PAYMENT_HELP,
  sendsKeyOpenly,
  type PaymentSettings,
} from '#server/kit/settings/payments.ts'
import { type Clock, type Log } from '#server/kit/ports.ts'
import { type Mailer, type NoteInvoices } from '#server/submissions/ports.ts'
import { type Wallet } from './ports.ts'
import { type PaymentParts } from './payments.routes.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { mailAddressService } from '#server/submissions/mail-addresses.service.ts'
import { noticeService, type Notices } from '#server/submissions/notices.service.ts'
import { paymentLooks } from './settle-payment.service.ts'
import { paymentsAdminService, type PaymentsAdmin } from './payments-admin.service.ts'
import { PAYMENT_LIMITS, paymentService, type PaymentLimits } from './payments.service.ts'
import { type Signals } from '#server/kit/signals.ts'
import { receiptService, type NoticeWays } from './receipts.service.ts'
import { addressHash, tokenMaker, walletPrint } from '#server/kit/tokens.ts'
import { walletDesk } from './wallet-account.service.ts'
import { type Db } from '#server/kit/db.ts'
import { readFact, settleFact } from '#server/kit/facts.ts'
import { strandedPayments } from './payments.store.ts'

const NO_WALLET =
  'Submitting is closed: this site has no wallet to receive payments yet. See LIGHTNING_WALLET in .env.example.'
const SECRET_FACT = 'secret of tokens'
/** Apart from the secret of tokens, which may be replaced: wallets stay the same ones. */
const SALT_FACT = 'salt of wallets'
/** Not that secret either: an address that refused mail stays refused when the secret is replaced. */
const ADDRESS_SALT_FACT = 'salt of addresses'

export type PaymentDesk = PaymentParts & {
  /** Checks the wallet and begins to look after invoices; it waits for neither. */
  readonly notices: Notices
  readonly admin: PaymentsAdmin
  /** What an administrator should know about the wallet. */
  readonly warnings: () => Promise<Warning[]>
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/**
 * The wallet that the settings choose; null where there is none.
 *
 * @throws ConfigError when its certificate cannot be read
 */
export function walletOf(
  { wallet, noticeSatsADay }: Pick<PaymentSettings, 'wallet' | 'noticeSatsADay'>,
  { dataDir, clock }: { dataDir: string; clock: Clock },
): Wallet | null {
  switch (wallet.kind) {
    case 'off':
      return null
    case 'demo':
      return demoWallet({ folder: dataDir, clock })
    case 'lnbits':
      return lnbitsWallet({ ...wallet, certificate: certificateOf(wallet) })
    case 'lnd':
      return lndWallet({ ...wallet, certificate: certificateOf(wallet) })
    case 'cln':
      return clnWallet({ ...wallet, certificate: certificateOf(wallet) })
    case 'phoenixd':
      return phoenixdWallet({ ...wallet, certificate: certificateOf(wallet) })
    case 'nwc':
      return nwcWallet({ ...wallet, mayPay: noticeSatsADay > 0 })
    case 'address':
      return addressWallet({
        url: payAddressOf({ kind: 'lightning-address', address: wallet.address }),
        network: wallet.network,
      })
    case 'btcpay':
      return btcpayWallet({ ...wallet, certificate: certificateOf(wallet) })
  }
}

/** What names a wallet and opens it, for telling it from others; a secret. Null where there is none. */
export function walletIdentity({ wallet }: Pick<PaymentSettings, 'wallet'>): string | null {
  switch (wallet.kind) {
    case 'off':
      return null
    case 'demo':
      return wallet.kind
    case 'nwc':
      return JSON.stringify([wallet.kind, wallet.uri])
    case 'address':
      return JSON.stringify([wallet.kind, wallet.address])
    case 'btcpay':
      return JSON.stringify([wallet.kind, wallet.url.href, wallet.key, wallet.store])
    case 'lnbits':
    case 'lnd':
    case 'cln':
    case 'phoenixd':
      return JSON.stringify([wallet.kind, wallet.url.href, wallet.key])
  }
}

/** What an administrator should know about the settings of the wallet. */
export function settingWarnings(settings: Pick<PaymentSettings, 'wallet'>): Warning[] {
  if (!sendsKeyOpenly(settings)) return []
  const text =
    'The key of the wallet goes unencrypted over the internet, as LIGHTNING_URL begins with http: anybody on the way can read it. Use an https address, or a line of your own.'
  return [{ name: 'open-key', text }]
}

/** How mail is sent; null where no mail server is set up. */
export function mailerOf({ mail }: Pick<PaymentSettings, 'mail'>): Mailer | null {
  return mail && smtpMailer(mail)
}

function certificateOf({ certificateFile }: { certificateFile: string | null }): string | null {
  if (certificateFile === null) return null
  try {
    return readFileSync(certificateFile, 'utf8')
  } catch {
    throw new ConfigError(`LIGHTNING_CERTIFICATE ${PAYMENT_HELP['LIGHTNING_CERTIFICATE'] ?? ''}.`)
  }
}

/** Puts together all that has to do with paid submissions. Nothing runs before `start`. */
export async function openPayments({
  wallet,
  identity = wallet?.name ?? null,
  settings = [],
  mailer = null,
  invoices = noteInvoices(),
  noticeSatsADay = 0,
  origin,
  isPublic,
  limits: given = {},
  db,
  clock,
  log,
  catalog,
  signals,
}: {
  wallet: Wallet | null
  /** See `walletIdentity`. */
  identity?: string | null
  /** See `settingWarnings`. */
  settings?: readonly Warning[]
  mailer?: Mailer | null
  invoices?: NoteInvoices
  noticeSatsADay?: number
  origin: string
  isPublic: boolean
  limits?: Partial<PaymentLimits>
  db: Db
  clock: Clock
  log: Log
  catalog: Pick<Catalog, 'snapshot' | 'onRefresh'>
  signals: Pick<Signals, 'listen'>
}): Promise<PaymentDesk> {
  const limits = { ...PAYMENT_LIMITS, ...given }
  const ways: NoticeWays = {
    email: mailer !== null,
    lightning: noticeSatsADay > 0 && !!wallet?.pay && !wallet.isDemonstration,
  }
  const random = (): string => randomBytes(32).toString('base64url')
  const secretBefore = await readFact(db, SECRET_FACT)
  const tokens = tokenMaker(await settleFact(db, SECRET_FACT, random()))
  const { minSats } = limits
  const salt = await settleFact(db, SALT_FACT, random())
  // Before it had a salt of its own, addresses were hashed with the secret of tokens: those hashes go on to count.
  const addressSalt = await settleFact(db, ADDRESS_SALT_FACT, secretBefore ?? random())
  const print = identity === null ? null : walletPrint(salt, identity)
  const closedBecause = wallet ? null : NO_WALLET
  const desk = walletDesk({ wallet, print, minSats, closedBecause, clock, log })
  const looks = paymentLooks({ db, clock, log, desk })
  let watch: PaymentWatch | null = null
  let telling: ReturnType<typeof startNotices> | null = null
  let removal: ReturnType<typeof startUnpaidRemoval> | null = null
  const payments = paymentService({
    db,
    clock,
    log,
    desk,
    looks,
    tokens,
    limits,
    // A wallet elsewhere can reach us only where the site is on the internet.
    hintUrl: (checkingId) =>
      isPublic ? `${origin}${hintPayment.path.replace(':checkingId', checkingId)}` : null,
  })
  const addresses = mailAddressService({
    db,
    clock,
    tokens,
    hashOf: (address) => addressHash(addressSalt, address),
  })
  const receipts = receiptService({ db, clock, catalog, signals, tokens, ways, addresses })
  const notices = noticeService({
    db,
    clock,
    log,
    origin,
    tokens,
    ways,
    addresses,
    mailer,
    desk,
    invoices,
    satsADay: noticeSatsADay,
  })
  const warnings = async (): Promise<Warning[]> => [
    ...settings,
    ...strandedWarning(await strandedPayments(db, { name: wallet?.name ?? null, print })),
  ]

  return {
    payments,
    receipts,
    warnings,
    notices,
    admin: paymentsAdminService({ db, clock, looks }),
    desk,
    limits,
    ways,
    tokens,
    addresses,
    start: () => {
      watch ??= startPaymentWatch({ db, clock, log, desk, looks })
      telling ??= startNotices({ log, notices })
      removal ??= startUnpaidRemoval({ db, clock, log })
      void desk.start()
      warnings().then(
        (all) => all.forEach(({ text }) => log.warn({}, text)),
        (error: unknown) => log.warn({ err: error }, 'Open invoices could not be counted.'),
      )
    },
    stop: async () => {
      await Promise.all([watch?.stop(), telling?.stop(), removal?.stop()])
      await desk.stop()
    },
  }
}

function strandedWarning({ count, sats }: { count: number; sats: number }): Warning[] {
  if (count === 0) return []
  const invoices = count === 1 ? '1 open invoice' : `${showCount(count)} open invoices`
  const text = `${invoices} over ${showCount(sats)} sats in all came from another wallet than the one in the settings. Unless that one knows them, too, what is paid to them is noticed only with the former LIGHTNING settings; look into the former wallet.`
  return [{ name: 'other-wallet', text }]
}
