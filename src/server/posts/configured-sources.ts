import { oembedPosts } from '#server/posts/sources/oembed.ts'
import { syndicationPosts } from '#server/posts/sources/syndication.ts'
import { xPosts } from '#server/posts/sources/x.ts'
import { type PostSource } from './ports.ts'
import { type PostSettings } from '#server/kit/settings/networks.ts'

/** The configured sources, most trusted first. */
export function postSources({ x, syndication, oembed }: PostSettings): readonly PostSource[] {
  return [
    ...(x?.token ? [xPosts({ url: x.url, token: x.token })] : []),
    ...(syndication ? [syndicationPosts(syndication)] : []),
    ...(oembed ? [oembedPosts(oembed)] : []),
  ]
}
