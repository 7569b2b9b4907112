import pLimit from 'p-limit'
import { type SocialPost } from '#contracts/publishing.ts'
import { openOutbox } from '#server/kit/outbox.ts'
import { STRANGE_RELAYS } from '#server/kit/reach.ts'
import { socialAccount } from '#server/publishing/account.ts'
import { blueskyPublisher } from '#server/publishing/bluesky.ts'
import { type NostrRelays } from '#server/publishing/nostr/relays.ts'
import { sharpReader } from '#server/publishing/pictures/pictures.service.ts'
import { type NostrEvent, type PictureReader, type RelayResult } from '#server/publishing/ports.ts'
import { POSTS as POST_KIND } from '#server/publishing/posts.store.ts'
import { SEND_LIMITS, type SendKit } from '#server/publishing/publishing-kit.ts'
import { beginDue, definePosts, endPosts } from '#server/publishing/send-posts.service.ts'
import { xPublisher } from '#server/publishing/x.ts'
import { approveAfterPost } from '#server/review/decide.service.ts'
import { emptied, onceForFile } from './once-for-file.ts'
import { movingClock, NOON } from './review.ts'
import { signedIn } from './sign-in.ts'
import { pds, PDS_ACCOUNT } from './stand-ins/pds.ts'
import { X_KEYS, xServer } from './stand-ins/x-server.ts'
import { testApp, type TestApp } from './test-app.ts'
import { SILENT } from './test-site.ts'

export const MINUTE = 60_000
const KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
export const POSTS = '/api/v1/admin/social/posts'
export const PICTURES = '/api/v1/admin/social/pictures'

/** Relays in memory, with their answers and the notes received. */
function fakeRelays() {
  const urls = ['wss://a.example', 'wss://b.example']
  const answers = new Map<string, RelayResult['state']>()
  const sent: { relay: string; event: NostrEvent }[] = []
  const send: NostrRelays['send'] = async (relay, events) => {
    for (const event of events) if (event.kind === 1) sent.push({ relay, event })
    return events.map(() => ({ relay, state: answers.get(relay) ?? 'accepted', reason: null }))
  }
  const check = async () =>
    urls.map((url) =>
      (answers.get(url) ?? 'accepted') === 'accepted' ? null : `${url} cannot be reached.`,
    )
  const real: NostrRelays = {
    urls,
    send,
    sendToStranger: send,
    strangers: STRANGE_RELAYS,
    check,
  }
  return {
    real,
    sent,
    answers,
    answer: (state: RelayResult['state']): void => {
      for (const url of urls) answers.set(url, state)
    },
    /** The number of times each received a note. */
    asked: (): number[] => urls.map((url) => sent.filter(({ relay }) => relay === url).length),
  }
}

const DAY = 1_440 * MINUTE

export type SocialWorld = Awaited<ReturnType<typeof socialWorld>>

/** One such site for the tests of a file, each of which begins at noon of its own day. */
export function socialOfFile(overrides: Parameters<typeof socialWorld>[0] = {}): () => SocialWorld {
  return onceForFile(
    () => socialWorld(overrides),
    (site) => site.again(),
  )
}

/** Begins and sends due posts, as the jobs do. @returns false if there were none */
export async function sendDue(kit: SendKit): Promise<boolean> {
  const hasBegun = await beginDue(kit)
  return (await kit.outbox.deliver(POST_KIND)) || hasBegun
}

/** Context for sending posts; by default without networks, approving submissions at once. */
export function sendKit(
  { database: { db }, clock }: Pick<TestApp, 'database'> & Pick<SendKit, 'clock'>,
  overrides: Partial<Pick<SendKit, 'x' | 'nostr' | 'bluesky' | 'approve'>> = {},
): SendKit {
  const kit: SendKit = {
    db,
    clock,
    log: SILENT,
    outbox: openOutbox({ db, clock, log: SILENT, jobs: null }),
    x: null,
    nostr: null,
    bluesky: null,
    shrinkPicture: sharpReader().shrink,
    approve: () => Promise.resolve({ ok: true }),
    approvals: pLimit(1),
    limits: SEND_LIMITS,
    aloneSinceMs: null,
    ...overrides,
  }
  definePosts(kit)
  return kit
}

