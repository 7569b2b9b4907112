// Over 400 lines: relays and picture servers, and what is sent to them later.

import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { openOutbox } from '#server/kit/outbox.ts'
import { signNote, blossomPictures } from '#server/publishing/nostr/blossom.ts'
import { keepEvent, TO_RELAYS } from '#server/publishing/nostr/outbox.service.ts'
import { nostrOutbox } from '#server/publishing/nostr/outbox.service.ts'
import { nostrRelays, nostrSigner, type NostrRelays } from '#server/publishing/nostr/relays.ts'
import { type NostrEvent, type RelayResult, type Picture } from '#server/publishing/ports.ts'
import { xPublisher } from '#server/publishing/x.ts'
import { readNotes, realRelay } from '#tests/support/nostr-relay.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { JPEG, noisyJpeg } from '#tests/support/pictures.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { form, PICTURES, POSTS, postOf } from '#tests/support/social-world.ts'
import { blossomServer, type BlossomBehaviour } from '#tests/support/stand-ins/blossom-server.ts'
import {
  faultyRelay,
  type RelayBehaviour,
  type FaultyRelay,
  type SentEvent,
} from '#tests/support/stand-ins/faulty-relay.ts'
import { serving } from '#tests/support/stand-ins/serving.ts'
import { X_KEYS, xServer } from '#tests/support/stand-ins/x-server.ts'
import { testApp, testDatabase } from '#tests/support/test-app.ts'
import { SILENT } from '#tests/support/test-site.ts'
import { patiently } from '#tests/support/waiting.ts'

const NOW = Date.now()
const clock = { now: () => NOW }
const KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const signer = nostrSigner(KEY)
/** Long timeouts, so that a slow machine does not look like a silent relay; short ones for relays that are silent. */
const patience = { connectMs: 60_000, answerMs: 60_000, afterNoticeMs: 50 }
const hurried = { ...patience, connectMs: 500, answerMs: 500 }
const UNANSWERED: readonly RelayBehaviour[] = ['silent', 'hangs', 'answers-for-others']

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

const states = (results: readonly { state: string }[]): string[] =>
  results.map(({ state }) => state)

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
  const give = UNANSWERED.includes(behaviour) ? hurried : patience
  const [result] = await sent(relay.url, [await note()], { give })
  expect(result).toMatchObject({ relay: relay.url, state })
  expect(result?.reason ?? 'no word').toMatch(reason)
})

