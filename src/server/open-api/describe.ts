import { z } from 'zod'
import { type ErrorCode } from '#contracts/fields.ts'
import { failureBody } from '#server/kit/failure.ts'
import { eventOf, exampleOf, valueOf, type Example } from './examples.ts'

const Media = z.looseObject({})
type Media = z.infer<typeof Media>
const Operation = z.looseObject({
  summary: z.string().optional(),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), schema: z.unknown().optional() }))
    .optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), Media) }).optional(),
  responses: z.record(z.string(), z.looseObject({})),
  security: z.array(z.unknown()).optional(),
  'x-calls-a-minute': z.number().optional(),
})
type Operation = z.infer<typeof Operation>

/** Validates only the used parts of an OpenAPI document. */
export const ApiDocument = z.looseObject({
  info: z.looseObject({}),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()).default({}) }),
})
export type ApiDocument = z.infer<typeof ApiDocument>

/** A call made for its example. */
export type ExampleRequest = {
  readonly method: string
  readonly path: string
  readonly example: Example
}

/** Public calls, each with an example, its limits and its errors. */
export async function publicDocument(
  all: ApiDocument,
  site: Parameters<typeof exampleOf>[2] & {
    readonly ask: (request: ExampleRequest) => Promise<unknown>
  },
): Promise<ApiDocument> {
  const part = partOf(all, (path, { security }) => security === undefined && !isAdmin(path))
  const { schemas } = all.components
  const paths = await mapOperations(part, async (method, path, operation) => {
    const body = operation.requestBody?.content['application/json']?.['schema']
    const example = exampleOf({ method, path, body, ...operation }, schemas, site)
    const answer = example.isRequested ? await site.ask({ method, path, example }) : undefined
    return {
      ...withExample(path, operation, example, answer, schemas),
      operationId: operationId(method, path),
      tags: [tagOf(path)],
      ...(operation['x-calls-a-minute'] !== undefined && {
        description: `At most ${String(operation['x-calls-a-minute'])} calls a minute per network.`,
      }),
    }
  })
  const { securitySchemes: _, ...components } = part.components
  return {
    ...part,
    info: { ...part.info, description: ABOUT },
    tags: TAGS.map(([name, description]) => ({ name, description })),
    paths,
    components: {
      ...components,
      schemas: { ...components.schemas, Failure: schemas['Failure'] },
    },
  }
}

/** Calls for administrators, authenticated by a session or a token. */
export function adminDocument(all: ApiDocument): ApiDocument {
  return partOf(all, (path, { security }) => security !== undefined || isAdmin(path))
}

function isAdmin(path: string): boolean {
  return path.startsWith('/api/admin/')
}

const ABOUT = `Public price predictions with their verdicts. Prices in USD, days in UTC.

No key is needed. Pages of other sites may read our own data; prices belong to their sources, so other programs may read them, but not other sites’ pages. Responses have a strong \`ETag\` and \`Last-Modified\`: with \`If-None-Match\` you get 304 while nothing has changed. Calls beyond the limit get 429 with \`Retry-After\`.

Errors have a sentence for people in \`error\` and a code for programs in \`code\`. Each page is also a file: see [the data](/data).`

const TAGS = [
  ['Predictions', 'Who said what, and what became of it.'],
  ['People', 'Those who said it, and how they compare with luck.'],
  ['Prices', 'Daily closes and ranges, and the current price.'],
  ['Submitting', 'A prediction is submitted by paying a Lightning invoice.'],
  ['Site', 'The state of the site.'],
] as const

function tagOf(path: string): (typeof TAGS)[number][0] {
  if (/payments|receipts|submissions|mail/.test(path)) return 'Submitting'
  if (/experts|scores/.test(path)) return 'People'
  if (/price|ranges|live/.test(path)) return 'Prices'
  if (/predictions|record|search|past/.test(path)) return 'Predictions'
  return 'Site'
}

