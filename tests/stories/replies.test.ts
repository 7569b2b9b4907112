// Over 400 lines: every way to prove a reply, and what becomes of it, on one site.

import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { listExpertsAdmin, oneExpertAdmin } from '#contracts/corrections.ts'
import { followWays } from '#contracts/following.ts'
import { listAudit } from '#contracts/operations.ts'
import { oneExpert, onePrediction } from '#contracts/predictions.ts'
import {
  listReplies,
  ownReply,
  prepareWithdrawal,
  replyWays,
  sendReply,
  prepareReply,
  type PreparedReply,
  type UnsignedReply,
} from '#contracts/replies.ts'
import { adminHome } from '#contracts/review.ts'
import { npubOf } from '#domain/publishing/nostr.ts'
import { postSources } from '#server/composition/ports.ts'
import { entry, closesFile } from '#tests/support/builders.ts'
import { shareByFile } from '#tests/support/once-for-file.ts'
import { approve, handIn, movingClock, audited } from '#tests/support/review.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { idAt, startPostServices } from '#tests/support/stand-ins/post-services.ts'
import { testApp } from '#tests/support/test-app.ts'
import { until, waitingForLocks } from '#tests/support/waiting.ts'

const ADMIN = '/api/v1/admin/replies'

/** A person's key, as held by a signer outside the site. */
function nostrPerson() {
  const secret = generateSecretKey()
  return {
    secret,
    npub: npubOf(getPublicKey(secret)),
    sign: (draft: UnsignedReply, change: Partial<UnsignedReply> = {}) =>
      wire(finalizeEvent({ ...draft, ...change }, secret)),
  }
}

/** The event on the wire, without the library's verification mark. */
const wire = (event: object): object => z.looseObject({}).parse(JSON.parse(JSON.stringify(event)))

/**
 * A site with a prediction whose submission named the key and the account of its person, both confirmed by an
 * administrator, and a local stand-in for X.
 */
async function replyWorld() {
  const x = await startPostServices()
  const clock = movingClock()
  const world = await testApp({
    clock,
    ports: { posts: postSources(x.settings) },
    settings: { contacts: { social: null, nostr: null, email: 'desk@example.org' } },
  })
  await world.imports.prices('btc', closesFile('2026-01-01', Array(20).fill(100)), 'test')
  const admin = await signedIn(world)
  const person = nostrPerson()
  const submitted = await handIn(admin, { nostr_npub: person.npub })
  const { prediction_id: id } = await approve(admin, submitted)
  await world.refresh()
  const keys = '/api/v1/admin/experts'
  const [theirs] = (await admin.read(listExpertsAdmin, keys)).rows
  if (!theirs) throw new Error('no person')
  const personUrl = `${keys}/${String(theirs.id)}`

  async function edit(change: object) {
    const { version } = await admin.read(oneExpertAdmin, personUrl)
    return admin.call('PUT', personUrl, { version, ...change })
  }

  await edit({ npubs: [person.npub], confirm_handles: ['@ExpertA'] })
  const subject = { kind: 'prediction' as const, id }
  let network = 0

  /** A visitor's call, each from its own network by default. */
  async function visit(method: 'GET' | 'POST', url: string, body?: object, from?: string) {
    network += 1
    const answer = await world.app.inject({
      method,
      url,
      remoteAddress: from ?? `10.${String(network >> 8)}.${String(network & 255)}.1`,
      ...(body === undefined ? {} : { payload: body }),
    })
    const read = answer.json<unknown>()
    const failed = z
      .object({ error: z.string(), fields: z.record(z.string(), z.string()).optional() })
      .safeParse(read)
    return {
      status: answer.statusCode,
      error: failed.data?.error ?? null,
      fields: failed.data?.fields ?? {},
      body: read,
    }
  }

  return {
    world,
    admin,
    person,
    clock,
    x,
    id,
    subject,
    personUrl,
    edit,
    visit,
    ways: async () =>
      replyWays.reply.parse((await visit('POST', replyWays.path, { subject })).body),
    queue: () => admin.read(listReplies),
    publish: (reply: string | undefined, body: object = {}) =>
      admin.call('POST', `${ADMIN}/${String(reply)}/publish`, body),
    decline: (reply: string | undefined, reason: string) =>
      admin.call('POST', `${ADMIN}/${String(reply)}/decline`, { reason }),
    /** Puts a post on X. @returns its address */
    post: (serial: number, text: string, handle = 'experta'): string => {
      const number = idAt('2026-11-20T12:00:00Z', serial)
      x.posts.set(number, { handle, text })
      return `https://x.com/experta/status/${number}`
    },
    prepare: async (input: {
      text: string
      link?: string
      subject?: object
    }): Promise<PreparedReply> => {
      const { status, body } = await visit('POST', prepareReply.path, { subject, ...input })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return prepareReply.reply.parse(body)
    },
    send: (overrides: object, from?: string) =>
      visit('POST', '/api/v1/replies', { subject, ...overrides }, from),
    shown: async () => (await world.read(onePrediction, id)).replies,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]()
      await x[Symbol.asyncDispose]()
    },
  }
}

