import { describe, expect, it } from 'vitest'
import { walletPrint } from '#server/kit/tokens.ts'
import { settingWarnings, walletIdentity } from '#server/payments/configured-wallet.ts'
import { readConfig } from './config.ts'

const NWC = `nostr+walletconnect://${'a'.repeat(64)}?relay=wss%3A%2F%2Frelay.example&secret=${'b'.repeat(64)}`

const FAULTY_NWC = 'nostr+walletconnect://secret-secret'
const wallet = (kind: string, url: string, key = 'k') => {
  return { LIGHTNING_WALLET: kind, LIGHTNING_URL: url, LIGHTNING_KEY: key }
}

function read(environment: Record<string, string>) {
  return readConfig(environment, '/site').payments
}

describe('the settings of payments', () => {
  it('use the demonstration wallet on this machine, and none on the internet', () => {
    expect(read({}).wallet).toEqual({ kind: 'demo' })
    expect(read({ PUBLIC_URL: 'http://localhost:8080' }).wallet).toEqual({ kind: 'demo' })
    expect(read({ PUBLIC_URL: 'https://example.org' }).wallet).toEqual({ kind: 'off' })
    expect(read({})).toMatchObject({ minSats: 1, mail: null, noticeSatsADay: 0 })
  })

  it.each([
    ['http://lnbits.example.org', true],
    ['http://lnbits.example.org:5000/base', true],
    ['http://8.8.8.8:5000', true],
    ['http://[2606:4700::1111]', true],
    ['https://lnbits.example.org', false],
    ['http://127.0.0.1:5000', false],
    ['http://localhost:5000', false],
    ['http://[::1]:5000', false],
    ['http://10.1.2.3', false],
    ['http://[fd00::1]', false],
    ['http://lnbits:5000', false],
    ['http://node.local', false],
    ['http://abcdef.onion', false],
  ])('warn if the key of the wallet at %s can be read on the way: %j', (url, isOpen) => {
    const warnings = settingWarnings(read(wallet('lnbits', url, 'secret-key')))
    expect(warnings.map(({ name }) => name)).toEqual(isOpen ? ['open-key'] : [])
    expect(JSON.stringify(warnings)).not.toContain('secret-key')
  })

  it('distinguish wallets by kind, address and key only', () => {
    const lnbits = wallet('lnbits', 'https://lnbits.example')
    const print = (settings: object): string =>
      walletPrint('salt', walletIdentity({ wallet: read({ ...lnbits, ...settings }).wallet }) ?? '')
    const others = [
      { LIGHTNING_KEY: 'other' },
      { LIGHTNING_URL: 'https://other.example' },
      { LIGHTNING_WALLET: 'lnd' },
      { LIGHTNING_WALLET: 'btcpay', LIGHTNING_STORE: 'a' },
      { LIGHTNING_WALLET: 'btcpay', LIGHTNING_STORE: 'b' },
      { LIGHTNING_WALLET: 'nwc', LIGHTNING_NWC: NWC },
      { LIGHTNING_WALLET: 'address', LIGHTNING_ADDRESS: 'me@wallet.example' },
    ]
    expect(new Set([lnbits, ...others].map(print)).size).toBe(others.length + 1)
    expect(print({ LIGHTNING_URL: 'https://lnbits.example/', SUBMISSION_MIN_SATS: '5' })).toBe(
      print({}),
    )
    expect(print({ LIGHTNING_KEY: 'secret-key' })).not.toContain('secret-key')
    expect(print({})).not.toBe(walletPrint('another salt', walletIdentity(read(lnbits)) ?? ''))
  })

  it.each([
    [wallet('lnbits', 'https://lnbits.example')],
    [wallet('lnd', 'https://lnd:8080', '0201')],
    [wallet('cln', 'https://cln:3010', 'rune==')],
    [wallet('phoenixd', 'http://127.0.0.1:9740')],
    [{ ...wallet('btcpay', 'https://pay.example'), LIGHTNING_STORE: 's' }],
    [{ LIGHTNING_WALLET: 'nwc', LIGHTNING_NWC: NWC }],
    [{ LIGHTNING_WALLET: 'address', LIGHTNING_ADDRESS: 'me@wallet.example' }],
  ])('accept %j', (environment) => {
    const { wallet } = read({ ...environment, LIGHTNING_NETWORK: 'signet' })
    expect(wallet).toMatchObject({ kind: environment.LIGHTNING_WALLET, network: 'signet' })
  })

  it.each([
    [{ LIGHTNING_WALLET: 'lnbits', LIGHTNING_URL: 'https://lnbits.example' }, 'LIGHTNING_KEY'],
    [wallet('btcpay', 'https://a.b'), 'LIGHTNING_STORE'],
    [{ LIGHTNING_WALLET: 'nwc', LIGHTNING_NWC: FAULTY_NWC }, 'LIGHTNING_NWC'],
    [{ LIGHTNING_WALLET: 'address' }, 'LIGHTNING_ADDRESS'],
    [{ LIGHTNING_WALLET: 'paypal' }, 'LIGHTNING_WALLET'],
    [{ LIGHTNING_NETWORK: 'liquid' }, 'LIGHTNING_NETWORK'],
    [{ SUBMISSION_MIN_SATS: '0' }, 'SUBMISSION_MIN_SATS'],
    [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM'],
    [{ NOTICE_SATS_A_DAY: '-1' }, 'NOTICE_SATS_A_DAY'],
  ])('reject %j, naming %s and no secret', (environment, name) => {
    expect(() => read(environment)).toThrow(new RegExp(`^${name} must`))
    expect(() => read(environment)).not.toThrow(/secret-secret/)
  })
})
