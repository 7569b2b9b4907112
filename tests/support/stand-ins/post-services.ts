import { type ServerResponse } from 'node:http'
import { PostEnvironment } from '#server/kit/settings/networks.ts'
import { syndicationToken } from '#server/posts/sources/syndication.ts'
import { serving } from './serving.ts'

/** A post as the stand-in knows it. */
type StandInPost = {
  readonly text: string
  readonly name?: string
  readonly handle?: string
  readonly verified?: boolean
  /** When it was made; by default from the id. */
  readonly at?: string
  /** The whole text of a long post; `text` is its beginning. */
  readonly note?: string
  readonly repostOf?: string
  readonly quotes?: string
  readonly answers?: string
  readonly state?: 'gone' | 'protected' | 'hidden'
  readonly media?: boolean
  /** X's API in the names of its OpenAPI document. */
  readonly newNames?: boolean
}

type PostFault = keyof typeof FAULTS | 'other post'

type Service = 'x' | 'syndication' | 'oembed'

const BEARER = 'bearer-SECRET'

/** The id of a post made at that moment. */
export function idAt(iso: string, serial = 0): string {
  return String(((BigInt(Date.parse(iso)) - 1_288_834_974_657n) << 22n) + BigInt(serial))
}

export type PostServices = Awaited<ReturnType<typeof startPostServices>>

/** X as posts are read from it, in all three ways, on this machine. @param overrides services without an address, and whether there is a key */
export async function startPostServices(
  overrides: { off?: readonly Service[]; key?: boolean } = {},
) {
  const posts = new Map<string, StandInPost>()
  const faults = new Map<Service, PostFault>()
  const calls: { service: Service; id: string }[] = []
  const settable: {
    /** Responses wait for it, if set. */
    hold: Promise<void> | null
    /** Headers of a busy service's rejection. */
    busyHeaders: Headers
  } = { hold: null, busyHeaders: { 'x-rate-limit-reset': '9999999999' } }
  let waiting = 0
  const { origin, [Symbol.asyncDispose]: close } = await serving((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const [service, id] = requestedPost(url)
    if (service === null) return void response.writeHead(404).end('not found')
    calls.push({ service, id })
    const key = request.headers.authorization
    waiting += 1
    void Promise.resolve(settable.hold).then(() => {
      waiting -= 1
      const fault = faults.get(service)
      if (fault && fault !== 'other post') return void FAULTS[fault](response, settable.busyHeaders)
      const requestedId = fault ? String(BigInt(id) + 1n) : id
      if (service === 'x') answerX(response, posts, id, requestedId, key)
      if (service === 'syndication') answerSyndication(response, posts, id, requestedId, url)
      if (service === 'oembed') answerOembed(response, posts, id, requestedId)
    })
  })
  const base = (service: Service): string =>
    overrides.off?.includes(service) ? 'off' : `${origin}/${service}`
  const environment = {
    POSTS_X_URL: base('x'),
    POSTS_SYNDICATION_URL: base('syndication'),
    POSTS_OEMBED_URL: base('oembed'),
    ...(overrides.key === false ? {} : { POSTS_X_BEARER_TOKEN: BEARER }),
  }
  return Object.assign(settable, {
    settings: PostEnvironment.parse(environment),
    environment,
    posts,
    faults,
    calls,
    /** The number of requests waiting for a response. */
    waiting: () => waiting,
    [Symbol.asyncDispose]: close,
  })
}

