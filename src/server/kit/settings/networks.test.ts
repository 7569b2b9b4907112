import { expect, it } from 'vitest'
import { postSources } from '#server/composition/ports.ts'
import { ConfigError, readConfig } from './config.ts'

const KEYS = {
  X_API_KEY: 'application',
  X_API_SECRET: 'application-secret',
  X_ACCESS_TOKEN: '4711-token',
  X_ACCESS_SECRET: 'token-secret',
}
const BLUESKY = {
  BLUESKY_HANDLE: 'example.bsky.social',
  BLUESKY_APP_PASSWORD: 'wxyz-wxyz-wxyz-wxyz',
}

it.each([
  [{}, ['syndication', 'oembed']],
  [{ POSTS_X_BEARER_TOKEN: 'key' }, ['x', 'syndication', 'oembed']],
  [{ POSTS_X_BEARER_TOKEN: 'key', POSTS_X_URL: 'off' }, ['syndication', 'oembed']],
  [{ POSTS_SYNDICATION_URL: 'off', POSTS_OEMBED_URL: 'off' }, []],
  [{ POSTS_SYNDICATION_URL: 'http://127.0.0.1:99/a', POSTS_OEMBED_URL: 'off' }, ['syndication']],
])('the settings %j enable the sources %j', (settings, names) => {
  expect(postSources(readConfig(settings, '/').posts).map(({ name }) => name)).toEqual(names)
})

it('the settings read accounts on X and Bluesky, which are optional', () => {
  const publish = (settings: Record<string, string>) => readConfig(settings, '/').publish
  expect(publish({})).toEqual({ x: null, bluesky: null })
  const [key, secret, token, tokenSecret] = Object.values(KEYS)
  const keys = { key, secret, token, tokenSecret }
  expect(publish(KEYS).x).toEqual({ url: new URL('https://api.x.com/'), keys })
  const { BLUESKY_HANDLE: handle, BLUESKY_APP_PASSWORD: password } = BLUESKY
  const bluesky = { url: new URL('https://bsky.social'), handle, password }
  expect(publish(BLUESKY).bluesky).toEqual(bluesky)
  const own = { BLUESKY_HANDLE: '@Site.Example.org', BLUESKY_SERVICE: 'https://pds.example.org' }
  const elsewhere = { handle: 'site.example.org', url: new URL('https://pds.example.org') }
  expect(publish({ ...BLUESKY, ...own }).bluesky).toMatchObject(elsewhere)
})

it('the settings require https for calendars and block headers, except on this machine', () => {
  const OTS_CALENDARS = 'https://a.example.org/, http://127.0.0.1:14788'
  const BLOCK_HEADERS_URL = 'https://e.example.org/api/'
  const calendars = ['https://a.example.org', 'http://127.0.0.1:14788']
  const { proofs } = readConfig({ OTS_CALENDARS, BLOCK_HEADERS_URL }, '/')
  expect(proofs).toEqual({ calendars, headersUrl: 'https://e.example.org/api' })
})

it.each([
  [{ POSTS_X_URL: 'http://api.x.com' }, 'POSTS_X_URL must be'],
  [{ POSTS_OEMBED_URL: 'https://user:4711@publish.x.com' }, 'POSTS_OEMBED_URL must be'],
  [{ POSTS_SYNDICATION_URL: 'no address' }, 'POSTS_SYNDICATION_URL must be'],
  [{ POSTS_X_BEARER_TOKEN: '4711 with a space' }, 'POSTS_X_BEARER_TOKEN must be'],
  [{ ...BLUESKY, BLUESKY_APP_PASSWORD: '' }, 'BLUESKY_APP_PASSWORD must be an app password'],
  [{ ...BLUESKY, BLUESKY_HANDLE: '' }, 'BLUESKY_HANDLE must be the name'],
  [{ ...BLUESKY, BLUESKY_HANDLE: 'example' }, 'BLUESKY_HANDLE must be the name'],
  [{ ...BLUESKY, BLUESKY_APP_PASSWORD: 'wxyz of the account' }, 'not the password of the account'],
  [{ ...BLUESKY, BLUESKY_SERVICE: 'http://pds.example.org' }, 'BLUESKY_SERVICE must be an https'],
  [{ ...KEYS, X_ACCESS_SECRET: ' ' }, 'X_ACCESS_SECRET must be a key'],
  [{ ...KEYS, X_API_SECRET: 'a b\nc' }, 'X_API_SECRET must be a key'],
  [{ ...KEYS, X_API_URL: 'http://api.x.com' }, 'X_API_URL must be an https address'],
  [{ ...KEYS, X_API_URL: 'x.com' }, 'X_API_URL must be an https address'],
  [{ OTS_CALENDARS: 'http://a.example.org' }, 'OTS_CALENDARS must list 1 to 10 https addresses'],
  [{ OTS_CALENDARS: 'https://a.example.org, x' }, 'OTS_CALENDARS must list'],
  [{ BLOCK_HEADERS_URL: 'https://u:4711@e.example.org' }, 'BLOCK_HEADERS_URL must be the https'],
])('the settings reject %j without repeating a key', (environment, message) => {
  const read = () => readConfig(environment, '/')
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(message)
  expect(read).not.toThrow(/wxyz|4711|token-secret|b\nc/)
})
