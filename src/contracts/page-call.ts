import { z } from 'zod'
import { RecordVersion } from './record-version.ts'
import { defineRoute } from './route.ts'

/** No page has a longer path. */
export const LONGEST_PAGE_PATH = 2_000

/** The data of a page, for moving between pages in the browser; its full shape is `PageInput`. */
export const apiPage = defineRoute({
  method: 'GET',
  path: '/api/v1/page',
  access: 'public',
  summary: "The data of a page of the site. An internal call: its shape follows the site's pages.",
  query: z.object({
    url: z.string().startsWith('/').max(LONGEST_PAGE_PATH),
    v: RecordVersion.optional(),
  }),
  reply: z.looseObject({ data: z.looseObject({ page: z.string() }) }),
})
