import { randomBytes } from 'node:crypto'
import { type Warning } from '#contracts/operations.ts'
import { hintPayment } from '#contracts/payments.ts'
import { showCount } from '#domain/price-text.ts'
import { readFact, setFactOnce } from '#server/kit/facts.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { SECRET_FACT, addressHash, tokenMaker, walletPrint } from '#server/kit/tokens.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { mailAddressService } from '#server/submissions/mail-addresses.service.ts'
import { type Mailer } from '#server/submissions/mail.ts'
import { noticeService } from '#server/submissions/notices.service.ts'
import { invoiceChecks } from './check-invoice.service.ts'
import { settingWarnings } from './configured-wallet.ts'
import * as orders from './order-payment.service.ts'
import { paymentsAdminService } from './payments-admin.service.ts'
import { defineUnpaidRemoval, watchInvoices } from './payments.jobs.ts'
import { strandedPayments } from './payments.store.ts'
import { type NoteInvoices, type Wallet } from './ports.ts'
import { receiptService, type NoticeWays } from './receipts.service.ts'
import { openWalletHealth, type WalletPauses } from './wallet-health.service.ts'

/** Separate from the token secret, which may be replaced: wallets stay the same. */
const SALT_FACT = 'salt of wallets'
/** Separate from the token secret: addresses stay blocked when that is replaced. */
const ADDRESS_SALT_FACT = 'salt of addresses'

export type PaymentPorts = {
  readonly wallet: Wallet | null
  readonly walletIdentity: string | null
  readonly mailer: Mailer | null
  readonly invoices: NoteInvoices
}

export type PaymentPace = Partial<orders.PaymentLimits> & { readonly walletPauses?: WalletPauses }

export type OpenPayments = Awaited<ReturnType<typeof openPayments>>

/** `start` watches invoices; `follow` only checks the wallet, for a process that creates invoices. */
export async function openPayments(
  kit: SiteKit,
  { wallet, walletIdentity: identity, mailer, invoices }: PaymentPorts,
  { record }: { record: Pick<PublicRecord, 'find'> },
  { walletPauses: pauses, ...rest }: PaymentPace = {},
) {
  const { db, clock, log } = kit
  const { origin, isPublic, payments: settings } = kit.config
  const { minSats, noticeSatsADay } = settings
  const limits = { ...orders.PAYMENT_LIMITS, minSats, ...rest }
  const ways: NoticeWays = {
    email: mailer !== null,
    lightning: noticeSatsADay > 0 && !!wallet?.pay && !wallet.isDemonstration,
  }
  const random = (): string => randomBytes(32).toString('base64url')
  const secretBefore = await readFact(db, SECRET_FACT)
  const tokens = tokenMaker(await setFactOnce(db, SECRET_FACT, random()))
  const salt = await setFactOnce(db, SALT_FACT, random())
  // Before this salt existed, addresses were hashed with the token secret; those hashes remain valid.
  const addressSalt = await setFactOnce(db, ADDRESS_SALT_FACT, secretBefore ?? random())
  const print = identity === null ? null : walletPrint(salt, identity)
  const hashOf = (address: string): string => addressHash(addressSalt, address)
  const walletHealth = openWalletHealth({ ...kit, wallet, print, minSats: limits.minSats, pauses })
  const checks = invoiceChecks({ ...kit, walletHealth })
  const watch = watchInvoices(checks, kit.jobs)
  const payments: orders.PaymentsKit = {
    db,
    clock,
    log,
    walletHealth,
    checks,
    announce: watch.announce,
    limiter: orders.paymentLimiter(kit, limits),
    minSats: limits.minSats,
    tokens,
    // An external wallet can reach us only if the site is public.
    hintUrl: (checkingId) =>
      isPublic ? `${origin}${hintPayment.path.replace(':checkingId', checkingId)}` : null,
  }
  const addresses = mailAddressService({ ...kit, tokens, hashOf })
  const receipts = receiptService({ ...kit, record, tokens, ways, addresses })
  const notices = noticeService({
    ...kit,
    origin,
    tokens,
    ways,
    addresses,
    mailer,
    wallet,
    invoices,
    satsADay: noticeSatsADay,
  })
  const warnings = async (): Promise<Warning[]> => [
    ...settingWarnings(settings),
    ...strandedWarning(await strandedPayments(db, { name: wallet?.name ?? null, print })),
  ]
  defineUnpaidRemoval(kit)
  let ends: (() => void)[] = []
  const follow = (): void => void walletHealth.start()

  return {
    payments,
    receipts,
    warnings,
    notices,
    admin: paymentsAdminService(checks),
    walletHealth,
    ways,
    tokens,
    addresses,
    follow,
    start: () => {
      ends = [notices.follow(), watch.start()]
      follow()
      warnings().then(
        (all) => all.forEach(({ text }) => log.warn({}, text)),
        (error: unknown) => log.warn({ err: error }, 'open invoices could not be counted'),
      )
    },
    stop: async () => {
      for (const end of ends) end()
      await walletHealth.stop()
    },
  }
}

function strandedWarning({ count, sats }: { count: number; sats: number }): Warning[] {
  if (count === 0) return []
  const invoices = count === 1 ? '1 open invoice' : `${showCount(count)} open invoices`
  const text = `${invoices} over ${showCount(sats)} sats in all came from another wallet than the one in the settings. Unless that one knows them, too, what is paid to them is noticed only with the former LIGHTNING settings; look into the former wallet.`
  return [{ name: 'other-wallet', text }]
}
