import { openOutbox } from '#server/kit/outbox.ts'
import { keepEvent, TO_RELAYS } from '#server/publishing/nostr/nostr-events.store.ts'
import { nostrOutbox } from '#server/publishing/nostr/outbox.service.ts'
import { nostrPublisher, nostrRelays, nostrSigner } from '#server/publishing/nostr/relays.ts'
import {
  type NostrEvent,
  type NostrRelays,
  type PictureHost,
} from '#server/publishing/nostr/ports.ts'
import {
  moodyRelay,
  type MoodyRelay,
  type SentEvent,
} from '#tests/support/stand-ins/moody-relay.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { SILENT } from '#tests/support/test-site.ts'
import { describe, expect, it } from 'vitest'
import { patiently } from '#tests/support/waiting.ts'

const KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const patience = { connectMs: 60_000, answerMs: 60_000, afterNoticeMs: 50 }
const hurried = { ...patience, connectMs: 300, answerMs: 300 }

const database = onceForFile(testDatabase, (given) =>
  emptied({ database: given, refresh: () => Promise.resolve() }),
)
const signer = nostrSigner(KEY)
const NO_PICTURES: PictureHost = { upload: () => Promise.reject(new Error('no pictures here')) }

type World = ReturnType<typeof world>

/** @param wrap goes between the outbox and its relays, to break things there */
function world(
  given: readonly MoodyRelay[],
  wrap: (real: NostrRelays) => NostrRelays = (real) => real,
  give = patience,
) {
  const clock = { ms: Date.now(), now: () => clock.ms }
  const urls = given.map(({ url }) => url)
  const relays = wrap(nostrRelays(urls, { signer, clock, patience: give }))
  const { db } = database()
  const box = openOutbox({ db, clock, log: SILENT, jobs: null })
  const outbox = nostrOutbox({ db, clock, log: SILENT, signer, relays, outbox: box })
  const notes = nostrPublisher({ signer, relays, pictures: NO_PICTURES })
  return { db, clock, box, outbox, publisher: outbox.keeping(notes) }
}

function noteOf({ publisher, clock }: World, text = 'Tick tock'): Promise<NostrEvent> {
  return publisher.prepare({ text, pictures: [], at: clock.ms }, patiently())
}

/** Without the list of relays that goes along with a first note. */
const notes = (events: readonly SentEvent[]): SentEvent[] => events.filter(({ kind }) => kind === 1)

const states = (results: readonly { state: string }[]): string[] =>
  results.map(({ state }) => state)

describe('a note', () => {
  it('a note goes later, as the same event, to the relays that could not take it', async () => {
    await using good = await moodyRelay()
    await using busy = await moodyRelay('rate-limits')
    await using strict = await moodyRelay('refuses-notes')
    const site = world([good, busy, strict])
    const event = await noteOf(site)
    expect(states(await site.publisher.publish(event, patiently()))).toEqual([
      'accepted',
      'later',
      'refused',
    ])
    busy.mood = 'takes'
    await site.outbox.sendDue()
    // Its pause is not over.
    expect(notes(busy.events)).toEqual([])
    site.clock.ms += MINUTE
    await site.outbox.sendDue()
    expect(notes(busy.events).map(({ id }) => id)).toEqual([event.id])
    expect([notes(good.seen).length, notes(strict.seen).length]).toEqual([1, 1])
    const now = await site.outbox.resultsOf(event.id)
    expect(now.toSorted((a, b) => (a.state < b.state ? -1 : 1)).map(({ state }) => state)).toEqual([
      'accepted',
      'accepted',
      'refused',
    ])
  })

  it('a note waits while all relays are down, and is given up after days', async () => {
    await using down = await moodyRelay('hangs')
    const site = world([down], undefined, hurried)
    const event = await noteOf(site)
    expect(states(await site.publisher.publish(event, patiently()))).toEqual(['later'])
    for (let day = 0; day < 10; day += 1) {
      site.clock.ms += DAY
      await site.outbox.sendDue()
    }
    const [result] = await site.outbox.resultsOf(event.id)
    expect(result).toMatchObject({ state: 'refused' })
    down.mood = 'takes'
    site.clock.ms += DAY
    await site.outbox.sendDue()
    expect(notes(down.events)).toEqual([])
  })

  it('a note that was sent when the server died, before it could write that down, is sent again as the same event', async () => {
    await using relay = await moodyRelay()
    let dies = true
    const site = world([relay], (real) => ({
      ...real,
      async send(...given) {
        const results = await real.send(...given)
        if (dies) throw new Error('the power is gone')
        return results
      },
    }))
    const event = await noteOf(site)
    await expect(site.publisher.publish(event, patiently())).rejects.toThrow('the power is gone')
    expect(notes(relay.events)).toHaveLength(1)
    expect(states(await site.outbox.resultsOf(event.id))).toEqual(['later'])
    dies = false
    await site.outbox.sendDue()
    expect(notes(relay.seen)).toHaveLength(1)
    relay.mood = 'duplicate-false'
    site.clock.ms += 5 * MINUTE
    await site.outbox.sendDue()
    expect(new Set(notes(relay.seen).map(({ id }) => id))).toEqual(new Set([event.id]))
    expect(notes(relay.seen)).toHaveLength(2)
    expect(states(await site.outbox.resultsOf(event.id))).toEqual(['already'])
  })

  it('a note published a second time is one note, and stays taken', async () => {
    await using relay = await moodyRelay()
    const give = { ...patience }
    const site = world([relay], undefined, give)
    const event = await noteOf(site)
    await site.publisher.publish(event, patiently())
    relay.mood = 'silent'
    Object.assign(give, hurried)
    await site.publisher.publish(event, patiently())
    expect(new Set(notes(relay.events).map(({ id }) => id)).size).toBe(1)
    expect(states(await site.outbox.resultsOf(event.id))).toEqual(['accepted'])
  })
})