/** The same for all tests of a file or `describe`: each begins without a reply. */
function sharedReplies(): Awaited<ReturnType<typeof replyWorld>> {
  let begunMs = 0
  const open = async () => {
    const site = await replyWorld()
    begunMs = site.clock.now()
    return site
  }
  return shareByFile(
    open,
    ({ world }) => world,
    ({ clock, x }) => {
      clock.pass(begunMs - clock.now())
      x.posts.clear()
      x.faults.clear()
    },
  )
}

const TEXT = 'I said by the end of 2027.\n\n<b>Not</b> by 2026 & "soon".'
const LINK = 'https://example.org/what-i-said'
const DAY_MS = 86_400_000

const site = sharedReplies()

async function signedReply(text = TEXT, link = LINK) {
  const { unsigned } = await site.prepare({ text, link })
  const proof = { way: 'nostr', event: site.person.sign(unsigned) }
  return sendReply.reply.parse((await site.send({ text, link, proof })).body)
}

it('a reply signed with the recorded key appears once an administrator has read it, and its author withdraws it', async () => {
  expect(await site.ways()).toMatchObject({
    name: 'Expert A',
    npubs: [site.person.npub],
    handles: ['@experta'],
    email: 'desk@example.org',
    within_days: 7,
  })
  const { token } = await signedReply()
  expect(await site.shown()).toEqual([])
  const [waiting] = (await site.queue()).rows
  expect(waiting).toMatchObject({ text: TEXT, link: LINK, is_proven: true, is_overdue: false })
  expect(waiting?.evidence.join(' ')).toContain(site.person.npub)

  expect(await site.publish(waiting?.id)).toMatchObject({ status: 200 })
  expect(await site.shown()).toMatchObject([
    { state: 'published', name: 'Expert A', text: TEXT, link: LINK, way: 'nostr' },
  ])
  const page = await site.world.get(`/api/v1/page?url=/predictions/${site.id}`)
  expect(page.body).toMatchObject({ data: { replies: [{ text: TEXT }] } })
  // Once decided, it is not decided again.
  expect(await site.publish(waiting?.id)).toMatchObject({ status: 409 })

  const own = `/api/v1/replies/own/${token}`
  expect(ownReply.reply.parse((await site.visit('GET', own)).body)).toMatchObject({
    state: 'published',
    path: `/predictions/${site.id}`,
  })
  expect(await site.visit('POST', `${own}/withdraw`, {})).toMatchObject({ status: 200 })
  expect(await site.visit('POST', `${own}/withdraw`, {})).toMatchObject({ status: 200 })
  expect(await site.shown()).toMatchObject([{ state: 'withdrawn', text: null, event: null }])
  const rows = await site.world.sql('select text, link, evidence from replies')
  expect(rows).toEqual([{ text: '', link: null, evidence: null }])
  const audit = await audited(site.world, `subject_kind = 'reply'`)
  expect(audit.map(({ action }) => action)).toEqual(['reply published', 'reply withdrawn'])
  const log = await site.admin.read(listAudit)
  expect(log.rows.find(({ action }) => action === 'reply published')?.about).toEqual({
    name: expect.stringMatching(/^Expert A about BTC \$/),
    asset_type: 'btc',
  })
})

