import { IDEMPOTENCY_HEADER, IdempotencyKey } from '#contracts/payments.ts'
import {
  cancelPost,
  changeSocialSettings,
  chartPicture,
  checkPost,
  composePosts,
  createPost,
  editPost,
  listPosts,
  markPost,
  NoteBody,
  nostrStatus,
  picturePath,
  postNote,
  postTweet,
  postTweetWithImages,
  readPost,
  scheduledTweets,
  schedulingStats,
  sendPost,
  socialSettings,
  testX,
  uploadPicture,
  xRateLimit,
  type PostInput,
  type SocialPost,
  type SocialResult,
} from '#contracts/publishing.ts'
import { GONE_STATES, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { failure } from '#server/kit/failure.ts'
import { sentenceOf } from '#server/http/read-input.ts'
import { serveAdmin } from '#server/http/serve.ts'
import { readUpload, takeUploads, type Upload } from '#server/http/upload.ts'
import { type SocialAuto } from './automatic-posts.service.ts'
import {
  cancelPlanned,
  changePost,
  lookUpPost,
  sendNow,
  settleUnknown,
  writePost,
  type Repeat,
} from './publishing.service.ts'
import {
  composeNews,
  nostrState,
  plannedTweets,
  postDetail,
  postStats,
  postsPage,
  type PublishKit,
} from './read-posts.service.ts'
import { type SocialPictures } from './pictures/pictures.service.ts'
import { NO_NOSTR } from './send-posts.service.ts'
import { sha256Bytes } from '#server/kit/tokens.ts'
import { type XDesk } from './x/x-account.service.ts'
import { type FastifyInstance, type FastifyRequest } from 'fastify'

export type SocialParts = {
  readonly x: Pick<XDesk, 'test' | 'rateLimit'>
  readonly kit: PublishKit
  readonly pictures: SocialPictures
  readonly auto: SocialAuto
  /** The site's key and its relays; null where Nostr is not set up. */
  readonly nostr: { readonly npub: string; readonly relays: readonly string[] } | null
}

/** Before it stands no other id. */
const NO_ID = '00000000-0000-0000-0000-000000000000'
const SENDS_A_MINUTE = 20

/** Publishing: posts on X and Nostr, with their pictures and times. */
export async function socialRoutes(app: FastifyInstance, parts: SocialParts): Promise<void> {
  await app.register(async (scope) => {
    await takeUploads(scope)
    networkRoutes(scope, parts)
    postRoutes(scope, parts)
  })
}

/** The calls of the specification. */
function networkRoutes(app: FastifyInstance, { x, kit, pictures, nostr }: SocialParts): void {
  serveAdmin(app, testX, () => x.test())
  serveAdmin(app, xRateLimit, () => x.rateLimit())
  serveAdmin(app, scheduledTweets, async () => ({
    success: true as const,
    tweets: await plannedTweets(kit),
  }))
  serveAdmin(app, schedulingStats, async () => ({
    success: true as const,
    stats: await postStats(kit),
  }))
  serveAdmin(
    app,
    postTweet,
    async ({ body, admin, request }) => {
      const input = inputOf('x', body.text, [], body.submission_id)
      return xReply(await writePost(kit, admin, input, 'send', repeatOf(request, body)))
    },
    SENDS_A_MINUTE,
  )
  serveAdmin(
    app,
    postTweetWithImages,
    async ({ admin, request }) => {
      const form = await formOf(request, 'text')
      const input = inputOf('x', form.text, await taken(pictures, form), form.submissionId)
      return xReply(await writePost(kit, admin, input, 'send', repeatOf(request, form.facts)))
    },
    SENDS_A_MINUTE,
  )
  serveAdmin(app, nostrStatus, async () => {
    if (!nostr) {
      const none = { connectedRelays: 0, totalRelays: 0, faults: [] }
      return { configured: false, publicKey: null, ...none, error: NO_NOSTR }
    }
    const { connected, error, faults } = await nostrState(kit)
    return {
      configured: true,
      publicKey: nostr.npub,
      connectedRelays: connected,
      totalRelays: nostr.relays.length,
      error,
      faults,
    }
  })
  serveAdmin(
    app,
    postNote,
    async ({ admin, request, body }) => {
      const form = request.isMultipart() ? await formOf(request, 'content') : plainNote(body)
      const input = inputOf('nostr', form.text, await taken(pictures, form), form.submissionId)
      const post = await writePost(kit, admin, input, 'send', repeatOf(request, form.facts))
      return nostrReply(post, nostr?.relays.length ?? 0)
    },
    SENDS_A_MINUTE,
  )
}

/** Drafts, times, pictures, history and what the server does by itself. */
function postRoutes(app: FastifyInstance, { kit, pictures, auto }: SocialParts): void {
  const ok = (post: SocialPost) => ({ success: true as const, post })
  serveAdmin(app, uploadPicture, async ({ request }) => {
    const { files } = await readUpload(request)
    const [file] = files
    if (!file || files.length > 1) throw failure('invalid', 'Please send one picture at a time.')
    return { success: true as const, picture: await pictures.take(file.bytes, '', 'image') }
  })
  serveAdmin(app, chartPicture, async ({ body }) => ({
    success: true as const,
    picture: await pictures.ofPrediction(body.prediction_id),
  }))
  app.get<{ Params: { id: string } }>(
    picturePath(':id'),
    { schema: { hide: true }, onRequest: app.sessions.guard('read-all') },
    async ({ params }, reply) => {
      if (!/^[0-9a-f-]{36}$/.test(params.id))
        throw failure('not_found', 'There is no such picture.')
      const { bytes, type } = await pictures.show(params.id)
      return reply
        .header('cache-control', 'private, max-age=86400, immutable')
        .header('content-disposition', 'inline')
        .type(type)
        .send(Buffer.from(bytes))
    },
  )
  serveAdmin(app, composePosts, ({ query }) =>
    composeNews(kit, query.prediction_id, query.news, query.link === 'true'),
  )
  serveAdmin(app, listPosts, async ({ query }) => ({
    posts: await postsPage(
      kit,
      query.state === undefined ? null : query.state === 'gone' ? GONE_STATES : [query.state],
      query.before === undefined ? null : { at: query.before, id: query.before_id ?? NO_ID },
    ),
  }))
  serveAdmin(app, readPost, async ({ params }) => ({ post: await postDetail(kit, params.id) }))
  serveAdmin(
    app,
    createPost,
    async ({ body, admin, request }) => {
      const { action, ...input } = body
      return ok(await writePost(kit, admin, input, action, repeatOf(request, body)))
    },
    SENDS_A_MINUTE,
  )
  serveAdmin(app, editPost, async ({ params, body, admin }) => {
    const { action, seen_at: seenAt = null, ...input } = body
    return ok(await changePost(kit, admin, params.id, input, action, seenAt))
  })
  serveAdmin(
    app,
    sendPost,
    async ({ params, body, admin }) =>
      ok(
        await sendNow(kit, admin, params.id, {
          evenIfUnknown: body.even_if_unknown,
          only: body.networks ?? null,
          seenAt: body.seen_at ?? null,
          input: body.post ?? null,
        }),
      ),
    SENDS_A_MINUTE,
  )
  serveAdmin(app, cancelPost, async ({ params, admin }) =>
    ok(await cancelPlanned(kit, admin, params.id)),
  )
  serveAdmin(
    app,
    checkPost,
    ({ params, admin }) => lookUpPost(kit, admin, params.id),
    SENDS_A_MINUTE,
  )
  serveAdmin(app, markPost, async ({ params, body, admin }) =>
    ok(await settleUnknown(kit, admin, params.id, body.posted)),
  )
  serveAdmin(app, socialSettings, () => auto.settings())
  serveAdmin(app, changeSocialSettings, ({ body, admin }) => auto.change(admin, body))
}

type Form = {
  readonly text: string
  readonly submissionId: string | null
  readonly images: readonly { readonly bytes: Buffer; readonly alt: string }[]
  /** What makes two requests the same one. */
  readonly facts: unknown
}

async function formOf(request: FastifyRequest, textField: 'text' | 'content'): Promise<Form> {
  const { fields, files }: Upload = await readUpload(request)
  const alts = fields.get('alt') ?? []
  const given = {
    content: fields.get(textField)?.[0] ?? '',
    submission_id: fields.get('submission_id')?.[0] || null,
  }
  const parsed = NoteBody.safeParse(given, { error: sentenceOf })
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
  const hashes = images.map(({ bytes, alt }) => [sha256Bytes(bytes), alt])
  return { text, submissionId, images, facts: [text, submissionId, hashes] }
}

function plainNote(body: unknown): Form {
  const parsed = NoteBody.safeParse(body)
  if (!parsed.success) throw failure('invalid', 'Please send {"content": "…"}.')
  const { content: text, submission_id: submissionId = null } = parsed.data
  return { text, submissionId, images: [], facts: parsed.data }
}

/** Takes in all pictures, or none: a bad one keeps the post from going out. */
async function taken(pictures: SocialPictures, { images }: Form): Promise<PostInput['pictures']> {
  const rows: PostInput['pictures'] = []
  for (const { bytes, alt } of images) rows.push({ id: (await pictures.take(bytes, alt)).id, alt })
  return rows
}

function inputOf(
  network: SocialNetwork,
  text: string,
  pictures: PostInput['pictures'],
  submissionId: string | null | undefined,
): PostInput {
  return {
    networks: [network],
    x_text: network === 'x' ? text : '',
    nostr_text: network === 'nostr' ? text : '',
    pictures,
    kind: 'manual',
    submission_id: submissionId ?? null,
  }
}

/** @throws AppError `invalid` for a key that is none */
function repeatOf(request: FastifyRequest, of: unknown): Repeat {
  const given = request.headers[IDEMPOTENCY_HEADER]
  if (given === undefined) return { key: null, of }
  const key = IdempotencyKey.safeParse(given)
  if (!key.success) throw failure('invalid', 'The Idempotency-Key must be 16 to 200 characters.')
  return { key: key.data, of }
}

function resultOf(post: SocialPost, network: SocialNetwork): SocialResult | null {
  return post.results.find((one) => one.network === network) ?? null
}

function xReply(post: SocialPost) {
  const result = resultOf(post, 'x')
  const isPosted = result?.state === 'posted'
  return {
    success: isPosted,
    tweet:
      isPosted && result.remote_id !== null && result.url !== null
        ? { id: result.remote_id, url: result.url }
        : null,
    error: isPosted ? null : 'Failed to post tweet',
    detailedError: isPosted ? null : (result?.error ?? 'It is still being sent.'),
    unknown: result === null || ['unknown', 'sending'].includes(result.state),
    post,
  }
}

function nostrReply(post: SocialPost, total: number) {
  const result = resultOf(post, 'nostr')
  const details = result?.relays ?? []
  const isPosted = result?.state === 'posted'
  return {
    success: isPosted,
    publishedToRelays: details.filter(({ state }) => state === 'accepted' || state === 'already')
      .length,
    totalRelays: details.length > 0 ? details.length : total,
    eventId: result?.remote_id ?? null,
    error: isPosted ? null : `Failed to post to Nostr. ${result?.error ?? ''}`.trim(),
    details,
    post,
  }
}