describe('many events', () => {
  async function many(site: World, relay: MoodyRelay, count: number): Promise<void> {
    const at = new Date(site.clock.ms).toISOString()
    for (let i = 0; i < count; i += 1) {
      const event = await noteOf(site, `Note ${String(i)}`)
      await keepEvent(site.db, { event, purpose: 'record', ref: null, at })
      const row = { key: event.id, ref: event.id, lane: relay.url, payload: { purpose: 'record' } }
      await site.box.add(site.db, TO_RELAYS, [row])
    }
  }

  it('many events go in batches over few connections, each once, from several processes', async () => {
    await using relay = await moodyRelay()
    const site = world([relay])
    await many(site, relay, 120)
    await Promise.all([site.outbox.sendDue(), site.outbox.sendDue(), site.outbox.sendDue()])
    expect(relay.seen).toHaveLength(120)
    expect(new Set(relay.seen.map(({ id }) => id)).size).toBe(120)
    expect(relay.connections).toBeLessThan(8)
  })

  it('many events leave a relay alone that asks to wait', async () => {
    await using relay = await moodyRelay('rate-limits')
    const site = world([relay])
    await many(site, relay, 120)
    await site.outbox.sendDue()
    expect(notes(relay.seen)).toHaveLength(1)
    await site.outbox.sendDue()
    expect(notes(relay.seen)).toHaveLength(1)
    relay.mood = 'takes'
    site.clock.ms += 5 * MINUTE
    await site.outbox.sendDue()
    expect(relay.events).toHaveLength(120)
  })
})

it('the list of relays is published once for each change of it', async () => {
  await using one = await moodyRelay()
  await using two = await moodyRelay()
  const urls = [one.url]
  const site = world([one], (real) => ({
    ...real,
    get urls() {
      return urls
    },
  }))
  const publishRelays = async (): Promise<void> => {
    site.clock.ms += MINUTE
    await site.outbox.announceRelays()
    await site.outbox.sendDue()
  }
  await publishRelays()
  await publishRelays()
  urls.push(two.url)
  await publishRelays()
  await publishRelays()
  urls.pop()
  // Within the same second, too, the last one is the newest.
  site.clock.ms -= MINUTE
  await publishRelays()
  const times = one.events.map((list) => list.created_at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(new Set(times).size).toBe(3)
  const lists = one.events.map(({ kind, tags }) => [kind, ...tags.map(([, url]) => url)])
  expect(lists).toEqual([
    [10_002, one.url],
    [10_002, one.url, two.url],
    [10_002, one.url],
  ])
  expect(two.events).toHaveLength(1)
})

it('an entry of the list that is no relay stops no other, and is not published', async () => {
  await using good = await moodyRelay()
  const urls = ['entry 1 of NOSTR_RELAYS', good.url]
  const site = world([good], (real) => ({ ...real, urls }))
  const publisher = site.outbox.keeping({ ...site.publisher, relays: urls })
  const event = await noteOf(site)
  const results = await publisher.publish(event, patiently())
  const byRelay = results.toSorted((a, b) => a.relay.localeCompare(b.relay))
  expect(byRelay.map(({ relay, state }) => [relay, state])).toEqual([
    ['entry 1 of NOSTR_RELAYS', 'refused'],
    [good.url, 'accepted'],
  ])
  site.clock.ms += MINUTE
  await site.outbox.sendDue()
  const lists = good.events.filter(({ kind }) => kind === 10_002)
  expect(lists.map(({ tags }) => tags)).toEqual([[['r', good.url]]])
})
