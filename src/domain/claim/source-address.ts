import { isoDay } from '#domain/day.ts'
import { foldHandle } from '#domain/people/name.ts'
import { postDay, readPostUrl } from '#domain/posts/post-url.ts'
import { archivedPage, partsOfAddress } from './archive.ts'
import { type Source, type SourceKind } from './source.ts'

/**
 * A source of which the address alone is known. A post by the account of the person is their own and dated by its
 * number, what lies with the SEC is a filing, and anything else is taken for a report.
 *
 * @param handle of the person who said it
 */
export function sourceAt(url: string, handle: string | null): Source {
  const day = postDay(url)
  return {
    kind: kindOf(url, handle),
    url,
    date: day === null ? null : isoDay(day),
    archivedUrl: null,
    quotation: null,
  }
}

function kindOf(url: string, handle: string | null): SourceKind {
  const author = readPostUrl(url)?.handle ?? null
  if (author !== null && handle !== null && foldHandle(author) === foldHandle(handle)) return 'own'
  return /(?:^|\.)sec\.gov$/.test(partsOfAddress(url).host) ? 'filing' : 'report'
}

/** Parameters that only say where a reader came from. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|igshid|ref_src|ref_url)=/i

/**
 * What two addresses of the same page have in common: without scheme, `www.`, the slash at the end, the fragment and
 * tracking parameters; a post by its number, a video of YouTube by its own, and an archived copy by the page that it is of.
 */
export function addressKey(url: string): string {
  const page = archivedPage(url) ?? url
  const post = readPostUrl(page)
  if (post) return `post ${post.id}`
  const { host: named, rest } = partsOfAddress(page)
  const host = named.replace(/^(?:m|mobile|amp)\./, '')
  const video = videoOf(host, rest)
  if (video !== null) return `video ${video}`
  const [path = '', query = ''] = rest.split(/\?(.*)/s)
  const telling = query.split('&').filter((one) => one !== '' && !TRACKING.test(one))
  const asked = telling.length === 0 ? '' : `?${telling.join('&')}`
  return host + path.replace(/\/+$/, '') + asked
}

/** The number of a video on YouTube: it has an address of several forms, and the moment to start at. */
function videoOf(host: string, rest: string): string | null {
  const form =
    host === 'youtu.be'
      ? /^\/([\w-]{11})(?![\w-])/
      : host === 'youtube.com' || host === 'youtube-nocookie.com'
        ? /^\/(?:watch\/?\?(?:[^#]*&)?v=|(?:live|shorts|embed|v)\/)([\w-]{11})(?![\w-])/
        : null
  return form?.exec(rest)?.[1] ?? null
}

/** The keys of all pages that sources lead to. */
export function sourceKeys(sources: readonly Pick<Source, 'url'>[]): ReadonlySet<string> {
  return new Set(sources.map(({ url }) => addressKey(url)))
}