it('a key from a submission proves nothing until an administrator confirms it', async () => {
  await site.edit({ npubs: [] })
  const input = { text: TEXT, link: LINK }
  const { unsigned } = await site.prepare(input)
  const event = site.person.sign(unsigned)
  const send = () => site.send({ ...input, proof: { way: 'nostr', event } })
  const npubs = async () => (await site.ways()).npubs
  const followed = async () =>
    (await site.visit('GET', `${followWays.path}?kind=person&subject=expert-a`)).body
  expect(await npubs()).toEqual([])
  expect((await send()).fields['event']).toMatch(/^No Nostr key of this person is on record/)
  expect(await followed()).toMatchObject({ person_npub: null })
  expect((await site.admin.call('GET', site.personUrl)).body).toMatchObject({
    npubs: [],
    named_npubs: [{ npub: site.person.npub, prediction_id: site.id }],
  })

  for (const wrong of ['npub1wrong', `nsec1${'q'.repeat(58)}`]) {
    const refused = await site.edit({ npubs: [wrong] })
    expect(refused).toMatchObject({ status: 400 })
    expect(JSON.stringify(refused.body)).not.toContain(wrong)
  }
  expect(await site.edit({ npubs: [`nostr:${site.person.npub}`] })).toMatchObject({ status: 200 })
  expect(await npubs()).toEqual([site.person.npub])
  expect(await followed()).toMatchObject({ person_npub: site.person.npub })
  expect((await site.admin.call('GET', site.personUrl)).body).toMatchObject({ named_npubs: [] })
  expect(await send()).toMatchObject({ status: 200 })
  const log = await site.admin.read(listAudit)
  expect(log.rows.find(({ action }) => action === 'expert edited')).toMatchObject({
    before: { npubs: [] },
    after: { npubs: [site.person.npub] },
  })
  // A key belongs to one person, and replies signed with a key removed from the record are not shown.
  await site.world.imports.predictions(JSON.stringify([entry('b', { expert_name: 'Expert B' })]))
  const { rows } = await site.admin.read(listExpertsAdmin, '?q=expert+b')
  const other = `/api/v1/admin/experts/${String(rows[0]?.id)}`
  const taken = await site.admin.call('PUT', other, { version: 0, npubs: [site.person.npub] })
  expect(taken).toMatchObject({ status: 409 })
  await site.edit({ npubs: [] })
  expect(await site.publish((await site.queue()).rows[0]?.id)).toMatchObject({ status: 409 })
  expect(await site.shown()).toEqual([])
})

it('a signature counts only for its own text, by a recorded key, once and in time', async () => {
  const reply = { text: TEXT, link: LINK }
  const { unsigned } = await site.prepare(reply)
  const event = site.person.sign(unsigned)
  const send = (signed: object) => site.send({ ...reply, proof: { way: 'nostr', event: signed } })
  const refused = async (signed: object) => (await send(signed)).fields['event']
  expect(await refused(nostrPerson().sign(unsigned))).toBe(
    'This was signed with another key than the one on record.',
  )
  expect(await refused({ ...event, content: `${TEXT}!` })).toBe('The signature is wrong.')
  // A challenge of the person's page is not valid for this page.
  const person = { kind: 'person', slug: 'expert-a' }
  const theirs = await site.prepare({ ...reply, subject: person })
  const moved = theirs.unsigned.tags.map(([name = '', value = '']) =>
    name === 'u' ? ['u', unsigned.tags[0]?.[1] ?? ''] : [name, value],
  )
  expect(await refused(site.person.sign(unsigned, { tags: moved }))).toMatch(/another challenge/)

  expect(await send(event)).toMatchObject({ status: 200 })
  // The same event, or another with the same challenge, is no second reply.
  expect(await send(event)).toMatchObject({ status: 409 })
  const late = await site.prepare(reply)
  site.clock.pass(31 * 60_000)
  const signed = site.person.sign(late.unsigned)
  expect(await refused(signed)).toMatch(/30 minutes for signing this are over/)
  expect((await site.queue()).counts.waiting).toBe(1)
})

