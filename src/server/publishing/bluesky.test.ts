import { expect, it } from 'vitest'
import { type Behaviour } from '#tests/support/stand-ins/faulty-server.ts'
import { pds, PDS_ACCOUNT } from '#tests/support/stand-ins/pds.ts'
import { blueskyPublisher, recordKey, timeOfKey } from './bluesky.ts'
import { type PostFault } from './ports.ts'

const AT = Date.parse('2026-11-20T12:00:00.123Z')
const ID = '6a1f0d0e-0000-4000-8000-000000000001'

it('links and hashtags on Bluesky have correct byte offsets after any characters', async () => {
  await using server = await pds()
  const { put } = publisher(server)
  const texts: readonly (readonly [string, readonly string[]])[] = [
    ['See https://example.org/a.', ['https://example.org/a']],
    ['👨‍👩‍👧‍👦 https://example.org/ä?b=1 🇨🇭', ['https://example.org/ä?b=1']],
    ['比特币：https://example.org/a #比特币', ['#比特币']],
    ['比特币 https://example.org/a #比特币', ['https://example.org/a', '#比特币']],
    ['שלום https://example.org/a #ביטקוין', ['https://example.org/a', '#ביטקוין']],
    ['é (example.org) and é', ['example.org']],
    [
      '$BTC and #Bitcoin, at the end https://example.org/x',
      ['$BTC', '#Bitcoin', 'https://example.org/x'],
    ],
    // People are not mentioned.
    ['Said @alice.bsky.social and @bob', []],
  ]
  for (const [text, live] of texts) {
    await put(text)
    const { facets = [], text: posted } = [...server.records.values()].at(-1) ?? { text: '' }
    const bytes = Buffer.from(posted)
    const found = facets.map(({ index }) =>
      bytes.subarray(index.byteStart, index.byteEnd).toString(),
    )
    expect([text, found]).toEqual([text, live])
  }
})

it('a post with the same key is byte for byte the same post, not a second one', async () => {
  await using server = await pds()
  const { put } = publisher(server)
  await put('Once', ID)
  await put('Once', ID)
  expect(server.records.size).toBe(1)
  expect(new Set(server.writes.map(({ body }) => body)).size).toBe(1)
})

it('a rejection by the server is explained, without revealing a wrong password', async () => {
  await using server = await pds()
  const { post } = publisher(server)
  expect(await post('a'.repeat(301))).toMatchObject({ state: 'refused', reason: 'too-long' })
  const wrong = publisher(server, { password: 'wron-gpas-swor-dxxx' })
  const refused = await wrong.post('Hello')
  expect(refused).toMatchObject({ state: 'refused', reason: 'keys' })
  expect(JSON.stringify(refused)).not.toContain('wron')
})

const TAKEDOWN = { status: 401, error: 'AccountTakedown' }
const INVALID = { status: 400, error: 'InvalidRequest' }
it.each<[string, Partial<Record<'login' | 'put', Behaviour>>, object]>([
  ['closed', { login: TAKEDOWN }, { state: 'refused', reason: 'not-permitted' }],
  ['a fault of ours', { put: INVALID }, { state: 'refused', reason: 'other' }],
  ['too large', { put: { status: 413 } }, { state: 'refused', reason: 'pictures' }],
  ['sign-in not possible now', { login: { status: 503 } }, { state: 'unsent' }],
  ['too many calls', { put: { status: 429 } }, { state: 'limited' }],
])('a rejection is read: %s', async (_, behaviour, message) => {
  await using server = await pds()
  Object.assign(server.behaviour, behaviour)
  expect(await publisher(server).post('Hello')).toMatchObject(message)
})

it('an ambiguous or missing answer is not a rejection', async () => {
  await using server = await pds()
  const { post } = publisher(server)
  server.behaviour.get = 'close'
  const behaviours = [408, 500, 503, 200].map((status) => ({ status }))
  for (const put of [...behaviours, 'close'] as const) {
    server.behaviour.put = put
    expect([put, await post('Hello')]).toMatchObject([put, { state: 'unknown' }])
  }
  await server.down()
  expect(await post('Hello')).toMatchObject({ state: 'unsent' })
})

it('a session that ended is begun again, once', async () => {
  await using server = await pds()
  server.behaviour.put = { status: 401, error: 'AuthMissing' }
  expect(await publisher(server).post('Hello')).toMatchObject({ state: 'refused', reason: 'keys' })
  expect(server.logins).toHaveLength(2)
})

it('record keys encode their time and increase', () => {
  const key = recordKey(AT, ID)
  expect(key).toMatch(/^[234567abcdefghij][234567a-z]{12}$/)
  expect(timeOfKey(key)).toBe(AT)
  expect(recordKey(AT, ID.replace('0e-', '0f-').replace('01', '02'))).not.toBe(key)
  expect(recordKey(AT + 1, ID) > key).toBe(true)
})

function publisher(server: Awaited<ReturnType<typeof pds>>, part: { password?: string } = {}) {
  const { url, callLimit } = server
  const made = blueskyPublisher({ ...PDS_ACCOUNT, ...part, url, callLimit })
  let n = 0
  const post = (text: string, id?: string) => {
    n += 1
    const key = recordKey(AT + (id === undefined ? n : 0), id ?? ID)
    const signal = AbortSignal.timeout(20_000)
    const ask = { signal, beforePost: () => Promise.resolve(), onLimits: () => {} }
    return made.post({ key, text, pictures: [] }, ask).catch(({ not }: PostFault) => not)
  }
  return {
    post,
    put: async (text: string, id?: string) => {
      expect(await post(text, id)).toMatch(/^at:/)
    },
  }
}
