import { xPublisher } from '#server/publishing/x.ts'
import { readNotes, realRelay } from '#tests/support/nostr-relay.ts'
import { form, POSTS, postOf } from '#tests/support/social-world.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { blossomServer } from '#tests/support/stand-ins/blossom-server.ts'
import { faultyRelay } from '#tests/support/stand-ins/faulty-relay.ts'
import { X_KEYS, xServer } from '#tests/support/stand-ins/x-server.ts'
import { JPEG, noisyJpeg } from '#tests/support/pictures.ts'
import { testApp } from '#tests/support/test-app.ts'
import { expect, it } from 'vitest'

const KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'

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
  const upload = form([['image', noisyJpeg(JPEG), 'photo.jpg']])
  const taken = await site.app.inject({
    method: 'POST',
    url: '/api/v1/admin/social/pictures',
    ...upload,
    headers: { ...admin.headers, ...upload.headers },
  })
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
  const { rows } = await site.database.pool.query<{ text: string }>(
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
