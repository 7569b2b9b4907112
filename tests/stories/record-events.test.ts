import { createHash } from 'node:crypto'
import { nip19 } from 'nostr-tools'
import { verifyEvent } from 'nostr-tools/pure'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { onePrediction } from '#contracts/predictions.ts'
import { signedRecord } from '#contracts/signed-record.ts'
import { signRecord } from '#server/attestation/attestation.commands.ts'
import { PREDICTION_KIND, VERDICT_KIND } from '#server/attestation/event-format.ts'
import { type nostrRelays, nostrSigner } from '#server/publishing/nostr/relays.ts'
import { openSite } from '#server/site.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { isSigned, readNotes, realRelay } from '#tests/support/nostr-relay.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { faultyRelay } from '#tests/support/stand-ins/faulty-relay.ts'
import { testApp, type TestApp } from '#tests/support/test-app.ts'
import { testPorts } from '#tests/support/test-site.ts'
import { shows } from '#tests/support/waiting.ts'

const KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const OTHER_KEY = '0'.repeat(63) + '1'
const PUBKEY = nostrSigner(KEY).publicKey

type Relays = Parameters<typeof nostrRelays>[0]

function world(relays: Relays = [], privateKey: string | null = KEY): Promise<TestApp> {
  const clock = { now: () => Date.now() }
  const publishRecord = relays.length > 0
  return testApp({ clock, settings: { nostr: { privateKey, relays: [...relays], publishRecord } } })
}

/** Two predictions of Expert A, of which nothing is signed yet. */
async function filled<Site extends TestApp>(site: Site): Promise<Site> {
  await emptied(site)
  await site.publish(entry('jane-1'), entry('jane-2', { price_target: 90 }))
  return site
}

const signing = onceForFile(
  () => world(),
  async (site) => void (await filled(site)),
)

const recordOf = (site: TestApp, id = 'jane-1') => site.read(signedRecord, id)

const tag = (event: { tags: string[][] } | undefined, name: string): string | null =>
  event?.tags.find(([input]) => input === name)?.[1] ?? null

const Content = z.object({
  v: z.literal(1),
  claim: z.record(z.string(), z.unknown()).optional(),
  claim_sha256: z.string().nullable(),
  change: z.string().optional(),
  note: z.string().optional(),
  state: z.string().optional(),
  state_reason: z.string().nullish(),
  verdict: z.object({ outcome: z.string(), mode: z.string(), rule: z.number() }).optional(),
})

function contentOf(event: { content: string } | undefined): z.infer<typeof Content> {
  return Content.parse(JSON.parse(event?.content ?? 'null'))
}

/**
 * Signs the record before and after a change.
 *
 * @returns the events for jane-1 then, and the number of newly signed ones
 */
async function signedAround(change: (site: TestApp) => Promise<unknown>) {
  const site = signing()
  await site.nostr.record.sign()
  const before = await recordOf(site)
  await change(site)
  const signed = await site.nostr.record.sign()
  return { before, signed, after: await recordOf(site) }
}

