import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { pagePath, withoutEndSlashes } from './site.ts'

it.each([
  ['/', '/'],
  ['///', '/'],
  ['', '/'],
  ['/btc', '/btc'],
  ['/btc//', '/btc'],
  ['/%62t%63/', '/btc'],
  ['/experts/j%c3%bcrgen', '/experts/j%C3%BCrgen'],
  ['/experts/jürgen', '/experts/j%C3%BCrgen'],
  ['/experts/a%2Fb', '/experts/a%2Fb'],
  ['/experts/a%3fb%23', '/experts/a%3Fb%23'],
  ['/predictions/%2562', '/predictions/%2562'],
  ['/predictions/%zz', '/predictions/%zz'],
  ['//x', '//x'],
])('the page path %s has one spelling: %s', (input, path) => {
  expect(pagePath(input)).toBe(path)
  expect(pagePath(path)).toBe(path)
})

it('the path of a page is read in one pass, wherever its slashes are', () => {
  const slashes = '/'.repeat(1_000_000)
  const text = `${slashes}x`
  // Milliseconds; a pattern that looks for the end from every slash takes minutes, and is cut off.
  const context = { read: withoutEndSlashes, text }
  expect(runInNewContext('read(text)', context, { timeout: 20_000 })).toBe(text)
  expect(withoutEndSlashes(`x${slashes}`)).toBe('x')
})
