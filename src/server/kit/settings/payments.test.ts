import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { settingWarnings, walletIdentity } from '#server/payments/configured-wallet.ts'
import { walletPrint } from '#server/kit/tokens.ts'

const NWC = `nostr+walletconnect://${'a'.repeat(64)}?relay=wss%3A%2F%2Frelay.example&secret=${'b'.repeat(64)}`

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
    const settings = { LIGHTNING_WALLET: 'lnbits', LIGHTNING_URL: url, LIGHTNING_KEY: 'secret-key' }
    const warnings = settingWarnings(read(settings))
    expect(warnings.map(({ name }) => name)).toEqual(isOpen ? ['open-key'] : [])
    expect(JSON.stringify(warnings)).not.toContain('secret-key')
  })

  it('distinguish wallets by kind, address and key only', () => {
    const lnbits = {
      LIGHTNING_WALLET: 'lnbits',
      LIGHTNING_URL: 'https://lnbits.example',
      LIGHTNING_KEY: 'k',
    }
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
    [{ LIGHTNING_WALLET: 'lnbits', LIGHTNING_URL: 'https://lnbits.example', LIGHTNING_KEY: 'k' }],
    [{ LIGHTNING_WALLET: 'lnd', LIGHTNING_URL: 'https://lnd:8080', LIGHTNING_KEY: '0201' }],
    [{ LIGHTNING_WALLET: 'cln', LIGHTNING_URL: 'https://cln:3010', LIGHTNING_KEY: 'rune==' }],
    [{ LIGHTNING_WALLET: 'phoenixd', LIGHTNING_URL: 'http://127.0.0.1:9740', LIGHTNING_KEY: 'p' }],
    [
      {
        LIGHTNING_WALLET: 'btcpay',
        LIGHTNING_URL: 'https://pay.example',
        LIGHTNING_KEY: 'k',
        LIGHTNING_STORE: 's',
      },
    ],
    [{ LIGHTNING_WALLET: 'nwc', LIGHTNING_NWC: NWC }],
    [{ LIGHTNING_WALLET: 'address', LIGHTNING_ADDRESS: 'me@wallet.example' }],
  ])('accept %j', (environment) => {
    const { wallet } = read({ ...environment, LIGHTNING_NETWORK: 'signet' })
    expect(wallet).toMatchObject({ kind: environment.LIGHTNING_WALLET, network: 'signet' })
  })

  it.each([
    [{ LIGHTNING_WALLET: 'lnbits', LIGHTNING_URL: 'https://lnbits.example' }, 'LIGHTNING_KEY'],
    [
      { LIGHTNING_WALLET: 'btcpay', LIGHTNING_URL: 'https://a.b', LIGHTNING_KEY: 'k' },
      'LIGHTNING_STORE',
    ],
    [
      { LIGHTNING_WALLET: 'nwc', LIGHTNING_NWC: 'nostr+walletconnect://secret-secret' },
      'LIGHTNING_NWC',
    ],
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