it('an account from a submission proves nothing until an administrator confirms it', async () => {
  await site.world.sql(`update influencer_names set confirmed = false where kind = 'handle'`)
  const accounts = async () => (await site.ways()).handles
  const send = async (serial: number, text: string) => {
    const { sentence, ticket } = await site.prepare({ text })
    const proof = { way: 'post', url: site.post(serial, sentence), ticket }
    expect(await site.send({ text, proof })).toMatchObject({ status: 200 })
    return (await site.queue()).rows.find((row) => row.text === text)
  }

  expect((await site.admin.call('GET', site.personUrl)).body).toMatchObject({
    handles: ['experta'],
    unconfirmed_handles: ['experta'],
  })
  expect(await accounts()).toEqual([])
  // The author is compared by hand, and the note is stored.
  const byHand = await send(1, 'One')
  expect(byHand).toMatchObject({ is_proven: false })
  expect(await site.publish(byHand?.id)).toMatchObject({ status: 400 })

  // Another change of the person confirms nothing.
  expect(await site.edit({ is_firm: true, handles: ['@experta'] })).toMatchObject({ status: 200 })
  expect(await accounts()).toEqual([])
  expect(await site.edit({ confirm_handles: ['@ExpertA'] })).toMatchObject({
    status: 200,
    body: { expert: { unconfirmed_handles: [] } },
  })
  const log = await site.admin.read(listAudit)
  expect(log.rows.find(({ action }) => action === 'expert edited')).toMatchObject({
    before: { unconfirmed_handles: ['experta'] },
    after: { unconfirmed_handles: [] },
  })
  expect(await accounts()).toEqual(['@experta'])
  const proven = await send(2, 'Two')
  expect(proven).toMatchObject({ is_proven: true })
  // An account removed from the record before the reply is published no longer counts.
  await site.edit({ handles: [] })
  expect(await site.publish(proven?.id)).toMatchObject({ status: 409 })
  // Accounts entered by an administrator count as confirmed.
  await site.edit({ handles: ['experta'] })
  expect(await accounts()).toEqual(['@experta'])
  expect(await site.publish(proven?.id)).toMatchObject({ status: 200 })
})

// Runs before the stories with an outage, after which a service is not called for a while.
it('posts are read for strangers up to a daily limit, as X charges for it; then an administrator checks', async () => {
  const from = '203.0.114.7'
  const { code, ticket } = await site.prepare({ text: TEXT })
  const send = (serial: number, text: string, by = from) => {
    const proof = { way: 'post', url: site.post(serial, text), ticket }
    return site.send({ text: TEXT, proof }, by)
  }
  for (let serial = 1; serial <= 8; serial += 1) {
    expect((await send(serial, 'No code.')).fields['url']).toContain(code)
  }
  expect(await send(9, code)).toMatchObject({ status: 200 })
  const [waiting] = (await site.queue()).rows
  expect(waiting).toMatchObject({ is_proven: false })
  expect(waiting?.evidence.join(' ')).toContain('did not read this one')
  expect((await send(10, 'No code.', '198.51.100.7')).fields['url']).toContain(code)
})

