import { nip19 } from 'nostr-tools'
import { expect, it } from 'vitest'
import { naddrOf, npubOf } from './nostr.ts'

const PUBKEY = '7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e'

it('a public key is written as the vector of NIP-19', () => {
  expect(npubOf(PUBKEY)).toBe('npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg')
})

it.each(['ada-69k-2024', 'ünïcode id', '100% 日本'])('encodes the address of %s', (d) => {
  const address = { pubkey: PUBKEY, kind: 36_614, relays: ['wss://relay.example.org'] }
  const data = { ...address, identifier: d }
  expect(nip19.decode(naddrOf({ ...address, d }))).toEqual({ type: 'naddr', data })
})

it('an invalid address is refused', () => {
  const long = { pubkey: PUBKEY, kind: 1, d: 'x'.repeat(256), relays: [] }
  expect(() => naddrOf(long)).toThrow(RangeError)
})
