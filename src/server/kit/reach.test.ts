import { describe, expect, it } from 'vitest'
import { words } from '#tests/support/words.ts'
import {
  isPublicAddress,
  networkOf,
  prefixOf,
  PUBLIC_WEB,
  STRANGE_RELAYS,
  STRANGERS,
} from './reach.ts'

it.each([
  ['192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0', '2001:db8:0::/48'],
  ['::1', '0:0:0:0', '0:0:0::/48'],
  ['fe80::1%br-lan', 'fe80:0:0:0', 'fe80:0:0::/48'],
  ['unknown', 'unknown', 'unknown'],
])('an address %s counts as %s, within %s', (address, network, prefix) => {
  expect([networkOf(address), prefixOf(address)]).toEqual([network, prefix])
})

it.each([
  ['1.1.1.1', true],
  ['2606:4700::1111', true],
  ['2001:4860:4860::8888', true],
  ['::ffff:1.1.1.1', true],
  ['127.0.0.1', false],
  ['192.88.99.1', false],
  ['::1', false],
  ['::127.0.0.1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['fec0::1', false],
  ['fd00::1', false],
  ['5f00::1', false],
  ['3fff::1', false],
  ['2002:7f00:1::', false],
  ['64:ff9b::7f00:1', false],
])('%s is a public address: %j', (address, isOne) => {
  expect(isPublicAddress(address)).toBe(isOne)
})

it.each(
  words(`
    0.0.0.1 10.1.2.3 100.64.0.1 169.254.169.254 172.16.0.1 172.31.255.254 192.0.0.8 192.0.2.1 192.168.1.1
    198.18.0.1 198.19.255.254 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
    :: 64:ff9b:1::1 100::1 2001::1 2001:2::1 2001:db8::1 fc00::1 fe80::1 ff02::1
  `),
)('nothing special-purpose is public: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

describe('addresses that strangers choose', () => {
  const ways = [PUBLIC_WEB, STRANGERS, STRANGE_RELAYS]
  it.each([
    ['https://example.org/page', [true, true, false]],
    ['http://example.org/page', [true, false, false]],
    ['wss://relay.example.org/path', [false, false, true]],
    ['ws://relay.example.org', [false, false, false]],
  ])('%s may be called as a page, by https, as a relay: %j', (url, allowed) => {
    expect(ways.map(({ isAllowed }) => isAllowed(new URL(url)))).toEqual(allowed)
  })

  it.each(
    words(`
    127.0.0.1 [::1] 10.0.0.1 router localhost metadata.google.internal example.org:8443
    user:password@example.org
  `),
  )('nothing calls %s', (host) => {
    for (const scheme of ['https', 'wss'])
      for (const { isAllowed } of ways)
        expect(isAllowed(new URL(`${scheme}://${host}/`))).toBe(false)
  })
})