it('a post with the code proves its author, and an administrator confirms its text', async () => {
  const { code, sentence, ticket } = await site.prepare({ text: TEXT })
  expect(code).toMatch(/^proofofprice-[2-9A-Z]{4}-[2-9A-Z]{4}$/)
  const { post } = site
  const send = (url: string, overrides: object = {}) =>
    site.send({ text: TEXT, proof: { way: 'post', url, ticket }, ...overrides })
  expect((await send(post(1, 'Hello.'))).fields['url']).toContain(code)
  expect((await send(post(2, code, 'somebody'))).fields['url']).toBe(
    'This post is by @somebody. On record is @experta.',
  )
  expect((await send('nonsense')).fields['url']).toMatch(/link to your post/)
  const good = post(3, `It is me.\n${sentence.replace(/http\S+:/, 'https://t.co/x:')}`)
  // The code belongs to the text that it was made for.
  expect(await send(good, { text: 'Words of someone else.' })).toMatchObject({ status: 409 })
  expect(await send(good)).toMatchObject({ status: 200 })
  expect(await send(good)).toMatchObject({ status: 409 })
  const [waiting] = (await site.queue()).rows
  expect(waiting).toMatchObject({ is_proven: true, evidence_url: good })
  expect(waiting?.evidence.join(' ')).toContain('What the post says: It is me.')
  const reason = 'This is no reply to the record.'
  expect((await site.decline(waiting?.id, ' ')).status).toBe(400)
  expect((await site.decline(waiting?.id, reason)).status).toBe(200)
  expect(await site.shown()).toEqual([])

  // Posting a bare code, as if tricked, does not count as signing.
  const lured = await site.prepare({ text: TEXT })
  const bare = post(5, `Some fool asks me to post ${lured.code}`)
  const signs = { proof: { way: 'post', url: bare, ticket: lured.ticket } }
  expect(await send(bare, signs)).toMatchObject({ status: 200 })
  const [doubtful] = (await site.queue()).rows
  expect(doubtful).toMatchObject({ is_proven: false })
  expect(doubtful?.evidence.join(' ')).toContain(
    'sentence that says what the code signs is missing',
  )
  await site.decline(doubtful?.id, reason)

  // A post that cannot be read is compared by hand, which the administrator must confirm.
  site.x.faults.set('x', 'down').set('syndication', 'down').set('oembed', 'down')
  const last = { text: TEXT, link: LINK }
  const next = await site.prepare(last)
  const url = post(4, next.code)
  const sent = await site.send({ ...last, proof: { way: 'post', url, ticket: next.ticket } })
  const { token } = sendReply.reply.parse(sent.body)
  const [unread] = (await site.queue()).rows
  expect(unread).toMatchObject({ is_proven: false, evidence_url: url })
  expect((await site.publish(unread?.id)).status).toBe(400)
  expect((await site.publish(unread?.id, { note: 'I saw it.' })).status).toBe(200)
  expect(await site.shown()).toMatchObject([{ way: 'post', post: url, event: null }])
  // A reply is taken down, and the page says why.
  expect((await site.decline(unread?.id, 'A court ordered it.')).status).toBe(200)
  expect(await site.shown()).toMatchObject([
    { state: 'taken-down', text: null, link: null, reason: 'A court ordered it.' },
  ])
  expect((await site.visit('GET', `/api/v1/replies/own/${token}`)).body).toMatchObject({
    state: 'declined',
    reason: 'A court ordered it.',
  })
})

it('a decline never takes down a reply that a colleague is publishing', async () => {
  await signedReply()
  const [waiting] = (await site.queue()).rows
  const colleague = await site.world.database.pool.connect()
  try {
    await colleague.query('begin')
    await colleague.query(`update replies set state = 'published', published_at = now()`)
    const declining = site.decline(waiting?.id, 'Not theirs.')
    await until(async () => (await waitingForLocks(site.world.database.pool)) > 0)
    await colleague.query('commit')
    expect(await declining).toMatchObject({ status: 409 })
  } finally {
    colleague.release()
  }
  expect(await site.shown()).toMatchObject([{ text: TEXT }])
})