function requestedPost(url: URL): [Service, string] | [null, ''] {
  const x = /^\/x\/2\/tweets\/(\d+)$/.exec(url.pathname)
  if (x) return ['x', x[1] ?? '']
  if (url.pathname === '/syndication/tweet-result') {
    return ['syndication', url.searchParams.get('id') ?? '']
  }
  if (url.pathname === '/oembed/oembed') {
    return ['oembed', /\/status\/(\d+)$/.exec(url.searchParams.get('url') ?? '')?.[1] ?? '']
  }
  return [null, '']
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const timeOf = (id: string, post: StandInPost): string =>
  post.at ?? new Date(Number((BigInt(id) >> 22n) + 1_288_834_974_657n)).toISOString()

function userOf(post: StandInPost): { id: string; name: string; username: string } {
  const { name = 'Jane Doe', handle = 'janedoe' } = post
  return { id: `9${String(handle.length)}`, name, username: handle }
}

function answerX(
  response: ServerResponse,
  posts: PostServices['posts'],
  id: string,
  requestedId: string,
  key: string | undefined,
): void {
  if (key !== `Bearer ${BEARER}`) {
    json(response, { title: 'Unauthorized', status: 401, type: 'about:blank' }, 401)
    return
  }
  const post = posts.get(id)
  if (!post || post.state) {
    const state = post?.state ?? 'gone'
    const type = {
      gone: 'resource-not-found',
      protected: 'not-authorized-for-resource',
      hidden: 'resource-unavailable',
    }[state]
    json(response, {
      errors: [{ title: 'Error', detail: 'SECRET', type: `https://api.x.com/2/problems/${type}` }],
    })
    return
  }
  const included: [string, StandInPost][] = []
  const references = (of: StandInPost) => {
    const kinds = { retweeted: of.repostOf, quoted: of.quotes, replied_to: of.answers }
    return Object.entries(kinds).flatMap(([type, to]) => {
      if (to === undefined) return []
      const other = posts.get(to)
      if (other) included.push([to, other])
      return [{ type, id: to }]
    })
  }
  const bodyOf = (postId: string, one: StandInPost) => ({
    id: postId,
    text: escaped(one.text),
    author_id: `${userOf(one).id}${userOf(one).username}`,
    created_at: timeOf(postId === requestedId ? id : postId, one),
    public_metrics: { like_count: 12, retweet_count: 3, reply_count: 4, quote_count: 1 },
    [one.newNames ? 'edit_history_post_ids' : 'edit_history_tweet_ids']: [postId],
    ...(one.note === undefined
      ? {}
      : { [one.newNames ? 'note_post' : 'note_tweet']: { text: escaped(one.note) } }),
    ...(one.media ? { attachments: { media_keys: ['3_1'] } } : {}),
    [one.newNames ? 'referenced_posts' : 'referenced_tweets']: references(one),
  })
  const data = bodyOf(requestedId, post)
  const others = included.map(([otherId, other]) => bodyOf(otherId, other))
  const users = [post, ...included.map(([, other]) => other)].map((one) => ({
    ...userOf(one),
    id: `${userOf(one).id}${userOf(one).username}`,
    verified: one.verified ?? false,
  }))
  json(response, { data, includes: { users, [post.newNames ? 'posts' : 'tweets']: others } })
}

function answerSyndication(
  response: ServerResponse,
  posts: PostServices['posts'],
  id: string,
  requestedId: string,
  url: URL,
): void {
  const post = posts.get(id)
  if (url.searchParams.get('token') !== syndicationToken(id)) return json(response, {}, 400)
  if (!post) return json(response, {}, 404)
  if (post.state) {
    const text = {
      gone: 'This Post was deleted by the Post author. Learn more',
      protected: "You're unable to view this Post because this account owner limits who can view.",
      hidden: 'Age-restricted adult content. Log in to view.',
    }[post.state]
    return json(response, { __typename: 'TweetTombstone', tombstone: { text: { text } } })
  }
  const account = (one: StandInPost) => ({
    name: userOf(one).name,
    screen_name: userOf(one).username,
    verified: false,
    is_blue_verified: one.verified ?? false,
  })
  const quoted = posts.get(post.quotes ?? '')
  const repost = posts.get(post.repostOf ?? '')
  const text = repost ? `RT @${userOf(repost).username}: ${repost.text}` : post.text
  json(response, {
    __typename: 'Tweet',
    id_str: requestedId,
    lang: 'en',
    text: escaped(text),
    created_at: timeOf(id, post),
    user: account(post),
    favorite_count: 12,
    conversation_count: 7,
    entities: { urls: [] },
    ...(post.note === undefined ? {} : { note_tweet: { id: 'Tm90ZQ==' } }),
    ...(post.media ? { mediaDetails: [{ type: 'photo' }] } : {}),
    ...(quoted
      ? { quoted_tweet: { id_str: post.quotes, text: quoted.text, user: account(quoted) } }
      : {}),
    ...(post.answers ? { in_reply_to_status_id_str: post.answers } : {}),
  })
}

function answerOembed(
  response: ServerResponse,
  posts: PostServices['posts'],
  id: string,
  requestedId: string,
): void {
  const post = posts.get(id)
  if (!post || post.state === 'gone') return json(response, { error: 'not found' }, 404)
  if (post.state) return json(response, { error: 'Sorry, you are not authorized.' }, 403)
  const { name, username } = userOf(post)
  const day = new Date(timeOf(id, post)).toLocaleDateString('en-US', {
    dateStyle: 'long',
    timeZone: 'UTC',
  })
  const text = escaped(post.text)
    .replaceAll("'", '&#39;')
    .replaceAll('\n', '<br>')
    .replaceAll(/\$([A-Z]+)/g, '<a href="https://x.com/search?q=%24$1&amp;src=ctag">$$$1</a>')
  json(response, {
    url: `https://x.com/${username}/status/${requestedId}`,
    author_name: name,
    author_url: `https://x.com/${username}`,
    html: `<blockquote class="twitter-tweet" data-dnt="true"><p lang="en" dir="ltr">${text}</p>&mdash; ${name} (@${username}) <a href="https://x.com/${username}/status/${requestedId}?ref_src=twsrc%5Etfw">${day}</a></blockquote>\n`,
    width: 550,
    height: null,
    type: 'rich',
    cache_age: '3153600000',
    provider_name: 'X',
    version: '1.0',
  })
}

type Headers = Readonly<Record<string, string>>
const JSON_TYPE = { 'content-type': 'application/json' }

/** What a service sends instead of its answer. */
const FAULTS = {
  down: (response: ServerResponse) => response.destroy(),
  slow: () => {},
  half: (response: ServerResponse) =>
    response.writeHead(200, JSON_TYPE).end('{"data": {"id": "1", "te'),
  html: (response: ServerResponse) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Just a moment…</title><p>Checking your browser SECRET</p>'),
  'wrong types': (response: ServerResponse) =>
    json(response, { data: { id: 5, text: null }, __typename: 'Tweet', html: 7, url: 3 }),
  huge: (response: ServerResponse) =>
    response.writeHead(200, JSON_TYPE).end(`{"data": "${'x'.repeat(10_000_000)}"}`),
  redirect: (response: ServerResponse) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/?token=SECRET' }).end(),
  busy: (response: ServerResponse, headers: Headers) =>
    response.writeHead(429, headers).end('{"title":"Too Many Requests","status":429}'),
  'server error': (response: ServerResponse) =>
    response.writeHead(503).end('<html>over capacity</html>'),
  refused: (response: ServerResponse) =>
    json(response, { title: 'Unauthorized', detail: 'SECRET', status: 401 }, 401),
  'no credit': (response: ServerResponse) =>
    json(response, { title: 'CreditsDepleted', detail: 'SECRET', status: 402 }, 402),
}