/** A site that publishes to stand-ins, with its own clock and an administrator. */
export async function socialWorld(
  input: {
    isConfigured?: boolean
    clock?: ReturnType<typeof movingClock>
    pictureReader?: PictureReader
  } = {},
) {
  const { clock = movingClock() } = input
  const x = await xServer()
  const relays = fakeRelays()
  const { url, callLimit } = x
  const bluesky = await pds()
  const bluePublisher = blueskyPublisher({
    ...PDS_ACCOUNT,
    url: bluesky.url,
    callLimit: bluesky.callLimit,
  })
  const publisher = xPublisher({ url, keys: X_KEYS, clock, callLimit })
  const isConfigured = input.isConfigured !== false
  const account = isConfigured ? { publisher, keyHash: 'keys' } : null
  const blueAccount = isConfigured ? { publisher: bluePublisher, keyHash: 'bluesky' } : null
  const world = await testApp({
    clock,
    settings: { nostr: { privateKey: isConfigured ? KEY : null } },
    ports: {
      x: account,
      bluesky: blueAccount,
      relaysOf: () => relays.real,
      ...(input.pictureReader && { pictureReader: input.pictureReader }),
    },
  })
  const { db } = world.database
  const review = { db, clock, record: world.record }
  const kit = { db, clock, log: SILENT }
  const sending = sendKit(
    { ...world, clock },
    {
      x: account && socialAccount(kit, 'x', account),
      nostr: world.nostr.outbox?.publisher ?? null,
      bluesky: blueAccount && socialAccount(kit, 'bluesky', blueAccount),
      approve: (admin, id, platform) => approveAfterPost(review, admin, id, platform),
    },
  )
  let day = 0
  const site = {
    ...world,
    x,
    nostr: relays,
    pds: bluesky,
    clock,
    /** Settings of the other process. */
    sending,
    admin: await signedIn(world),
    /** Sends notes to relays that could not accept them. */
    resend: async (): Promise<void> => void (await world.nostr.outbox?.sendDue()),
    /** Runs everything due, as the background jobs do, in this or another process. */
    work: async (): Promise<void> => {
      while (await sendDue(sending)) {}
      await endPosts(sending)
    },
    /** All services work, and nothing has been posted. */
    restored: async (): Promise<void> => {
      Object.assign(x.behaviour, { post: 'well', upload: 'well', metadata: 'well', read: 'well' })
      Object.assign(x.limits, { limit: 100, remaining: 100, reset: 2_000_000_000 })
      for (const list of [x.posts, x.requests, relays.sent]) list.length = 0
      relays.answers.clear()
      Object.assign(bluesky.behaviour, { login: 'well', upload: 'well', put: 'well', get: 'well' })
      bluesky.before.get = () => Promise.resolve()
      for (const list of [bluesky.writes, bluesky.logins, bluesky.refreshes]) list.length = 0
      for (const one of [x.media, bluesky.records, bluesky.blobs]) one.clear()
      await emptied(world)
    },
    /** The same on a later day, with another session. */
    again: async (): Promise<void> => {
      day += 1
      clock.ms = Date.parse(NOON) + day * DAY
      await site.restored()
      site.admin = await signedIn(world, undefined, undefined, `10.${String(day & 255)}.0.1`)
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await world[Symbol.asyncDispose]()
      await x[Symbol.asyncDispose]()
      await bluesky[Symbol.asyncDispose]()
    },
  }
  return site
}

type Uploaded = { readonly statusCode: number; readonly json: <Body>() => Body }

/** The calls about posts used by most stories, as the signed-in administrator. */
export function callsOf(world: () => SocialWorld) {
  const call = (path: string, body: object = {}) => world().admin.call('POST', POSTS + path, body)
  return {
    call,
    /** Creates a post, or changes the one of this path. */
    post: async (body: object, path = ''): Promise<SocialPost> =>
      postOf((await call(path, body)).body),
    tweet: async (text: string, more: object = {}): Promise<SocialPost> =>
      postOf((await world().admin.call('POST', '/api/x/tweet', { text, ...more })).body),
    shown: async (id: string): Promise<SocialPost> =>
      postOf((await world().admin.call('GET', `${POSTS}/${id}`)).body),
    upload: async (url: string, parts: Parameters<typeof form>[0]): Promise<Uploaded> => {
      const { headers, payload } = await form(parts)
      const { app, admin } = world()
      const { remoteAddress } = admin
      const both = { ...admin.headers, ...headers }
      return app.inject({ method: 'POST', url, payload, headers: both, remoteAddress })
    },
  }
}

export function postOf(body: unknown): SocialPost {
  return (body as { post: SocialPost }).post
}

/** The headers and bytes of a form. */
export async function form(
  parts: readonly (readonly [name: string, value: string | Buffer, filename?: string])[],
) {
  const data = new FormData()
  for (const [name, value, filename] of parts) {
    const file = new Blob([Uint8Array.from(Buffer.from(value))], { type: 'image/png' })
    if (filename === undefined) data.append(name, String(value))
    else data.append(name, file, filename)
  }
  const encoded = new Response(data)
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  }
}
