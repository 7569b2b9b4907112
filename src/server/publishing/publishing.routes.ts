import { type FastifyInstance, type FastifyRequest } from 'fastify'
import * as calls from '#contracts/publishing.ts'
import { GONE_STATES, textFields, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { PRIVATE } from '#server/http/answer-cache.ts'
import { readUpload, takeUploads } from '#server/http/bodies.ts'
import { sentenceOf } from '#server/http/read-input.ts'
import { serveAdmin } from '#server/http/serve.ts'
import { type Admin } from '#server/kit/admin.ts'
import { failure } from '#server/kit/failure.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { idempotencyKeyOf } from '#server/payments/order-payment.service.ts'
import {
  automaticSettings,
  changeAutomatic,
  dismissProposal as dismiss,
  proposedPosts,
} from './news.service.ts'
import { chartPicture, storedPicture, takePicture } from './pictures/pictures.service.ts'
import { hasNote, NOT_SET_UP } from './ports.ts'
import * as posts from './posts.service.ts'
import { type PublishingKit } from './publishing-kit.ts'
import * as writing from './write-post.service.ts'

/** Sorts before every other id. */
const NO_ID = '00000000-0000-0000-0000-000000000000'

export async function publishingRoutes(app: FastifyInstance, kit: PublishingKit): Promise<void> {
  await app.register(async (scope) => {
    await takeUploads(scope)
    networkRoutes(scope, kit)
    postRoutes(scope, kit)
  })
}

const success = <Content extends object>(content: Content) => ({
  success: true as const,
  ...content,
})

/** Calls given by the specification. */
function networkRoutes(app: FastifyInstance, kit: PublishingKit): void {
  const { x, nostr, bluesky } = kit
  const missing = (network: SocialNetwork) => ({ success: false, error: NOT_SET_UP[network] })
  const none = { configured: false, handle: null, checked_at: null }
  const noRate = { remaining: null, limit: null, minutesUntilReset: null, told_at: null }
  serveAdmin(app, calls.testX, async () => (await x?.status()) ?? { ...missing('x'), ...none })
  serveAdmin(
    app,
    calls.blueskyStatus,
    async () => (await bluesky?.status()) ?? { ...missing('bluesky'), ...none },
  )
  serveAdmin(
    app,
    calls.xRateLimit,
    async () => (await x?.rateLimit()) ?? { ...missing('x'), canPost: false, ...noRate },
  )
  serveAdmin(app, calls.nostrStatus, () => posts.relayStatus(kit))
  serveAdmin(app, calls.scheduledTweets, async () =>
    success({ tweets: await posts.plannedTweets(kit) }),
  )
  serveAdmin(app, calls.schedulingStats, async () => success({ stats: await posts.postStats(kit) }))
  serveAdmin(app, calls.postTweet, async ({ body, admin, request }) => {
    const { text, submission_id: submissionId = null } = body
    const form = { text, submissionId, images: [], same: body }
    return xReply(await sendForm(kit, admin, request, 'x', form))
  })
  serveAdmin(app, calls.postTweetWithImages, async ({ admin, request }) =>
    xReply(await sendForm(kit, admin, request, 'x', await formOf(request, 'text'))),
  )
  serveAdmin(app, calls.postNote, async ({ admin, request, body }) => {
    const form = request.isMultipart() ? await formOf(request, 'content') : plainNote(body)
    const post = await sendForm(kit, admin, request, 'nostr', form)
    return nostrReply(post, nostr?.relays.length ?? 0)
  })
}

/** Drafts, times, pictures, history and automatic posts. */
function postRoutes(app: FastifyInstance, kit: PublishingKit): void {
  const ok = async (post: Promise<calls.SocialPost>) => success({ post: await post })
  serveAdmin(app, calls.uploadPicture, async ({ request }) => {
    const { files } = await readUpload(request)
    const [file] = files
    if (!file || files.length > 1) throw failure('invalid', 'Please send one picture at a time.')
    return success({ picture: await takePicture(kit, file.bytes, { field: 'image' }) })
  })
  serveAdmin(app, calls.chartPicture, async ({ body }) =>
    success({ picture: await chartPicture(kit, body.prediction_id) }),
  )
  app.get<{ Params: { id: string } }>(
    calls.picturePath(':id'),
    { schema: { hide: true }, onRequest: app.sessions.requireRight('read-all') },
    async ({ params }, reply) => {
      if (!/^[0-9a-f-]{36}$/.test(params.id))
        throw failure('not_found', 'There is no such picture.')
      const { bytes, type } = await storedPicture(kit, params.id)
      return reply
        .header('cache-control', PRIVATE)
        .header('content-disposition', 'inline')
        .type(type)
        .send(Buffer.from(bytes))
    },
  )
  serveAdmin(app, calls.composePosts, ({ query }) =>
    posts.composeNews(kit, query.prediction_id, query.link === 'true'),
  )
  serveAdmin(app, calls.listProposals, ({ query }) => proposedPosts(kit, query.before ?? null))
  serveAdmin(app, calls.dismissProposal, async ({ params, body, admin }) => {
    await dismiss(kit, admin, params.event, body.dismissed)
    return success({})
  })
  serveAdmin(app, calls.listPosts, async ({ query: { state, before, before_id: id = NO_ID } }) => {
    const states = state === undefined ? null : state === 'gone' ? GONE_STATES : [state]
    const page = before === undefined ? null : { at: before, id }
    return { posts: await posts.postsPage(kit, states, page) }
  })
  serveAdmin(app, calls.postsToDecide, () => posts.postsToDecide(kit))
  serveAdmin(app, calls.readPost, async ({ params }) => ({
    post: await posts.postDetail(kit, params.id),
  }))
  serveAdmin(app, calls.createPost, ({ body, admin, request }) => {
    const { action, ...input } = body
    return ok(writing.writePost(kit, admin, input, action, repeatOf(request, body)))
  })
  serveAdmin(app, calls.editPost, ({ params, body, admin }) => {
    const { action, seen_at: seenAt = null, ...input } = body
    return ok(writing.changePost(kit, admin, params.id, input, action, seenAt))
  })
  serveAdmin(app, calls.sendPost, ({ params, body, admin }) =>
    ok(writing.sendNow(kit, admin, params.id, body)),
  )
  serveAdmin(app, calls.cancelPost, ({ params, admin }) =>
    ok(writing.cancelPlanned(kit, admin, params.id)),
  )
  serveAdmin(app, calls.leavePost, ({ params, admin }) =>
    ok(writing.leavePost(kit, admin, params.id)),
  )
  serveAdmin(app, calls.checkPost, ({ params, admin, query }) =>
    writing.lookUpPost(kit, admin, params.id, query.network),
  )
  serveAdmin(app, calls.markPost, ({ params, body, admin }) =>
    ok(writing.markOutcome(kit, admin, params.id, body)),
  )
  serveAdmin(app, calls.socialSettings, () => automaticSettings(kit))
  serveAdmin(app, calls.changeSocialSettings, ({ body, admin }) =>
    changeAutomatic(kit, admin, body),
  )
}

type Form = {
  readonly text: string
  readonly submissionId: string | null
  readonly images: readonly { readonly bytes: Buffer; readonly alt: string }[]
  /** Equal for repeats of the same request. */
  readonly same: unknown
}

async function formOf(request: FastifyRequest, textField: 'text' | 'content'): Promise<Form> {
  const { fields, files } = await readUpload(request)
  const alts = fields.get('alt') ?? []
  const picture = {
    content: fields.get(textField)?.[0] ?? '',
    submission_id: fields.get('submission_id')?.[0] || null,
  }
  const parsed = calls.NoteBody.safeParse(picture, { error: sentenceOf })
  if (!parsed.success) {
    throw failure('invalid', parsed.error.issues[0]?.message ?? 'The form is not valid.')
  }
  const { content: text, submission_id: submissionId = null } = parsed.data
  const images = files
    .filter((file) => file.name === 'images')
    .map(({ bytes }, index) => ({ bytes, alt: alts[index] ?? '' }))
  if (images.length < files.length) {
    throw failure('invalid', 'Please send pictures as images[].')
  }
  const hashes = images.map(({ bytes, alt }) => [sha256(bytes), alt])
  return { text, submissionId, images, same: [text, submissionId, hashes] }
}

function plainNote(body: unknown): Form {
  const parsed = calls.NoteBody.safeParse(body)
  if (!parsed.success) throw failure('invalid', 'Please send {"content": "…"}.')
  const { content: text, submission_id: submissionId = null } = parsed.data
  return { text, submissionId, images: [], same: parsed.data }
}

/** Sends a form to one network at once. Rejected as a whole if a picture is invalid. */
async function sendForm(
  kit: PublishingKit,
  admin: Admin,
  request: FastifyRequest,
  network: SocialNetwork,
  { text, submissionId, images, same }: Form,
): Promise<calls.SocialPost> {
  const pictures: calls.PostInput['pictures'] = []
  for (const { bytes, alt } of images) {
    pictures.push({ id: (await takePicture(kit, bytes, { alt })).id, alt })
  }
  const input = {
    networks: [network],
    ...textFields((one) => (one === network ? text : '')),
    pictures,
    kind: 'manual' as const,
    submission_id: submissionId,
  }
  return writing.writePost(kit, admin, input, 'send', repeatOf(request, same))
}

function repeatOf(request: FastifyRequest, of: unknown): writing.Repeat {
  return { key: idempotencyKeyOf(request), of }
}

function xReply(post: calls.SocialPost) {
  const result = post.results.find(({ network }) => network === 'x')
  const isPosted = result?.state === 'posted'
  const isUnknown = !result || ['unknown', 'sending'].includes(result.state)
  const error = isUnknown ? 'We don’t know whether this is on X' : 'Failed to post tweet'
  return {
    success: isPosted,
    tweet:
      isPosted && result.remote_id !== null && result.url !== null
        ? { id: result.remote_id, url: result.url }
        : null,
    error: isPosted ? null : error,
    detailedError: isPosted ? null : (result?.error ?? 'It is still being sent.'),
    unknown: isUnknown,
    post,
  }
}

function nostrReply(post: calls.SocialPost, total: number) {
  const result = post.results.find(({ network }) => network === 'nostr')
  const details = result?.relays ?? []
  const isPosted = result?.state === 'posted'
  return {
    success: isPosted,
    publishedToRelays: details.filter(hasNote).length,
    totalRelays: details.length > 0 ? details.length : total,
    eventId: result?.remote_id ?? null,
    error: isPosted ? null : `Failed to post to Nostr. ${result?.error ?? ''}`.trim(),
    details,
    post,
  }
}