/** `getApiV1PredictionsById` */
function operationId(method: string, path: string): string {
  const words = path
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

/** Errors besides those of invalid input. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  '/oembed': ['404', '501'],
  '/api/v1/reports': ['404'],
}

/** @param answer from this site; undefined to generate one from the schema */
function withExample(
  path: string,
  operation: Operation,
  { params, query, body }: Example,
  answer: unknown,
  schemas: ApiDocument['components']['schemas'],
): Operation {
  const { parameters = [], requestBody, responses } = operation
  const good = responses['200'] ?? { description: 'Default Response' }
  const media = z.record(z.string(), Media).safeParse(good['content']).data
  const reply = answer ?? valueOf(media?.['application/json']?.['schema'] ?? {}, schemas, true)
  return {
    ...operation,
    ...(parameters.length > 0 && {
      parameters: parameters.map((one) => {
        const example = one.in === 'path' ? params[one.name] : query[one.name]
        return example === undefined ? one : { ...one, example }
      }),
    }),
    ...(requestBody && {
      requestBody: { ...requestBody, content: withExampleOf(requestBody.content, body) },
    }),
    responses: {
      ...responses,
      '200': {
        ...good,
        content: media
          ? withExampleOf(media, reply)
          : {
              'text/event-stream': { schema: { type: 'string' }, example: eventOf(path, schemas) },
            },
      },
      ...refusals(operation, REFUSED[path] ?? []),
    },
  }
}

function withExampleOf(content: Readonly<Record<string, Media>>, example: unknown) {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [type, { ...media, example }]),
  )
}

function refusals(operation: Operation, refused: readonly string[]): Operation['responses'] {
  const { parameters = [], requestBody } = operation
  const takesInput = parameters.length > 0 || requestBody !== undefined
  const isOne = parameters.some((one) => one.in === 'path')
  const all: [boolean, string, ErrorCode, string][] = [
    [takesInput, '400', 'invalid', 'Please give a day such as 2026-11-20.'],
    [
      isOne || refused.includes('404'),
      '404',
      'not_found',
      'There is no prediction at this address.',
    ],
    [refused.includes('501'), '501', 'invalid', 'This format is not offered.'],
    [
      operation['x-calls-a-minute'] !== undefined,
      '429',
      'too_many',
      'Too many requests. Please wait a minute.',
    ],
    [true, '503', 'unavailable', 'The record is being read. Please try again in a moment.'],
  ]
  return Object.fromEntries(
    all
      .filter(([may]) => may)
      .map(([, status, code, sentence]) => [
        status,
        {
          description: REFUSALS[status] ?? sentence,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Failure' },
              example: failureBody(code, sentence),
            },
          },
        },
      ]),
  )
}

const REFUSALS: Readonly<Record<string, string>> = {
  '400': 'Something is wrong with the request; the message says what.',
  '404': 'It does not exist.',
  '501': 'It is not offered in this format.',
  '429': 'Too many calls from one network; the header Retry-After says when to retry.',
  '503': 'Temporarily unavailable.',
}

/** The part of a document with these calls and the schemas they use. */
function partOf(
  all: ApiDocument,
  isIn: (path: string, operation: Operation) => boolean,
): ApiDocument {
  const paths = Object.fromEntries(
    Object.entries(all.paths).flatMap(([path, calls]) => {
      const matching = Object.entries(calls).filter(([, operation]) => isIn(path, operation))
      return matching.length === 0 ? [] : [[path, Object.fromEntries(matching)]]
    }),
  )
  const { schemas } = all.components
  const used = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(
      /#\/components\/schemas\/(\w+)/g,
    )) {
      if (used.has(name)) continue
      used.add(name)
      follow(schemas[name])
    }
  }
  follow(paths)
  return {
    ...all,
    paths,
    components: {
      ...all.components,
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))),
    },
  }
}

async function mapOperations(
  { paths }: ApiDocument,
  change: (method: string, path: string, operation: Operation) => Promise<Operation>,
): Promise<ApiDocument['paths']> {
  const changed: ApiDocument['paths'] = {}
  for (const [path, calls] of Object.entries(paths)) {
    const own: Record<string, Operation> = {}
    for (const [method, operation] of Object.entries(calls))
      own[method] = await change(method.toUpperCase(), path, operation)
    changed[path] = own
  }
  return changed
}
