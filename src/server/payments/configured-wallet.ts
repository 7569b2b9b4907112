import { readFileSync } from 'node:fs'
import { payAddressOf } from '#domain/money/contact.ts'
import { ConfigError } from '#server/kit/settings/config.ts'
import {
  PAYMENT_HELP,
  sendsKeyOpenly,
  takesAddress,
  type KeyedWallet,
  type PaymentSettings,
} from '#server/kit/settings/payments.ts'
import { type Clock } from '#server/kit/time.ts'
import { type Wallet } from './ports.ts'
import { btcpayWallet } from './wallets/btcpay.ts'
import { clnWallet } from './wallets/cln.ts'
import { demoWallet } from './wallets/demo.ts'
import { lnbitsWallet } from './wallets/lnbits.ts'
import { lndWallet } from './wallets/lnd.ts'
import { addressWallet } from './wallets/lnurl-pay.ts'
import { nwcWallet } from './wallets/nwc.ts'
import { phoenixdWallet } from './wallets/phoenixd.ts'
import { type WalletAccess } from './wallets/wallet-server.ts'

const BY_KEY: Readonly<Record<KeyedWallet, (access: WalletAccess) => Wallet>> = {
  lnbits: lnbitsWallet,
  lnd: lndWallet,
  cln: clnWallet,
  phoenixd: phoenixdWallet,
}

/** @throws ConfigError if the certificate cannot be read */
export function walletOf(
  { wallet, noticeSatsADay }: Pick<PaymentSettings, 'wallet' | 'noticeSatsADay'>,
  { dataDir, clock }: { dataDir: string; clock: Clock },
): Wallet | null {
  if ('url' in wallet) {
    const access = { ...wallet, certificate: certificateOf(wallet) }
    return 'store' in access ? btcpayWallet(access) : BY_KEY[access.kind](access)
  }
  switch (wallet.kind) {
    case 'off':
      return null
    case 'demo':
      return demoWallet({ folder: dataDir, clock })
    case 'nwc':
      return nwcWallet(wallet.uri, wallet.network, noticeSatsADay > 0)
    case 'address':
      return addressWallet({
        url: payAddressOf({ kind: 'lightning-address', address: wallet.address }),
        network: wallet.network,
      })
  }
}

export function walletIdentity({ wallet }: Pick<PaymentSettings, 'wallet'>): string | null {
  if ('url' in wallet) {
    const store = 'store' in wallet ? [wallet.store] : []
    return JSON.stringify([wallet.kind, wallet.url.href, wallet.key, ...store])
  }
  if (wallet.kind === 'off') return null
  if (wallet.kind === 'demo') return wallet.kind
  return JSON.stringify([wallet.kind, wallet.kind === 'nwc' ? wallet.uri : wallet.address])
}

export function settingWarnings(settings: Pick<PaymentSettings, 'wallet' | 'lightningName'>) {
  const warnings = []
  if (sendsKeyOpenly(settings)) {
    const text =
      'The key of the wallet goes unencrypted over the internet, as LIGHTNING_URL begins with http: anyone on the network path can read it. Use an https address, or a private connection.'
    warnings.push({ name: 'open-key', text })
  }
  if (settings.lightningName !== null && !takesAddress(settings)) {
    const text =
      'LIGHTNING_NAME is set, but the wallet in use cannot make the invoices that a Lightning address needs, so there is none, and no zaps. Use a node or an LNbits wallet, or remove the setting.'
    warnings.push({ name: 'no-lightning-address', text })
  }
  return warnings
}

function certificateOf({ certificateFile }: { certificateFile: string | null }): string | null {
  if (certificateFile === null) return null
  try {
    return readFileSync(certificateFile, 'utf8')
  } catch {
    throw new ConfigError(`LIGHTNING_CERTIFICATE ${PAYMENT_HELP['LIGHTNING_CERTIFICATE'] ?? ''}.`)
  }
}
