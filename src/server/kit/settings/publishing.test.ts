import { expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const KEYS = {
  X_API_KEY: 'application',
  X_API_SECRET: 'application-secret',
  X_ACCESS_TOKEN: '4711-token',
  X_ACCESS_SECRET: 'token-secret',
}

it('a site needs no keys of X, and then posts nothing there', () => {
  expect(readConfig({}, '/').publish).toEqual({ x: null })
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

it.each([
  [{ ...KEYS, X_ACCESS_SECRET: ' ' }, 'X_ACCESS_SECRET must be a key'],
  [{ ...KEYS, X_API_SECRET: 'a b\nc' }, 'X_API_SECRET must be a key'],
  [{ ...KEYS, X_API_URL: 'http://api.x.com' }, 'X_API_URL must be an https address'],
  [{ ...KEYS, X_API_URL: 'x.com' }, 'X_API_URL must be an https address'],
])('the settings refuse %j without repeating a key', (environment, message) => {
  const read = () => readConfig(environment, '/')
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(message)
  expect(read).not.toThrow(/4711|token-secret|b\nc/)
})
