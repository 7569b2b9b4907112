import { z } from 'zod'
import { postTime, postUrl } from '#domain/posts/post-url.ts'
import { SourceError } from '#server/kit/failure.ts'
import { callTo, isOk, jsonOf, type HttpLimits } from '#server/kit/http-call.ts'
import { NOT_GIVEN, type Post, type PostSource } from '#server/posts/ports.ts'
import { failedPost, hasCutMark, postCaller, repostIn } from './ask.ts'

const TITLE = "X's oEmbed service"

const Answer = z.object({
  url: z.string(),
  author_name: z.string().nullish(),
  author_url: z.string().nullish(),
  html: z.string(),
})

/**
 * The official embedding service, without a key: text, author and day, parsed from HTML.
 * @see https://developer.x.com/en/docs/x-for-websites/oembed-api
 */
export function oembedPosts(url: URL, limits?: Partial<HttpLimits>): PostSource {
  const { call } = postCaller(TITLE, url, limits)
  return {
    name: 'oembed',
    title: TITLE,
    isSure: false,
    async find(id, signal) {
      const query = { url: postUrl(id), omit_script: '1', dnt: 'true' }
      const answer = await call({ url: callTo(url, '/oembed', query), signal })
      if (answer.status === 404) return { state: 'gone' }
      if (answer.status === 403) return { state: 'protected' }
      if (!isOk(answer)) throw failedPost(TITLE, answer, false)
      return { state: 'found', post: postOf(id, jsonOf(TITLE, answer, Answer)) }
    },
  }
}

function postOf(id: string, answer: z.infer<typeof Answer>): Post {
  const html = /<p\b[^>]*>([\s\S]*?)<\/p>/i.exec(answer.html)?.[1]
  const links = [
    ...answer.html.matchAll(/<a\b[^>]*href="[^"]*\/status\/(\d+)[^"]*"[^>]*>([^<]*)<\/a>/gi),
  ]
  const own = links.at(-1)
  if (html === undefined || own?.[1] !== id) {
    throw new SourceError('nonsense', `${TITLE} sent an answer without the post.`)
  }
  const text = textOf(html)
  const passedOn = repostIn(text)
  const handle = /^https:\/\/(?:x|twitter)\.com\/(\w{1,20})\/?$/.exec(answer.author_url ?? '')?.[1]
  const by = handle === undefined ? null : `@${handle}`
  const createdAt = momentOf(id, own[2] ?? '')
  return {
    ...NOT_GIVEN,
    id,
    text: passedOn?.text ?? text,
    isCut: hasCutMark(text) || text.trimEnd().endsWith('\u2026'),
    author: passedOn
      ? { name: null, handle: passedOn.handle, isVerified: null }
      : { name: answer.author_name ?? null, handle: by, isVerified: null },
    createdAt: passedOn ? null : createdAt,
    hasMedia: /pic\.(?:twitter|x)\.com\//.test(text),
    repost: passedOn ? { id: null, by, at: createdAt } : null,
  }
}

/** The moment from the post's id; before 2010 only the day in the link is available. */
function momentOf(id: string, dateText: string): string | null {
  const ms = postTime(id) ?? Date.parse(`${dateText} UTC`)
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  mdash: '\u2014',
  ndash: '\u2013',
  hellip: '\u2026',
}

/** The text of an HTML fragment: line breaks stay, other tags are removed. */
function textOf(html: string): string {
  return html
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (all, ten, sixteen, name) => {
      if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? all
      const code = typeof ten === 'string' ? Number(ten) : parseInt(String(sixteen), 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
    .trim()
}
