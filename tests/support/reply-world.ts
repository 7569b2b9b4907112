import { prepareReply, type PreparedReply, type UnsignedReply } from '#contracts/replies.ts'
import { listExpertsAdmin, oneExpertAdmin } from '#contracts/corrections.ts'
import { onePrediction } from '#contracts/predictions.ts'
import { npubOf } from '#domain/publishing/nostr.ts'
import { postSources } from '#server/composition/ports.ts'
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure'
import { z } from 'zod'
import { closesFile } from './builders.ts'
import { shareByFile } from './once-for-file.ts'
import { approve, handIn, movingClock } from './review.ts'
import { signedIn } from './sign-in.ts'
import { startPostServices } from './stand-ins/post-services.ts'
import { testApp } from './test-app.ts'

/** A person's key, as held by a signer outside the site. */
export function nostrPerson() {
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
 * A site with a prediction whose submission named the key of its person, an administrator, and a local stand-in for
 * X.
 *
 * @param settings.hasKey whether an administrator has confirmed that key
 * @param settings.hasAccount whether one has confirmed the account named in the submission
 */
export async function replyWorld(
  settings: {
    readonly email?: string
    readonly hasKey?: boolean
    readonly hasAccount?: boolean
  } = {},
) {
  const x = await startPostServices()
  const clock = movingClock()
  const world = await testApp({
    clock,
    ports: { posts: postSources(x.settings) },
    settings: { contacts: { social: null, nostr: null, email: settings.email ?? null } },
  })
  await world.imports.prices('btc', closesFile('2026-01-01', Array(20).fill(100)), 'test')
  const admin = await signedIn(world)
  const person = nostrPerson()
  const submitted = await handIn(admin, { nostr_npub: person.npub })
  const { prediction_id: id } = await approve(admin, submitted)
  await world.refresh()
  const keys = '/api/v1/admin/experts'
  const [theirs] = listExpertsAdmin.reply.parse((await admin.call('GET', keys)).body).rows
  if (!theirs) throw new Error('no person')
  const personUrl = `${keys}/${String(theirs.id)}`

  async function edit(change: object) {
    const { version } = oneExpertAdmin.reply.parse((await admin.call('GET', personUrl)).body)
    return admin.call('PUT', personUrl, { version, ...change })
  }

  /** Confirms keys of the person, as an administrator does after checking them. */
  const confirmKeys = (npubs: readonly string[]) => edit({ npubs })
  /** Likewise for accounts from submissions. */
  const confirmAccounts = (handles: readonly string[]) => edit({ confirm_handles: handles })
  await edit({
    ...((settings.hasKey ?? true) && { npubs: [person.npub] }),
    ...((settings.hasAccount ?? true) && { confirm_handles: ['@ExpertA'] }),
  })
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
    confirmKeys,
    confirmAccounts,
    visit,
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
    shown: async () =>
      onePrediction.reply.parse((await world.get(`/api/v1/predictions/${id}`)).body).replies,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]()
      await x[Symbol.asyncDispose]()
    },
  }
}

/** The same for all tests of a file or `describe`: each begins without a reply. */
export function sharedReplies(): Awaited<ReturnType<typeof replyWorld>> {
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
