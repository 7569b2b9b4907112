import { expect, it } from 'vitest'
import { NostrEnvironment, realRelays, relayUrl } from './nostr.ts'

const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
const HEX = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'

it.each([NSEC, NSEC.toUpperCase(), HEX, HEX.toUpperCase(), ` ${NSEC}\n`])(
  'reads the key %s',
  (value) => {
    expect(NostrEnvironment.parse({ NOSTR_PRIVATE_KEY: value }).privateKey).toBe(HEX)
  },
)

it.each([
  ['cut short', NSEC.slice(0, -1)],
  ['with a letter changed', NSEC.replace('vl02', 'vl03')],
  ['a public key', 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg'],
  ['zero', '0'.repeat(64)],
  ['beyond the curve', 'f'.repeat(64)],
  ['hex cut short', HEX.slice(1)],
  ['anything', 'hunter2'],
])('rejects a key that is %s, without repeating it', (_, value) => {
  const { error } = NostrEnvironment.safeParse({ NOSTR_PRIVATE_KEY: value })
  expect(error?.issues.map((issue) => issue.path[0])).toEqual(['NOSTR_PRIVATE_KEY'])
  expect(JSON.stringify(error)).not.toContain(value.slice(4, 20))
})

it('lists each relay once, in one spelling', () => {
  const { relays } = NostrEnvironment.parse({
    NOSTR_RELAYS:
      'wss://Relay.Example.org/, wss://relay.example.org:443\nwss://relay.example.org//; wss://other.example/path/ ws://127.0.0.1:7000',
  })
  const once = ['wss://relay.example.org', 'wss://other.example/path', 'ws://127.0.0.1:7000']
  expect(relays).toEqual(once)
})

it.each([
  'https://relay.example.org',
  'relay.example.org',
  'ws://relay.example.org',
  'wss://user:word@relay.example.org',
  'wss://',
  'wss://relay.example.org/#x',
  'javascript:alert(1)',
  NSEC,
])('rejects the relay %s without repeating it, and keeps the others', (value) => {
  expect(relayUrl(value)).toBeNull()
  const alone = NostrEnvironment.safeParse({ NOSTR_RELAYS: value })
  expect(alone.error?.issues.map((issue) => issue.path[0])).toEqual(['NOSTR_RELAYS'])
  const three = `wss://good.example, ${value}, wss://other.example`
  const { relays } = NostrEnvironment.parse({ NOSTR_RELAYS: three })
  expect(relays).toEqual(['wss://good.example', 'entry 2 of NOSTR_RELAYS', 'wss://other.example'])
  expect(realRelays(relays)).toEqual(['wss://good.example', 'wss://other.example'])
})

it('works without any Nostr settings', () => {
  const none = { privateKey: null, publishRecord: false }
  expect(NostrEnvironment.parse({})).toMatchObject(none)
})
