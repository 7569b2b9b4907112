import { signNote } from '#server/publishing/nostr/blossom.ts'
import { nostrRelays, nostrSigner } from '#server/publishing/nostr/relays.ts'
import { type NostrEvent, type RelayResult } from '#server/publishing/ports.ts'
import { faultyRelay, type RelayBehaviour } from '#tests/support/stand-ins/faulty-relay.ts'
import { patiently } from '#tests/support/waiting.ts'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'

const NOW = Date.now()
const clock = { now: () => NOW }
const signer = nostrSigner('67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa')
/** A silent relay must time out; elsewhere a slow machine must not look like that. */
const patience = { connectMs: 60_000, answerMs: 60_000, afterNoticeMs: 50 }
const hurried = { ...patience, connectMs: 500, answerMs: 500 }
const SILENT: readonly RelayBehaviour[] = ['silent', 'hangs', 'answers-for-others']

function note(text = 'Tick tock #Bitcoin next block', seconds = 0): Promise<NostrEvent> {
  const host = { upload: () => Promise.reject(new Error('no pictures here')) }
  return signNote(signer, host, { text, pictures: [], at: NOW + seconds * 1_000 }, patiently())
}

async function sent(
  url: string,
  events: readonly NostrEvent[],
  { give = patience, signal = patiently() } = {},
): Promise<RelayResult[]> {
  return nostrRelays([url], { signer, clock, patience: give }).send(url, events, signal)
}

const states = (results: readonly RelayResult[]): string[] => results.map(({ state }) => state)

it.each<[RelayBehaviour, RelayResult['state'], RegExp]>([
  ['takes', 'accepted', /^no word$/],
  ['wordless', 'accepted', /^no word$/],
  ['garbage', 'accepted', /^no word$/],
  ['wants-auth', 'accepted', /^no word$/],
  ['wants-auth-late', 'accepted', /^no word$/],
  ['duplicate-false', 'already', /^no word$/],
  ['rate-limits', 'later', /cannot take it now: “rate-limited: slow down there chief”\.?$/],
  ['errs', 'later', /could not connect/],
  ['empty-false', 'later', /refused without a reason/],
  ['silent', 'later', /did not answer in time/],
  ['hangs', 'later', /did not answer in time/],
  ['stores-and-breaks', 'later', /closed the connection/],
  ['huge', 'later', /closed the connection/],
  ['answers-for-others', 'later', /did not answer in time/],
  ['notice-only', 'later', /only with a notice: “your event was seen but not loved”/],
  ['notice-invalid', 'refused', /“invalid: message too large”/],
  ['refuses-notes', 'refused', /refused it: “blocked: kind 1 is not taken here”/],
])('the answer of a relay is read: %s: %s', async (behaviour, state, reason) => {
  await using relay = await faultyRelay(behaviour)
  const give = SILENT.includes(behaviour) ? hurried : patience
  const [result] = await sent(relay.url, [await note()], { give })
  expect(result).toMatchObject({ relay: relay.url, state })
  expect(result?.reason ?? 'no word').toMatch(reason)
})

it('an unresponsive relay does not reply', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  server.close()
  await once(server, 'close')
  expect(await sent(`ws://127.0.0.1:${String(port)}`, [await note()])).toMatchObject([
    { state: 'later', reason: expect.stringMatching(/cannot be reached \(ECONNREFUSED\)/) },
  ])
})

it('a batch goes over one connection and stops at the first that must wait', async () => {
  await using relay = await faultyRelay()
  const events = await Promise.all(['one', 'two', 'three'].map((text) => note(text)))
  expect(states(await sent(relay.url, events))).toEqual(Array(3).fill('accepted'))
  expect(relay.connections).toBe(1)
  relay.behaviour = 'rate-limits'
  expect(states(await sent(relay.url, events))).toEqual(Array(3).fill('later'))
  expect(relay.seen).toHaveLength(4)
})

it('an ended call leaves a relay for later', async () => {
  await using relay = await faultyRelay('silent')
  const signal = AbortSignal.timeout(20)
  expect(states(await sent(relay.url, [await note()], { signal }))).toEqual(['later'])
})

it.each<[object, number, RegExp | null]>([
  [{ max_content_length: 10 }, 0, /takes texts of at most 10 characters, and this one has 29\./],
  [{ max_message_length: 100 }, 0, /takes messages of at most 100 bytes/],
  [{ max_event_tags: 0 }, 0, /takes at most 0 tags, and this event has 1\./],
  [{ min_pow_difficulty: 40 }, 0, /proof of work of 40 bits/],
  [{ created_at_lower_limit: 60 }, -61, /as old as this one/],
  [{ created_at_upper_limit: 60 }, 61, /as far ahead/],
  // Invalid entries are skipped.
  [{ created_at_lower_limit: -5, max_content_length: 'many' }, 0, null],
])(
  'the limits announced by a relay are respected (NIP-11): %j',
  async (limitation, seconds, why) => {
    await using relay = await faultyRelay()
    relay.about = { name: 'strict', limitation }
    const [result] = await sent(relay.url, [await note(undefined, seconds)])
    expect(result?.state).toBe(why ? 'refused' : 'accepted')
    expect(result?.reason ?? '').toMatch(why ?? /^$/)
    expect(relay.seen).toHaveLength(why ? 0 : 1)
  },
)
