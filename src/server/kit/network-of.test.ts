import { describe, expect, it } from 'vitest'
import { networkOf, prefixOf } from './reach.ts'

describe('an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0:0', '2001:db8:0::/48'],
    ['::1', '0:0:0:0', '0:0:0::/48'],
    ['unknown', 'unknown', 'unknown'],
  ])('%s counts as %s, within %s', (address, network, prefix) => {
    expect([networkOf(address), prefixOf(address)]).toEqual([network, prefix])
  })
})
