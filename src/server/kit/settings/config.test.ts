import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('readConfig', () => {
  it('needs nothing', () => {
    expect(readConfig({}, '/site')).toMatchObject({
      port: 3001,
      host: 'localhost',
      origin: 'http://localhost:3001',
      isPublic: false,
      contacts: { social: null, nostr: null, email: null, lightning: null },
      codeUrl: null,
      trustProxy: false,
      dataDir: '/site/var',
      databaseUrl: null,
      starterData: true,
      drainMs: 0,
      logLevel: 'info',
    })
  })

  it('treats an empty setting as unset', () =>
    expect(readConfig({ PORT: ' ', DATABASE_URL: '' }, '/site').port).toBe(3001))

  it('keeps serving a public site for a while after a stop signal, or as long as configured', () => {
    const PUBLIC_URL = 'https://example.org'
    expect(readConfig({ PUBLIC_URL }, '/').drainMs).toBe(5_000)
    expect(readConfig({ PUBLIC_URL, DRAIN_SECONDS: '0' }, '/').drainMs).toBe(0)
    expect(readConfig({ DRAIN_SECONDS: '60' }, '/').drainMs).toBe(60_000)
  })

  it('enables link checks for a public site, or as configured', () => {
    const PUBLIC_URL = 'https://example.org'
    expect(readConfig({}, '/').webPush).toBe(true)
    expect(readConfig({ WEB_PUSH: 'off' }, '/').webPush).toBe(false)
    expect(() => readConfig({ WEB_PUSH: 'no' }, '/')).toThrow('WEB_PUSH must be on or off.')
    expect(readConfig({}, '/').sourceChecks).toBe('off')
    expect(readConfig({ PUBLIC_URL }, '/').sourceChecks).toBe('weekly')
    expect(readConfig({ PUBLIC_URL, SOURCE_CHECKS: 'off' }, '/').sourceChecks).toBe('off')
    expect(readConfig({ SOURCE_CHECKS: 'weekly' }, '/').sourceChecks).toBe('weekly')
    const daily = () => readConfig({ SOURCE_CHECKS: 'daily' }, '/')
    expect(daily).toThrow('SOURCE_CHECKS must be weekly or off.')
  })

  it('reads the operator and their holdings, one line each', () => {
    expect(readConfig({}, '/').operator).toEqual({ name: null, holdings: null })
    const input = { OPERATOR: ' Jane Doe, Zug ', OPERATOR_HOLDINGS: 'Bitcoin; no MSTR' }
    const operator = { name: 'Jane Doe, Zug', holdings: 'Bitcoin; no MSTR' }
    expect(readConfig(input, '/').operator).toEqual(operator)
    for (const OPERATOR of ['x'.repeat(201), 'Jane\nDoe', 'Jane \u202EeoD']) {
      const read = () => readConfig({ OPERATOR }, '/')
      expect(read).toThrow('OPERATOR must be one line of at most 200 characters')
    }
    const long = () => readConfig({ OPERATOR_HOLDINGS: 'x'.repeat(501) }, '/')
    expect(long).toThrow('OPERATOR_HOLDINGS must be one line of at most 500 characters')
  })

  it('distinguishes a public address from a local one', () => {
    const isPublic = (PUBLIC_URL: string): boolean => readConfig({ PUBLIC_URL }, '/').isPublic
    expect(isPublic('https://example.org/')).toBe(true)
    expect(isPublic('https://127.example.com/')).toBe(true)
    expect(isPublic('http://localhost:8080')).toBe(false)
    expect(isPublic('http://127.0.0.1')).toBe(false)
    expect(isPublic('http://[::1]:3001')).toBe(false)
    const { origin } = readConfig({ PUBLIC_URL: 'https://example.org/' }, '/')
    expect(origin).toBe('https://example.org')
  })

  it.each([
    ['off', false],
    ['1', 1],
    ['2', 2],
    ['127.0.0.1', ['127.0.0.1']],
    ['127.0.0.1, 10.0.0.0/8,fd00::/8', ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']],
  ])('accepts TRUST_PROXY=%s, also for a public site', (TRUST_PROXY, trustProxy) => {
    expect(readConfig({ TRUST_PROXY, PUBLIC_URL: 'https://example.org' }, '/').trustProxy).toEqual(
      trustProxy,
    )
  })

  it('keeps CODE_URL as written', () => {
    const CODE_URL = 'https://code.example/proof-of-price'
    expect(readConfig({ CODE_URL }, '/').codeUrl).toBe(CODE_URL)
  })

  it('accepts TRUST_PROXY=on only without a public address, and suggests another value', () => {
    expect(readConfig({ TRUST_PROXY: 'on' }, '/').trustProxy).toBe(true)
    const refused = () => readConfig({ TRUST_PROXY: 'on', PUBLIC_URL: 'https://example.org' }, '/')
    expect(refused).toThrow(/^TRUST_PROXY must not be on if PUBLIC_URL .* number of proxies/)
  })

  it.each(['yes', '0', '11', '-1', '127.0.0.1,', '10.0.0.0/33', '127.0.0.256', 'proxy.example'])(
    'rejects TRUST_PROXY=%s with a sentence',
    (TRUST_PROXY) =>
      expect(() => readConfig({ TRUST_PROXY }, '/')).toThrow(/^TRUST_PROXY must be off, /),
  )

  it.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['HOST', 'a b'],
    ['PUBLIC_URL', 'example.org'],
    ['PUBLIC_URL', 'https://example.org/path'],
    ['PUBLIC_URL', 'ftp://example.org'],
    ['CODE_URL', 'javascript:alert(1)'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_DIRECT_URL', 'mysql://localhost/x'],
    ['DATABASE_DIRECT_URL', 'postgresql://db.example.org/without-database-url'],
    ['DATABASE_READ_URL', 'mysql://localhost/x'],
    ['DATABASE_READ_URL', 'postgresql://db.example.org/without-database-url'],
    ['ROLE', 'boss'],
    ['ROLE', 'web'],
    ['STARTER_DATA', 'maybe'],
    ['DRAIN_SECONDS', '-1'],
    ['DRAIN_SECONDS', '61'],
    ['DRAIN_SECONDS', '1.5'],
    ['LOG_LEVEL', 'loud'],
    ['SECRETS_KEY', 'half a key'],
  ])('rejects %s=%s with a sentence', (name, value) =>
    expect(() => readConfig({ [name]: value }, '/')).toThrow(new RegExp(`^${name} must `)),
  )

  it('never repeats a value that may contain a password', () =>
    expect(() => readConfig({ DATABASE_URL: 'postgres//me:secret@host' }, '/')).toThrow(
      /^(?!.*secret)/,
    ))
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
