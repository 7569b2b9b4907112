import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { postSources } from '#server/composition/ports.ts'
import { walletPrint } from '#server/kit/tokens.ts'
import { settingWarnings, walletIdentity } from '#server/payments/configured-wallet.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { realRelays } from './nostr.ts'

const NWC = `nostr+walletconnect://${'a'.repeat(64)}?relay=wss%3A%2F%2Frelay.example&secret=${'b'.repeat(64)}`
const wallet = (kind: string, url: string, key = 'k') => {
  return { LIGHTNING_WALLET: kind, LIGHTNING_URL: url, LIGHTNING_KEY: key }
}

const read = (settings: object) => readConfig(settings as Record<string, string>, '/site')

it('settings are read and refused as stored', () =>
  storedCases('settings', {
    'what settings say': (settings, names) => {
      const config = read(jsonPart(settings))
      return Object.fromEntries(
        names.split(' ').map((name) => [name, config[name as keyof Config]]),
      )
    },
    'what refused settings are told': (settings) => {
      try {
        return read(jsonPart(settings))
      } catch (error) {
        return error instanceof ConfigError ? error.message : error
      }
    },
    'sources of posts': (settings) =>
      postSources(read(jsonPart(settings)).posts).map(({ name }) => name),
    'accounts and servers of others': (settings, name) => {
      const part = read(jsonPart(settings))[name as keyof Config]
      return JSON.parse(JSON.stringify(part)) as object
    },
    'whether the key of the wallet at an address can be read on the way': (url) => {
      const { payments } = read(wallet('lnbits', url, 'secret-key'))
      return settingWarnings(payments)
    },
  }))

it('a relay that cannot be used is not asked', () => {
  const { relays } = read({ NOSTR_RELAYS: 'wss://good.example, https://a.example' }).nostr
  expect(realRelays(relays)).toEqual(['wss://good.example'])
})

it('wallets are distinguished by kind, address and key only', () => {
  const lnbits = wallet('lnbits', 'https://lnbits.example')
  const print = (settings: object): string =>
    walletPrint(
      'salt',
      walletIdentity({ wallet: read({ ...lnbits, ...settings }).payments.wallet }) ?? '',
    )
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
  expect(print({})).not.toBe(
    walletPrint('another salt', walletIdentity(read(lnbits).payments) ?? ''),
  )
})

describe('the drill of backups in docs/operations.md', () => {
  /** Settings that .env.example leaves empty or that must differ from its values. */
  const FILLED: Readonly<Record<string, string>> = {
    ADMIN_USERNAME: 'admin-a',
    ADMIN_PASSWORD_HASH:
      '$argon2id$v=19$m=65536,t=3,p=1$1IxKJOJMQCkvZlyt5BjtAw$ssvnzjw3Gkf6ssHVuSsT+WihuPnKIFJh0x+xLwO5ddI',
    BLUESKY_APP_PASSWORD: 'aaaa-bbbb-cccc-dddd',
    LIGHTNING_NWC: `nostr+walletconnect://${'a'.repeat(64)}?relay=wss://relay.example.org&secret=${'b'.repeat(64)}`,
    ROLE: 'worker',
    SECRETS_KEY: 'ab'.repeat(32),
    TRUST_PROXY: '1',
    LIGHTNING_WALLET: 'lnbits',
    NOTICE_SATS_A_DAY: '1000',
    NOSTR_PRIVATE_KEY: '01'.repeat(32),
    NOSTR_RECORD: 'on',
  }
  const valuesOf = (text: string, pattern: RegExp) =>
    Object.fromEntries(
      [...text.matchAll(pattern)].map(([, name = '', value = '']) => [name, value]),
    )
  const example = valuesOf(readFileSync('.env.example', 'utf8'), /^#([A-Z_]+)=(.*)$/gm)
  const full = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      FILLED[name] ?? (value || 'a'.repeat(32)),
    ]),
  )
  const docs = readFileSync('docs/operations.md', 'utf8')
  const block = /^export DATABASE_URL=(?:.|\n)*?npm start &$/m.exec(docs)?.[0] ?? ''
  const overrides = valuesOf(block, /\b([A-Z_]+)=(\S*)/g)

  it('starts with every setting set, without calling anyone', () => {
    expect(readConfig(full, '/').payments.wallet).toMatchObject({ kind: 'lnbits' })
    expect(readConfig({ ...full, ...overrides }, '/')).toMatchObject({
      port: 3999,
      databaseUrl: null,
      directUrl: null,
      readUrl: null,
      sourceChecks: 'off',
      webPush: false,
      assistant: null,
      prices: { on: false },
      payments: { wallet: { kind: 'off' }, mail: null },
      posts: { x: { token: null } },
      nostr: { privateKey: null },
      proofs: { calendars: [], headersUrl: null },
      publish: { x: null, bluesky: null },
    })
  })
})