it('an administrator enters a reply that came by email', async () => {
  const input = { page: '/experts/expert-a', text: TEXT, note: 'From the address on their site.' }
  expect((await site.admin.call('POST', ADMIN, { ...input, page: '/about' })).status).toBe(400)
  expect((await site.admin.call('POST', ADMIN, { ...input, note: '' })).status).toBe(400)
  expect((await site.admin.call('POST', ADMIN, input)).body).toMatchObject({
    own: expect.stringMatching(/\/experts\/expert-a#reply=[\w-]{32}$/),
  })
  const [waiting] = (await site.queue()).rows
  const about = 'The page of Expert A'
  expect(waiting).toMatchObject({ about, way: 'email', is_proven: false })
  expect((await site.publish(waiting?.id)).status).toBe(200)
  const { expert, replies } = await site.world.read(oneExpert, 'expert-a')
  expect(replies).toMatchObject([{ text: TEXT, way: 'email' }])

  // If the person is merged into another one, the reply moves along.
  await site.world.imports.predictions(JSON.stringify([entry('b', { expert_name: 'Expert B' })]))
  const into = (await site.world.read(oneExpert, 'expert-b')).expert.id
  const merge = { version: 1, into, reason: 'The same person.' }
  const merged = await site.admin.call('POST', `/api/v1/admin/experts/${expert.id}/merge`, merge)
  expect(merged).toMatchObject({ status: 200 })
  await site.world.refresh()
  expect((await site.world.read(oneExpert, 'expert-b')).replies).toMatchObject([{ text: TEXT }])
  expect(await site.shown()).toEqual([])
})

it('a signed reply is also withdrawn by its key, and by no other', async () => {
  await signedReply()
  const [{ id } = { id: '' }] = (await site.queue()).rows
  await site.publish(id)
  const path = `/api/v1/replies/${id}`
  const { unsigned } = prepareWithdrawal.reply.parse(
    (await site.visit('GET', `${path}/withdrawal`)).body,
  )
  const withdraw = (event: object) => site.visit('POST', `${path}/withdraw`, { event })
  expect((await withdraw(nostrPerson().sign(unsigned))).fields['event']).toMatch(/another key/)
  // The signature of the reply itself is public, and withdraws nothing.
  const [visible] = await site.shown()
  expect((await withdraw(visible?.event ?? {})).status).toBe(400)
  expect((await withdraw(site.person.sign(unsigned))).status).toBe(200)
  expect(await site.shown()).toMatchObject([{ state: 'withdrawn', text: null }])
})

it('replies older than the promised time are overdue, and strangers cannot fill the queue', async () => {
  const from = '203.0.113.7'
  const input = async (text: string) => {
    const { ticket } = await site.prepare({ text })
    return { text, proof: { way: 'post', url: 'https://example.org/post', ticket } }
  }
  for (const n of [1, 2, 3, 4, 5]) {
    site.clock.pass(1_000)
    expect((await site.send(await input(`Reply ${String(n)}`), from)).status).toBe(200)
  }
  expect((await site.send(await input('One more'), from)).status).toBe(429)
  // All networks of one prefix share ten a day, and newcomers still get through.
  const neighbours = Array.from({ length: 40 }, (_, n) => `2001:db8:7:${String(n)}::1`)
  const taken: number[] = []
  for (const [n, one] of neighbours.entries())
    taken.push((await site.send(await input(`Neighbour ${String(n)}`), one)).status)
  expect(taken.filter((status) => status === 200)).toHaveLength(10)
  expect((await site.send(await input('Another'))).status).toBe(200)
  // They do not keep the person out, with the key or with a readable post.
  await signedReply()
  const { sentence, ticket } = await site.prepare({ text: TEXT })
  const url = site.post(1, sentence)
  // Replies without a proof share one limit, which excludes nobody with a proof.
  await site.world.sql(
    `insert into door_entries (door, at) select 'replies', $1 from generate_series(1, 60)`,
    [new Date(site.clock.now()).toISOString()],
  )
  expect(await site.send(await input('Too many'))).toMatchObject({ status: 429 })
  const posted = await site.send({ text: TEXT, proof: { way: 'post', url, ticket } })
  expect(posted).toMatchObject({ status: 200 })
  // At most ten proven replies wait for one page.
  await site.world.sql(
    `insert into replies (id, token_hash, influencer_id, prediction_id, text, way, evidence, received_at)
     select gen_random_uuid(), n::text, influencer_id, prediction_id, 'No.', 'nostr', '{}', $1
     from generate_series(1, 8) n, (select influencer_id, prediction_id from replies limit 1) page`,
    [new Date(site.clock.now()).toISOString()],
  )
  const full = await site.prepare({ text: TEXT })
  const event = site.person.sign(full.unsigned)
  expect(await site.send({ text: TEXT, proof: { way: 'nostr', event } })).toMatchObject({
    status: 429,
    error: expect.stringMatching(/^Several replies to this page are already waiting/),
  })
  site.clock.pass(7 * DAY_MS + 60_000)
  const admin = await signedIn(site.world)
  const { counts, rows } = await admin.read(listReplies)
  expect(counts).toMatchObject({ waiting: 26, overdue: 26 })
  expect(rows[0]).toMatchObject({ text: 'Reply 1', is_overdue: true })
  const home = await admin.read(adminHome)
  expect(home.to_do.replies).toMatchObject({ waiting: 26, overdue: 26 })
})
