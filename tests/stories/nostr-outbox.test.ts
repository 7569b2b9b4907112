import { openOutbox } from '#server/kit/outbox.ts'
import { keepEvent, TO_RELAYS } from '#server/publishing/nostr/nostr-events.store.ts'
import { nostrOutbox } from '#server/publishing/nostr/outbox.service.ts'
import { nostrRelays, nostrSigner, type NostrRelays } from '#server/publishing/nostr/relays.ts'
import { type NostrEvent } from '#server/publishing/ports.ts'
import {
  faultyRelay,
  type FaultyRelay,
  type SentEvent,
} from '#tests/support/stand-ins/faulty-relay.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { SILENT } from '#tests/support/test-site.ts'
import { expect, it } from 'vitest'
import { patiently } from '#tests/support/waiting.ts'

const KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const patience = { connectMs: 60_000, answerMs: 60_000, afterNoticeMs: 50 }

const database = onceForFile(testDatabase, (input) =>
  emptied({ database: input, refresh: () => Promise.resolve() }),
)
const signer = nostrSigner(KEY)

/** @param wrap goes between the outbox and its relays, to inject faults */
function world(
  rows: readonly FaultyRelay[],
  wrap: (real: NostrRelays) => NostrRelays = (real) => real,
) {
  const clock = { ms: Date.now(), now: () => clock.ms }
  const urls = rows.map(({ url }) => url)
  const relays = wrap(nostrRelays(urls, { signer, clock, patience }))
  const { db } = database()
  const box = openOutbox({ db, clock, log: SILENT, jobs: null })
  const outbox = nostrOutbox({ db, clock, log: SILENT, signer, relays, outbox: box })
  const { publisher } = outbox
  return {
    db,
    clock,
    box,
    outbox,
    publish: (event: NostrEvent) => publisher.publish(event, patiently(), relays.urls),
    note: (text = 'Tick tock') =>
      publisher.prepare({ text, pictures: [], at: clock.ms }, patiently()),
    /** The result of an event at each relay. */
    results: async (event: NostrEvent) => states(await publisher.results(event.id)),
  }
}

/** Without the relay list that accompanies a first note. */
const notes = (events: readonly SentEvent[]): SentEvent[] => events.filter(({ kind }) => kind === 1)

const states = (results: readonly { state: string }[]): string[] =>
  results.map(({ state }) => state)

it('a note is sent later, as the same event, to relays that could not accept it', async () => {
  await using good = await faultyRelay()
  await using busy = await faultyRelay('rate-limits')
  await using strict = await faultyRelay('refuses-notes')
  const site = world([good, busy, strict])
  const event = await site.note()
  expect(states(await site.publish(event))).toEqual(['accepted', 'later', 'refused'])
  busy.behaviour = 'takes'
  await site.outbox.sendDue()
  // Its pause is not over.
  expect(notes(busy.events)).toEqual([])
  site.clock.ms += MINUTE
  await site.outbox.sendDue()
  expect(notes(busy.events).map(({ id }) => id)).toEqual([event.id])
  expect([notes(good.seen).length, notes(strict.seen).length]).toEqual([1, 1])
  expect((await site.results(event)).toSorted()).toEqual(['accepted', 'accepted', 'refused'])
})

it('a note is retried while all relays are busy, and abandoned after days', async () => {
  await using relay = await faultyRelay('rate-limits')
  const site = world([relay])
  const event = await site.note()
  expect(states(await site.publish(event))).toEqual(['later'])
  for (let day = 0; day < 10; day += 1) {
    site.clock.ms += DAY
    await site.outbox.sendDue()
  }
  expect(await site.results(event)).toEqual(['refused'])
  relay.behaviour = 'takes'
  site.clock.ms += DAY
  await site.outbox.sendDue()
  expect(notes(relay.events)).toEqual([])
})

it('a note sent by a server that died before storing that is sent again as the same event', async () => {
  await using relay = await faultyRelay()
  let dies = true
  const site = world([relay], (real) => ({
    ...real,
    async send(...args) {
      const results = await real.send(...args)
      if (dies) throw new Error('the power is gone')
      return results
    },
  }))
  const event = await site.note()
  await expect(site.publish(event)).rejects.toThrow('the power is gone')
  expect(notes(relay.events)).toHaveLength(1)
  expect(await site.results(event)).toEqual(['later'])
  dies = false
  await site.outbox.sendDue()
  expect(notes(relay.seen)).toHaveLength(1)
  relay.behaviour = 'duplicate-false'
  site.clock.ms += 5 * MINUTE
  await site.outbox.sendDue()
  expect(notes(relay.seen).map(({ id }) => id)).toEqual([event.id, event.id])
  expect(await site.results(event)).toEqual(['already'])
})

it("many events respect a relay's requested wait, then go in batches, each once, from several processes", async () => {
  await using relay = await faultyRelay('rate-limits')
  const site = world([relay])
  const at = new Date(site.clock.ms).toISOString()
  for (let i = 0; i < 120; i += 1) {
    const event = await site.note(`Note ${String(i)}`)
    await keepEvent(site.db, { event, purpose: 'record', ref: null, at })
    const row = { key: event.id, ref: event.id, lane: relay.url, payload: { purpose: 'record' } }
    await site.box.add(site.db, TO_RELAYS, [row])
  }
  await site.outbox.sendDue()
  await site.outbox.sendDue()
  expect(relay.seen).toHaveLength(1)
  Object.assign(relay, { behaviour: 'takes', connections: 0 })
  site.clock.ms += 5 * MINUTE
  await Promise.all([site.outbox.sendDue(), site.outbox.sendDue(), site.outbox.sendDue()])
  expect(relay.events).toHaveLength(120)
  expect(new Set(relay.events.map(({ id }) => id)).size).toBe(120)
  expect(relay.connections).toBeLessThan(8)
})

it('the relay list is published once per change', async () => {
  await using one = await faultyRelay()
  await using two = await faultyRelay()
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
  // Within the same second, the last one is still the newest.
  site.clock.ms -= MINUTE
  await publishRelays()
  const times = one.events.map((list) => list.created_at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(new Set(times).size).toBe(3)
  expect(one.events.map(({ kind, tags }) => [kind, ...tags.map(([, url]) => url)])).toEqual([
    [10_002, one.url],
    [10_002, one.url, two.url],
    [10_002, one.url],
  ])
  expect(two.events).toHaveLength(1)
})

it('an invalid entry in the relay list is skipped and not published', async () => {
  await using good = await faultyRelay()
  const urls = ['entry 1 of NOSTR_RELAYS', good.url]
  const site = world([good], (real) => ({ ...real, urls }))
  const results = await site.publish(await site.note())
  expect(results.map(({ relay, state }) => [relay, state])).toEqual([
    ['entry 1 of NOSTR_RELAYS', 'refused'],
    [good.url, 'accepted'],
  ])
  site.clock.ms += MINUTE
  await site.outbox.sendDue()
  const lists = good.events.filter(({ kind }) => kind === 10_002)
  expect(lists.map(({ tags }) => tags)).toEqual([[['r', good.url]]])
})
