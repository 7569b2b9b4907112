import { expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const KEYS = {
  X_API_KEY: 'application',
  X_API_SECRET: 'application-secret',
  X_ACCESS_TOKEN: '4711-token',
  X_ACCESS_SECRET: 'token-secret',
}

it('a site needs no keys of X and no account on Bluesky, and then posts nothing there', () => {
  expect(readConfig({}, '/').publish).toEqual({ x: null, bluesky: null })
})

it('the settings take four keys, for X itself', () => {
  const { x } = readConfig(KEYS, '/').publish
  expect(x?.url.href).toBe('https://api.x.com/')
  expect(x?.keys).toEqual({
    key: 'application',
    secret: 'application-secret',
    token: '4711-token',
    tokenSecret: 'token-secret',
  })
})

const BLUESKY = {
  BLUESKY_HANDLE: 'example.bsky.social',
  BLUESKY_APP_PASSWORD: 'wxyz-wxyz-wxyz-wxyz',
}

it('the settings take an account on Bluesky with an app password, and a server of its own', () => {
  const bluesky = (part: object) => readConfig({ ...BLUESKY, ...part }, '/').publish.bluesky
  const { BLUESKY_HANDLE: handle, BLUESKY_APP_PASSWORD: password } = BLUESKY
  expect(bluesky({})).toEqual({ url: new URL('https://bsky.social'), handle, password })
  expect(bluesky({ BLUESKY_HANDLE: '@Site.Example.org' })).toMatchObject({
    handle: 'site.example.org',
  })
  const own = bluesky({ BLUESKY_SERVICE: 'https://pds.example.org' })
  expect(own?.url.host).toBe('pds.example.org')
})

it.each([
  [{ ...BLUESKY, BLUESKY_APP_PASSWORD: '' }, 'BLUESKY_APP_PASSWORD must be an app password'],
  [{ ...BLUESKY, BLUESKY_HANDLE: '' }, 'BLUESKY_HANDLE must be the name'],
  [{ ...BLUESKY, BLUESKY_HANDLE: 'example' }, 'BLUESKY_HANDLE must be the name'],
  [{ ...BLUESKY, BLUESKY_APP_PASSWORD: 'wxyz of the account' }, 'not the password of the account'],
  [{ ...BLUESKY, BLUESKY_SERVICE: 'http://pds.example.org' }, 'BLUESKY_SERVICE must be an https'],
  [{ ...KEYS, X_ACCESS_SECRET: ' ' }, 'X_ACCESS_SECRET must be a key'],
  [{ ...KEYS, X_API_SECRET: 'a b\nc' }, 'X_API_SECRET must be a key'],
  [{ ...KEYS, X_API_URL: 'http://api.x.com' }, 'X_API_URL must be an https address'],
  [{ ...KEYS, X_API_URL: 'x.com' }, 'X_API_URL must be an https address'],
])('the settings refuse %j without repeating a key', (environment, message) => {
  const read = () => readConfig(environment, '/')
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(message)
  expect(read).not.toThrow(/wxyz|4711|token-secret|b\nc/)
})