/** As described in docs/signed-record.md, without any code of the site. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const pairs = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${pairs.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('the record', () => {
  it('is signed: the prediction and both verdicts, verifiable with other libraries', async () => {
    const site = signing()
    expect(await site.nostr.record.sign()).toBe(6)
    const { in_force: events, pubkey, npub, naddr, earlier } = await recordOf(site)
    expect(events.map(({ kind, tags }) => [kind, tag({ tags }, 'd')])).toEqual([
      [PREDICTION_KIND, 'jane-1'],
      [VERDICT_KIND, 'jane-1/touch'],
      [VERDICT_KIND, 'jane-1/close'],
    ])
    expect(earlier).toEqual([])
    for (const event of events) {
      expect(verifyEvent({ ...event })).toBe(true)
      expect(await isSigned(event)).toBe(true)
      const { pubkey: by, created_at: at, kind, tags, content } = event
      expect(event.id).toBe(sha256(JSON.stringify([0, by, at, kind, tags, content])))
      expect(content).toBe(canonical(JSON.parse(content)))
    }
    const [prediction, touch] = events
    const { claim, claim_sha256: hash, state } = contentOf(prediction)
    expect(claim).toMatchObject({
      asset: 'btc',
      expert_name: 'Expert A',
      prediction_type: 'target',
      price_target: 150,
      prediction_made: '2024-01-01',
      target_time: '2024-01-10',
      source_url: 'https://example.org/source',
    })
    expect(state).toBe('published')
    expect(hash).toBe(sha256(canonical(claim)))
    const hashes = [tag(prediction, 'x'), tag(touch, 'x'), contentOf(touch).claim_sha256]
    expect(hashes).toEqual([hash, hash, hash])
    expect(tag(touch, 'a')).toBe(`${String(PREDICTION_KIND)}:${PUBKEY}:jane-1`)
    expect(pubkey).toBe(PUBKEY)
    expect(nip19.decode(npub)).toEqual({ type: 'npub', data: PUBKEY })
    expect((await site.read(onePrediction, 'jane-1')).record).toMatchObject({
      event_id: prediction?.id,
      npub: nip19.npubEncode(PUBKEY),
      verdict_ids: { touch: touch?.id, close: events[2]?.id },
    })
    const address = { identifier: 'jane-1', pubkey: PUBKEY, kind: PREDICTION_KIND }
    expect(nip19.decode(naddr).data).toMatchObject(address)
  })

  it('is signed once, even by several processes, and identically from a database that lost its events', async () => {
    const site = signing()
    const made = await Promise.all(Array.from({ length: 5 }, () => site.nostr.record.sign()))
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(6)
    const before = await recordOf(site)
    expect(await site.nostr.record.sign()).toBe(0)
    await site.sql('delete from record_events')
    await site.sql('delete from nostr_events')
    expect(await site.nostr.record.sign()).toBe(6)
    const after = await recordOf(site)
    expect(after.in_force.map(({ id }) => id)).toEqual(before.in_force.map(({ id }) => id))
  })

  it('gains a newer event for each verdict, which names the previous one', async () => {
    // jane-2 said $90, which stays unreached: its verdicts do not change.
    const { before, after } = await signedAround(({ imports }) =>
      imports.prices('btc', closesFile('2024-01-01', [100, 160]), 'test'),
    )
    const [prediction, touch] = after.in_force
    expect(prediction).toEqual(before.in_force[0])
    expect(contentOf(touch).verdict).toMatchObject({ outcome: 'hit', mode: 'touch', rule: 2 })
    expect(tag(touch, 'previous')).toBe(before.in_force[1]?.id)
    expect(touch?.created_at).toBeGreaterThan(before.in_force[1]?.created_at ?? Infinity)
    expect(after.earlier.map(({ id }) => id)).toContain(before.in_force[1]?.id)
  })

  it('keeps withdrawn predictions, with their state and reason', async () => {
    const { before, signed, after } = await signedAround(async ({ database, refresh }) => {
      await database.sql(
        `update predictions set withdrawn_at = now(), withdrawn_reason = 'It was a joke.' where id = 'jane-1'`,
      )
      await refresh()
    })
    expect(signed).toBe(1)
    const [prediction, touch, close] = after.in_force
    expect(contentOf(prediction)).toMatchObject({
      state: 'withdrawn',
      state_reason: 'It was a joke.',
    })
    expect(contentOf(prediction).claim_sha256).toBe(contentOf(before.in_force[0]).claim_sha256)
    expect(tag(prediction, 'previous')).toBe(before.in_force[0]?.id)
    expect([touch, close]).toEqual(before.in_force.slice(1))
    expect(after.earlier).toEqual([before.in_force[0]])
  })

  it('makes a new claim if the statement was corrected', async () => {
    const { before, signed, after } = await signedAround(({ imports }) =>
      imports.predictions(JSON.stringify([entry('jane-1', { summary: 'Said it so.' })])),
    )
    expect(signed).toBe(1)
    const [claim, earlier] = [after, before].map(({ in_force: [one] }) => contentOf(one))
    expect(claim?.claim_sha256).not.toBe(earlier?.claim_sha256)
    // The verdicts stay as signed, and the claim that they judged can still be read.
    const [, ...verdicts] = after.in_force
    expect(verdicts).toEqual(before.in_force.slice(1))
    const judged = after.earlier.find(
      ({ kind, tags }) => kind === PREDICTION_KIND && tag({ tags }, 'x') === tag(verdicts[0], 'x'),
    )
    expect(sha256(canonical(contentOf(judged).claim))).toBe(tag(verdicts[0], 'x'))
  })

  it('signs timing and direction only if the words state them, which leaves older claims unchanged', async () => {
    const terms = { timing: 'at_end', direction: 'up' }
    const { before, after } = await signedAround(({ imports }) =>
      imports.predictions(JSON.stringify([entry('jane-1', terms)])),
    )
    const { claim } = contentOf(before.in_force[0])
    expect(claim).not.toHaveProperty('timing')
    expect(contentOf(after.in_force[0]).claim).toEqual({ ...claim, ...terms })
    expect(tag(after.in_force[0], 'alt')).toContain('target $150 on 10/01/2024')
  })

  it('is signed again for a new best source, but not for a further one', async () => {
    const site = signing()
    const message = { kind: 'report', url: 'https://example.org/report' }
    const read = async (...sources: readonly object[]): Promise<number> => {
      await site.imports.predictions(JSON.stringify([entry('jane-1', { sources })]))
      return site.nostr.record.sign()
    }
    await read(message)
    const [before] = (await recordOf(site)).in_force
    expect(tag(before, 'r')).toBe(message.url)
    expect(await read(message, { kind: 'repost', url: 'https://example.org/repost' })).toBe(0)
    expect(await read(message, { kind: 'filing', url: 'https://www.sec.gov/filing' })).toBe(1)
    const [after] = (await recordOf(site)).in_force
    expect(tag(after, 'r')).toBe('https://www.sec.gov/filing')
    expect(tag(after, 'previous')).toBe(before?.id)
    expect(contentOf(after).claim_sha256).not.toBe(contentOf(before).claim_sha256)
  })

  it('does not link a verdict before a correction to the claim after it', async () => {
    const site = signing()
    // Corrected before anything was signed, as when a key is set up later.
    await site.imports.predictions(JSON.stringify([entry('jane-1', { price_target: 120 })]))
    await site.nostr.record.sign()
    const { in_force: events, earlier } = await recordOf(site)
    const claim = contentOf(events[0]).claim_sha256
    for (const verdict of events.slice(1)) {
      expect(contentOf(verdict)).toMatchObject({ change: 'statement', claim_sha256: claim })
      expect(tag(verdict, 'x')).toBe(claim)
      const before = earlier.find(({ id }) => id === tag(verdict, 'previous'))
      expect(contentOf(before)).toMatchObject({ change: 'first', claim_sha256: null })
      expect([tag(before, 'x'), tag(before, 'd')]).toEqual([null, tag(verdict, 'd')])
      // The sentences of the history, each with its own verdict.
      const mode = tag(verdict, 'd')?.split('/')[1] ?? ''
      const by = mode === 'touch' ? 'intraday prices' : 'daily closes'
      expect(contentOf(before).note).toBe(`First verdict by ${by}: PENDING.`)
      expect(contentOf(verdict).note).toMatch(new RegExp(`^Judged again as corrected, by ${by}:`))
    }
    expect(earlier).toHaveLength(2)
  })

  it('follows a merge of two people, and its reversal', async () => {
    const site = signing()
    await site.imports.predictions(JSON.stringify([entry('joe-1', { expert_name: 'Expert B' })]))
    await site.nostr.record.sign()
    const admin = await signedIn(site)
    const rows = await site.sql('select id, name from influencers')
    const idOf = (name: string): number => Number(rows.find((one) => one.name === name)?.id)
    const url = `/api/v1/admin/experts/${String(idOf('Expert B'))}/merge`
    const merge = { version: 0, into: idOf('Expert A'), reason: 'One person.' }
    expect((await admin.call('POST', url, merge)).status).toBe(200)
    expect(await site.nostr.record.sign()).toBe(1)
    expect(await site.nostr.record.sign()).toBe(0)
    const { in_force: events, earlier } = await recordOf(site, 'joe-1')
    const [prediction, touch] = events
    expect(contentOf(prediction).claim).toMatchObject({ expert_name: 'Expert A' })
    const before = earlier.find(({ id }) => id === tag(prediction, 'previous'))
    expect(contentOf(before).claim).toMatchObject({ expert_name: 'Expert B' })
    expect(prediction?.created_at).toBeGreaterThan(before?.created_at ?? Infinity)
    // The verdict judges the earlier claim, which can still be read.
    expect(tag(touch, 'x')).toBe(contentOf(before).claim_sha256)
    const back = `update predictions set influencer_id = $1 where id = 'joe-1'`
    await site.sql(back, [idOf('Expert B')])
    expect(await site.nostr.record.sign()).toBe(1)
    const [parted] = (await recordOf(site, 'joe-1')).in_force
    expect(contentOf(parted).claim_sha256).toBe(contentOf(before).claim_sha256)
    expect(tag(parted, 'previous')).toBe(prediction?.id)
  })

  it('is signed again with a new key, and the old one remains readable', async () => {
    const site = signing()
    await site.nostr.record.sign()
    const old = await recordOf(site)
    const nostr = { ...site.kit.config.nostr, privateKey: OTHER_KEY }
    const config = { ...site.kit.config, nostr }
    const next = await openSite({ ...site.kit, config }, testPorts({ ...site.kit, config }))
    expect(await next.nostr.record.sign()).toBe(6)
    await next.stop()
    const { pubkey, earlier } = await recordOf(site)
    expect(pubkey).toBe(nostrSigner(OTHER_KEY).publicKey)
    expect(earlier.map(({ id }) => id)).toEqual(
      expect.arrayContaining(old.in_force.map(({ id }) => id)),
    )
    // A verdict that the new key has not signed yet is not shown as its own.
    await site.sql('delete from record_events where pubkey = $1 and mode is not null', [pubkey])
    const { record } = await site.read(onePrediction, 'jane-1')
    expect(record?.verdict_ids).toEqual({ touch: null, close: null })
  })

  it('is not signed without a key', async () => {
    await using site = await filled(await world([], null))
    expect(await site.nostr.record.sign()).toBe(0)
    expect((await site.get('/api/v1/record/jane-1')).status).toBe(404)
    expect((await site.read(onePrediction, 'jane-1')).record).toBeNull()
  })
})

describe('on relays', () => {
  async function publish(site: TestApp): Promise<void> {
    await site.nostr.record.sign()
    await site.nostr.outbox?.announceRelays()
    await site.nostr.outbox?.queueRecord()
    await site.nostr.outbox?.sendDue()
  }

  it('the record on relays is readable by another client, and replaceable', async () => {
    await using relay = await realRelay()
    await using site = await filled(await world([relay.url]))
    await publish(site)
    const read = (kind: number) => readNotes(relay.url, { kinds: [kind], authors: [PUBKEY] })
    const stored = await read(PREDICTION_KIND)
    const { in_force: events } = await recordOf(site)
    expect(stored.map(({ id }) => id)).toContain(events[0]?.id)
    expect(stored).toHaveLength(2)
    expect(await read(VERDICT_KIND)).toHaveLength(4)
    expect((await read(10_002)).map(({ tags }) => tags)).toEqual([[['r', relay.url]]])
    await site.imports.prices('btc', closesFile('2024-01-01', [100, 160]), 'test')
    await publish(site)
    const verdicts = await read(VERDICT_KIND)
    const touch = verdicts
      .filter(({ tags }) => tags.some(([name, value]) => name === 'd' && value === 'jane-1/touch'))
      .toSorted((a, b) => b.created_at - a.created_at)[0]
    expect(contentOf(touch).verdict?.outcome).toBe('hit')
    expect(await read(10_002)).toHaveLength(1)
  })

  it('the record is sent to relays automatically, without replaced events', async () => {
    await using relay = await faultyRelay()
    await using site = await filled(await world([relay.url]))
    await site.nostr.record.sign()
    await site.nostr.outbox?.queueRecord()
    await site.imports.prices('btc', closesFile('2024-01-01', [100, 160]), 'test')
    await publish(site)
    expect(relay.events.map(({ kind }) => kind).toSorted((a, b) => a - b)).toEqual([
      10_002,
      PREDICTION_KIND,
      PREDICTION_KIND,
      ...Array<number>(4).fill(VERDICT_KIND),
    ])
    const { in_force: events, earlier } = await recordOf(site)
    const ids = relay.events.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(events.map(({ id }) => id)))
    expect(earlier.length).toBeGreaterThan(0)
    expect(earlier.filter(({ id }) => ids.includes(id))).toEqual([])
    await site.imports.predictions(JSON.stringify([entry('jane-3', { price_target: 80 })]))
    site.nostr.start()
    site.jobs.work()
    await shows(() => expect(relay.events).toHaveLength(10))
  })

  it('the record is also sent by the command line, which reports the result of each relay', async () => {
    await using relay = await faultyRelay()
    await using strict = await faultyRelay('rate-limits')
    const site = signing()
    const needs = {
      db: site.database.db,
      clock: { now: () => Date.now() },
      log: { info: () => {}, warn: () => {}, error: () => {} },
    }
    const settings = {
      privateKey: KEY,
      relays: [relay.url, strict.url],
      pictureServers: [],
      name: null,
      publishRecord: false,
    }
    const { npub } = nostrSigner(KEY)
    expect(await signRecord({ ...needs, settings }, false)).toBe(`6 events signed by ${npub}.`)
    expect((await signRecord({ ...needs, settings }, true)).split('\n')).toEqual([
      `0 events signed by ${npub}.`,
      `${relay.url}: 6 taken.`,
      `${strict.url}: 6 waiting.`,
      'The running site, or this command later, sends the rest.',
    ])
    const keyless = { ...settings, privateKey: null }
    await expect(signRecord({ ...needs, settings: keyless }, true)).rejects.toThrow(
      /Set NOSTR_PRIVATE_KEY/,
    )
  })
})
