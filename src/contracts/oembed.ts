import { z } from 'zod'
import { defineRoute } from './route.ts'

const pixels = z.int().positive()
/** As it comes in an address. */
const most = z.coerce.number().pipe(z.int().min(1).max(10_000)).optional()

export const OEmbedQuery = z.object({
  url: z.string().min(1).max(2_000).describe('The address of the page, with its filters.'),
  maxwidth: most.describe('CSS pixels.'),
  maxheight: most.describe('CSS pixels.'),
  format: z.string().max(40).optional().describe('json (if left out) or xml.'),
})
export type OEmbedQuery = z.output<typeof OEmbedQuery>

export const oembed = defineRoute({
  method: 'GET',
  path: '/oembed',
  access: 'public',
  summary:
    'How to embed a page of this site: oEmbed 1.0 (https://oembed.com), as JSON or XML. 404 where the page cannot be embedded, 501 for another format.',
  query: OEmbedQuery,
  reply: z
    .object({
      version: z.literal('1.0'),
      type: z.literal('rich'),
      title: z.string(),
      /** Who made the prediction, or whose page it is. */
      author_name: z.string().optional(),
      author_url: z.url().optional(),
      provider_name: z.string(),
      provider_url: z.url(),
      /** Seconds. */
      cache_age: pixels,
      html: z.string(),
      width: pixels,
      height: pixels,
      /** Left out where none is as small as was asked for. */
      thumbnail_url: z.url().optional(),
      thumbnail_width: pixels.optional(),
      thumbnail_height: pixels.optional(),
    })
    .meta({ id: 'OEmbed' }),
})
