import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ORIGIN, type GoldenSite } from './site.ts'

/** One in so many pages of predictions and people is requested with everything that belongs to it. */
const EVERY = 12
const PICTURES_EVERY = 120

const Calls = z.object({
  paths: z.record(
    z.string(),
    z.object({
      get: z
        .object({
          parameters: z
            .array(
              z.looseObject({
                name: z.string(),
                in: z.string(),
                required: z.boolean().optional(),
                example: z.coerce.string().optional(),
                schema: z.looseObject({ enum: z.array(z.string()).optional() }),
              }),
            )
            .default([]),
          responses: z.record(z.string(), z.looseObject({ content: z.looseObject({}).optional() })),
        })
        .optional(),
    }),
  ),
})

const familyOf = (path: string): string | null =>
  /^\/(predictions|experts)\/[^/?]+$/.exec(path)?.[1] ?? null

/** Every address to request, each once. @param changed ids to check in detail */
export async function addressesOf(site: GoldenSite, changed: readonly string[]): Promise<string[]> {
  const text = async (path: string): Promise<string> => (await site.ask(path)).text
  const named = [...(await text('/sitemap.xml')).matchAll(/<loc>([^<]*)<\/loc>/g)].flatMap(
    ([, loc = '']) => pathOf(loc),
  )
  const lastPart = (path: string): string => path.split('/').at(-1) ?? ''
  const all = named.filter((path) => familyOf(path) === 'predictions').map(lastPart)
  const people = named.filter((path) => familyOf(path) === 'experts').map(lastPart)
  const some = [...new Set([...all.filter((_, n) => n % EVERY === 0), ...changed])]
  const known = people.filter((_, n) => n % 4 === 0 || n < 10)
  const pages = named.filter((path) => familyOf(path) === null)
  const few = [...some.slice(0, 6), ...changed.slice(0, 20)].map((id) => `/predictions/${id}`)
  const linking = [...pages, ...few, ...known.slice(0, 6).map((slug) => `/experts/${slug}`)]
  const linked: string[] = []
  for (const page of linking) {
    const found = (await text(page)).matchAll(/(?:href|src)="([^"#]*)/g)
    linked.push(...[...found].flatMap(([, href = '']) => pathOf(href.replaceAll('&amp;', '&'))))
  }
  const days = [...(await text('/data')).matchAll(/\/data\/[\d-]+\/[\w.-]+/g)].map(([path]) => path)
  const proofs = [...(await text('/proofs.json')).matchAll(/"day":"([\d-]+)"/g)].map(
    ([, day = '']) => `/proofs/${day}.json`,
  )
  const request = [
    ...pages,
    ...calls(Calls.parse(JSON.parse(await text('/api/openapi.json'))), some, known),
    ...all.filter((_, n) => n % 4 === 0).map((id) => `/api/v1/predictions/${id}`),
    ...some.flatMap(ofPrediction),
    ...all.filter((_, n) => n % PICTURES_EVERY === 0).map((id) => `/predictions/${id}/picture.png`),
    ...known.flatMap(ofPerson),
    ...known.slice(0, 2).map((slug) => `/experts/${slug}/picture.png`),
    ...questions(),
    ...days,
    ...proofs,
    ...linked.filter((path) => familyOf(path) === null && !/picture\.png/.test(path)),
  ]
  return [...new Set(request)].toSorted()
}

/** The lines of `questions.txt` with their braces expanded. */
function questions(): string[] {
  const lines = readFileSync(join(import.meta.dirname, 'questions.txt'), 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).flatMap(expanded)
}

function expanded(line: string): string[] {
  const [braces, words] = /\{([^{}]*)\}/.exec(line) ?? []
  if (braces === undefined || words === undefined) return [line]
  return words.split('|').flatMap((word) => expanded(line.replace(braces, () => word)))
}

function ofPrediction(id: string): string[] {
  const page = `/predictions/${id}`
  const oembed = `/oembed?url=${encodeURIComponent(ORIGIN + page)}`
  return [
    page,
    `${page}.json`,
    `${page}.metadata.json`,
    `${page}/picture.svg`,
    `/embed${page}`,
    oembed,
  ]
}

function ofPerson(slug: string): string[] {
  const page = `/experts/${slug}`
  const oembed = `/oembed?url=${encodeURIComponent(ORIGIN + page)}`
  const files = [
    ...['csv', 'json', 'metadata.json'].map((format) => `${page}.${format}`),
    `${page}/feed.xml`,
    `${page}/feed.json`,
  ]
  return [page, ...files, `${page}/picture.svg`, `/embed${page}`, oembed]
}

/** Each GET call of the description that ends, with every value of its enums, else with its example. */
function calls(
  { paths }: z.infer<typeof Calls>,
  ids: readonly string[],
  slugs: readonly string[],
): string[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (!get || 'text/event-stream' in (get.responses['200']?.content ?? {})) return []
    const values = (one: (typeof get.parameters)[number]): readonly string[] => {
      if (one.name === 'id' && !path.includes('replies')) return ids
      if (one.name === 'slug') return slugs
      return one.schema.enum ?? (one.example === undefined ? [] : [one.example])
    }
    let made = [path]
    for (const one of get.parameters) {
      if (one.in === 'path') {
        const name = `{${one.name}}`
        made = made.flatMap((at) =>
          values(one).map((value) => at.replace(name, encodeURIComponent(value))),
        )
      } else if (one.required === true) {
        const query = `${one.name}=${encodeURIComponent(one.example ?? '')}`
        made = made.map((at) => `${at}${at.includes('?') ? '&' : '?'}${query}`)
      }
    }
    return made
  })
}

/** An address of this site without its origin; null for others, and for built files. */
function pathOf(address: string): string[] {
  const path = address.startsWith(`${ORIGIN}/`) ? address.slice(ORIGIN.length) : address
  return /^\/(?!\/|assets\/|icons\/)/.test(path) ? [path] : []
}
