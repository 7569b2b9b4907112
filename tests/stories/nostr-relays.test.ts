import {
  limitFault,
  nostrPublisher,
  nostrRelays,
  nostrSigner,
} from '#server/publishing/nostr/relays.ts'
import {
  type NostrEvent,
  type PictureHost,
  type RelayResult,
} from '#server/publishing/nostr/ports.ts'
import { readNotes, realRelay } from '#tests/support/nostr-relay.ts'
import { moodyRelay, type RelayMood } from '#tests/support/stand-ins/moody-relay.ts'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { patiently } from '#tests/support/waiting.ts'

const KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const PUBKEY = '7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e'
const NOW = Date.now()
const clock = { now: () => NOW }
const signer = nostrSigner(KEY)
/** A relay that stays silent has to be given up on; nowhere else may a slow machine look like that. */
const patience = { connectMs: 60_000, answerMs: 60_000, afterNoticeMs: 50 }
const hurried = { ...patience, connectMs: 500, answerMs: 500 }
const SILENT: readonly RelayMood[] = ['silent', 'hangs', 'answers-for-others']
const NO_PICTURES: PictureHost = { upload: () => Promise.reject(new Error('no pictures here')) }

function publisher(urls: readonly string[] = [], give = patience) {
  const relays = nostrRelays(urls, { signer, clock, patience: give })
  return nostrPublisher({ signer, relays, pictures: NO_PICTURES })
}

function note(text = 'Tick tock #Bitcoin next block'): Promise<NostrEvent> {
  return publisher().prepare({ text, pictures: [], at: NOW }, patiently())
}

function states(results: readonly RelayResult[]): string[] {
  return results.map(({ state }) => state)
}

describe('a real relay', () => {
  it('a real relay keeps a note that another client reads back and verifies', async () => {
    await using relay = await realRelay()
    const event = await note()
    const relays = publisher([relay.url])
    expect(states(await relays.publish(event, patiently()))).toEqual(['accepted'])
    const [found] = await readNotes(relay.url, { authors: [PUBKEY] })
    expect(found).toMatchObject({ id: event.id, kind: 1, content: 'Tick tock #Bitcoin next block' })
    expect(found?.tags).toEqual([['t', 'bitcoin']])
    // The same once more is no second note.
    expect(['accepted', 'already']).toContain(states(await relays.publish(event, patiently()))[0])
    expect(await readNotes(relay.url, { authors: [PUBKEY] })).toHaveLength(1)
  })
})

describe('what a relay answers', () => {
  it.each<[RelayMood, RelayResult['state'], RegExp]>([
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
  ])('the answer of a relay is read: %s: %s', async (mood, state, reason) => {
    await using relay = await moodyRelay(mood)
    const relays = publisher([relay.url], SILENT.includes(mood) ? hurried : patience)
    const [result] = await relays.publish(await note(), patiently())
    expect(result).toMatchObject({ relay: relay.url, state })
    expect(result?.reason ?? 'no word').toMatch(reason)
  })

  it('a relay that does not listen answers nothing at all', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    server.close()
    await once(server, 'close')
    const [result] = await publisher([`ws://127.0.0.1:${String(port)}`]).publish(
      await note(),
      patiently(),
    )
    expect(result).toMatchObject({ state: 'later' })
    expect(result?.reason).toMatch(/cannot be reached \(ECONNREFUSED\)/)
  })
})

it('one relay never stops another: bad addresses, silence and refusals beside one that takes it', async () => {
  await using good = await moodyRelay()
  await using silent = await moodyRelay('silent')
  await using hangs = await moodyRelay('hangs')
  await using strict = await moodyRelay('refuses-notes')
  const event = await note()
  const urls = ['not a url', good.url, silent.url, hangs.url, strict.url, 'wss://']
  const relays = publisher(urls, { ...patience, connectMs: 4_000, answerMs: 4_000 })
  const results = await relays.publish(event, patiently())
  expect(states(results)).toEqual(['refused', 'accepted', 'later', 'later', 'refused', 'refused'])
  expect(good.events.map(({ id }) => id)).toEqual([event.id])
  // Two of the five addresses that are none, and the one that hangs, take no connection.
  const { count, faults } = await relays.connected(patiently())
  expect(count).toBe(3)
  expect(faults.join(' ')).toContain('is not the address of a relay.')
})

it('what a relay stored before the connection broke is the same event when sent again', async () => {
  await using relay = await moodyRelay('stores-and-breaks')
  const event = await note()
  const relays = publisher([relay.url])
  expect(states(await relays.publish(event, patiently()))).toEqual(['later'])
  relay.mood = 'duplicate-false'
  expect(states(await relays.publish(event, patiently()))).toEqual(['already'])
  expect(new Set(relay.seen.map(({ id }) => id))).toEqual(new Set([event.id]))
})

it('a batch goes over one connection and stops at the first that must wait', async () => {
  await using relay = await moodyRelay()
  const relays = nostrRelays([relay.url], { signer, clock, patience })
  const events = await Promise.all(['one', 'two', 'three'].map((text) => note(text)))
  expect(states(await relays.send(relay.url, events, patiently()))).toEqual(
    Array(3).fill('accepted'),
  )
  expect(relay.connections).toBe(1)
  relay.mood = 'rate-limits'
  expect(states(await relays.send(relay.url, events, patiently()))).toEqual(Array(3).fill('later'))
  expect(relay.seen).toHaveLength(4)
})

it('an ended call leaves every relay to later', async () => {
  await using relay = await moodyRelay('silent')
  const results = await publisher([relay.url]).publish(await note(), AbortSignal.timeout(20))
  expect(states(results)).toEqual(['later'])
})

describe('limits that a relay announces (NIP-11)', () => {
  it.each([
    [{ max_content_length: 10 }, /takes texts of at most 10 characters, and this one has 29\./],
    [{ max_message_length: 100 }, /takes messages of at most 100 bytes/],
    [{ max_event_tags: 0 }, /takes at most 0 tags, and this event has 1\./],
    [{ min_pow_difficulty: 40 }, /proof of work of 40 bits/],
  ])('limits that a relay announces are read: %j', async (limitation, reason) => {
    await using relay = await moodyRelay()
    relay.about = { name: 'strict', limitation }
    const [result] = await publisher([relay.url]).publish(await note(), patiently())
    expect(result).toMatchObject({ state: 'refused' })
    expect(result?.reason).toMatch(reason)
    expect(relay.seen).toEqual([])
  })

  it('limits that a relay announces are passed over where they make no sense', async () => {
    await using relay = await moodyRelay()
    relay.about = { limitation: { created_at_lower_limit: -5, max_content_length: 'many' } }
    expect(states(await publisher([relay.url]).publish(await note(), patiently()))).toEqual([
      'accepted',
    ])
  })

  it.each([
    ['past', { created_at_lower_limit: 60 }, -61, /as old as this one/],
    ['future', { created_at_upper_limit: 60 }, 61, /as far ahead/],
  ])(
    'limits that a relay announces hold for events of the %s',
    async (_, limits, seconds, reason) => {
      const event = await note()
      const moved = { ...event, created_at: event.created_at + seconds }
      expect(limitFault(moved, limits, clock)).toMatch(reason)
    },
  )
})