it('an unresponsive relay does not reply', async () => {
  const closed = await serving(() => {})
  await closed[Symbol.asyncDispose]()
  expect(await sent(closed.origin.replace('http', 'ws'), [await note()])).toMatchObject([
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

it('an aborted call is to be retried later', async () => {
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

const PICTURE: Picture = {
  bytes: Buffer.from('not really a picture, and nobody here looks'),
  type: 'image/png',
  width: 1_200,
  height: 675,
  alt: 'A price line,\nand a level it reaches',
}
const SHA256 = createHash('sha256').update(PICTURE.bytes).digest('hex')

function host(servers: readonly string[], withinMs = 60_000) {
  return blossomPictures(servers, signer, clock, withinMs)
}

it.each<BlossomBehaviour>(['takes', 'base64-only', 'base64url-only'])(
  'a picture is uploaded to a server that %s',
  async (behaviour) => {
    await using server = await blossomServer(behaviour)
    const made = await host([server.url]).upload(PICTURE, patiently())
    expect(made).toMatchObject({ url: `${server.url}/${SHA256}.png`, sha256: SHA256, width: 1_200 })
    expect(server.stored.get(SHA256)).toEqual({ bytes: PICTURE.bytes, type: 'image/png' })
    expect((await host([server.url]).upload(PICTURE, patiently())).url).toBe(made.url)
  },
)

it('a picture is uploaded to the first server that works', async () => {
  await using broken = await blossomServer({ status: 503 })
  await using hangs = await blossomServer('hangs')
  await using good = await blossomServer()
  const made = await host([broken.url, hangs.url, good.url], 1_000).upload(PICTURE, patiently())
  expect(made.url).toContain(good.url)
})

const NO_MEMBER = { status: 401, reason: 'not a member' }
const NO_TYPE = { status: 415, reason: 'only\twebp' }
it.each<[string, BlossomBehaviour, string, RegExp]>([
  ['no key', NO_MEMBER, 'refused', /rejected the key of this site \(HTTP 401\): “not a member”/],
  ['payment', { status: 402 }, 'refused', /requires payment for pictures/],
  ['size', { status: 413 }, 'refused', /too large/],
  ['type', NO_TYPE, 'refused', /of this type \(HTTP 415\): “only webp”/],
  ['too many', { status: 429 }, 'busy', /no more pictures for now/],
  ['trouble', { status: 500 }, 'down', /HTTP 500/],
  ['silence', 'hangs', 'down', /did not answer in time/],
  ['a redirect', 'redirects', 'down', /cannot be reached/],
  ['another picture', 'shrinks', 'refused', /stored a different picture than the one sent/],
  ['no JSON', 'html', 'refused', /did not say where the picture is/],
  ['too much', 'huge', 'refused', /sent more than 65536 bytes/],
])('an upload to %s is reported', async (_, behaviour, expected, message) => {
  await using server = await blossomServer(behaviour)
  const input = host([server.url], behaviour === 'hangs' ? 300 : undefined)
  await expect(input.upload(PICTURE, patiently())).rejects.toMatchObject({
    fault: expected,
    message: expect.stringMatching(message),
  })
})

it('a note names each picture in its text and in a tag with its details', async () => {
  await using server = await blossomServer()
  const note = { text: 'Said so.\n', pictures: [PICTURE], at: 1_700_000_000_999 }
  const url = `${server.url}/${SHA256}.png`
  const alt = 'alt A price line, and a level it reaches'
  expect(await signNote(signer, host([server.url]), note, patiently())).toMatchObject({
    kind: 1,
    created_at: 1_700_000_000,
    content: `Said so.\n\n${url}`,
    tags: [['imeta', `url ${url}`, 'm image/png', `x ${SHA256}`, 'dim 1200x675', alt]],
  })
})

it.each([
  [415, 'refused'],
  [503, 'unsent'],
])('a note is not signed if its picture cannot be uploaded (%i)', async (status, state) => {
  await using server = await blossomServer({ status })
  const note = { text: 'Said so.', pictures: [PICTURE], at: 0 }
  await expect(signNote(signer, host([server.url]), note, patiently())).rejects.toMatchObject({
    not: { state },
  })
})

it('a post reaches X and real relays with the same picture, and one bad relay stops no other', async () => {
  await using relay = await realRelay()
  await using refusing = await faultyRelay('refuses-notes')
  await using blossom = await blossomServer()
  await using x = await xServer()
  const clock = { now: () => Date.now() }
  const publisher = xPublisher({ url: x.url, keys: X_KEYS, clock })
  await using site = await testApp({
    clock,
    settings: {
      nostr: {
        privateKey: KEY,
        relays: [relay.url, refusing.url, 'ws://127.0.0.1:1', 'not an address'],
        pictureServers: [blossom.url],
      },
    },
    ports: { x: { publisher, keyHash: 'keys' } },
  })
  const admin = await signedIn(site)
  const upload = await form([['image', noisyJpeg(JPEG), 'photo.jpg']])
  const headers = { ...admin.headers, ...upload.headers }
  const taken = await site.app.inject({ method: 'POST', url: PICTURES, ...upload, headers })
  const { id } = taken.json<{ picture: { id: string } }>().picture
  const sent = await admin.call('POST', POSTS, {
    action: 'send',
    networks: ['x', 'nostr'],
    x_text: 'On X',
    nostr_text: 'On Nostr #Bitcoin',
    pictures: [{ id, alt: 'A chart' }],
  })
  const [onX, onNostr] = postOf(sent.body).results
  expect(onX).toMatchObject({ network: 'x', state: 'posted', remote_id: x.posts[0]?.id })
  expect(onNostr).toMatchObject({ network: 'nostr', state: 'posted' })
  const states = new Map(onNostr?.relays?.map((one) => [one.relay, one.state]))
  expect([...states.values()]).toEqual(['accepted', 'refused', 'later', 'refused'])

  const [note] = await readNotes(relay.url, { kinds: [1] })
  expect(note?.id).toBe(onNostr?.remote_id)
  const imeta = note?.tags.find(([name]) => name === 'imeta') ?? []
  expect(imeta).toEqual(expect.arrayContaining(['m image/jpeg', 'dim 8x12', 'alt A chart']))
  const [hosted] = [...blossom.stored.values()]
  const [uploaded] = [...x.media.values()]
  expect(hosted?.bytes.equals(uploaded?.bytes ?? Buffer.alloc(0))).toBe(true)
  expect(hosted?.bytes.toString('latin1')).not.toMatch(/secret|GPS/)

  const status = await admin.call('GET', '/api/nostr/status')
  expect(status.body).toMatchObject({
    configured: true,
    publicKey: expect.stringMatching(/^npub1/) as string,
    connectedRelays: 2,
    totalRelays: 4,
    faults: expect.arrayContaining(['not an address is not the address of a relay.']),
  })
  // The key itself is shown nowhere.
  const rows = await site.sql(
    'select p::text || r::text as text from social_posts p join outbox r on r.ref = p.id::text',
  )
  expect(JSON.stringify([sent.body, status.body, rows])).not.toContain(KEY)
})

it('an administrator can resend a note to a relay that rejected it, and the new result is stored', async () => {
  await using relay = await faultyRelay('refuses-notes')
  await using site = await testApp({
    clock: { now: () => Date.now() },
    settings: { nostr: { privateKey: KEY, relays: [relay.url] } },
  })
  const admin = await signedIn(site)
  const first = await admin.call('POST', '/api/nostr/post', { content: 'Patience' })
  expect(first.body).toMatchObject({ success: false, details: [{ state: 'refused' }] })
  relay.behaviour = 'takes'
  const { id, results } = postOf(first.body)
  const eventId = results[0]?.remote_id ?? ''
  const again = await admin.call('POST', `${POSTS}/${id}/send`, {})
  expect(postOf(again.body).results).toMatchObject([
    { state: 'posted', remote_id: eventId, relays: [{ relay: relay.url, state: 'accepted' }] },
  ])
  const known = await site.nostr.outbox?.publisher.results(eventId)
  expect(known).toMatchObject([{ relay: relay.url, state: 'accepted' }])
  const notes = relay.seen.filter(({ kind }) => kind === 1)
  expect(notes.map((one) => one.id)).toEqual([eventId, eventId])
})

const MINUTE = 60_000
const DAY = 1_440 * MINUTE

const database = onceForFile(testDatabase, (input) =>
  emptied({ database: input, refresh: () => Promise.resolve() }),
)

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
  // A relay that has accepted a note keeps that result whatever it says to the same note later.
  busy.behaviour = 'rate-limits'
  await site.publish(event)
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
