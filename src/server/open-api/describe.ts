import { z } from 'zod'
import { failureBody } from '#server/kit/failure.ts'
import { type ErrorCode } from '#contracts/fields.ts'
import { type Example } from './examples.ts'

const Media = z.looseObject({})
type Media = z.infer<typeof Media>
const Operation = z.looseObject({
  summary: z.string().optional(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), Media) }).optional(),
  responses: z.record(z.string(), z.looseObject({})),
  security: z.array(z.unknown()).optional(),
  'x-calls-a-minute': z.number().optional(),
})
type Operation = z.infer<typeof Operation>

/** The part of an OpenAPI document that is read; the rest is passed on. */
export const ApiDocument = z.looseObject({
  info: z.looseObject({}),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()).default({}) }),
})
export type ApiDocument = z.infer<typeof ApiDocument>

/** An example with the answer that it gets. */
export type Answered = Example & { readonly reply?: unknown }

/** The calls for everyone, each with an example, its limits and what a refusal looks like. */
export function publicDocument(
  all: ApiDocument,
  examples: Readonly<Record<string, Answered>>,
): ApiDocument {
  const part = partOf(all, (path, { security }) => security === undefined && !isAdmin(path))
  const paths = mapOperations(part, (method, path, operation) => ({
    ...withExample(operation, examples[`${method} ${path}`] ?? {}),
    operationId: operationId(method, path),
    tags: [tagOf(path)],
    ...(operation['x-calls-a-minute'] !== undefined && {
      description: `At most ${String(operation['x-calls-a-minute'])} calls a minute from one network.`,
    }),
  }))
  const { securitySchemes: _, ...components } = part.components
  return {
    ...part,
    info: { ...part.info, description: ABOUT },
    tags: TAGS.map(([name, description]) => ({ name, description })),
    paths,
    components: {
      ...components,
      schemas: { ...components.schemas, Failure: all.components.schemas['Failure'] },
    },
  }
}

/** The calls of administrators, by a session or a token. */
export function adminDocument(all: ApiDocument): ApiDocument {
  return partOf(all, (path, { security }) => security !== undefined || isAdmin(path))
}

function isAdmin(path: string): boolean {
  return path.startsWith('/api/admin/')
}

const ABOUT = `Public price predictions with their verdicts. Prices in USD, days in UTC.

Nothing here needs a key. Pages of other sites may read what is ours; prices belong to their sources and may be read by other programs, not by other sites in a browser. An answer has a strong \`ETag\` and \`Last-Modified\`: ask with \`If-None-Match\` and get 304 while nothing has changed. Beyond its limit a call is answered with 429 and \`Retry-After\`.

A refusal has a sentence for people in \`error\` and a word for programs in \`code\`. Each page is a file, too: see [the data](/data).`

const TAGS = [
  ['Predictions', 'Who said what, and what became of it.'],
  ['People', 'Those who said it, and how they compare with luck.'],
  ['Prices', 'Daily closes and ranges, and the price of now.'],
  ['Submitting', 'A prediction is submitted by paying a Lightning invoice.'],
  ['Site', 'How the site does.'],
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

function withExample(operation: Operation, example: Answered): Operation {
  const { params, query, body, reply, refused = [] } = example
  const { parameters = [], requestBody, responses } = operation
  const given = { ...params, ...query }
  return {
    ...operation,
    ...(parameters.length > 0 && {
      parameters: parameters.map((one) =>
        given[one.name] === undefined ? one : { ...one, example: given[one.name] },
      ),
    }),
    ...(requestBody &&
      body !== undefined && {
        requestBody: { ...requestBody, content: withExampleOf(requestBody.content, body) },
      }),
    responses: { ...answers(responses, reply), ...refusals(operation, refused) },
  }
}

function answers(responses: Operation['responses'], reply: unknown): Operation['responses'] {
  const good = responses['200'] ?? { description: 'Default Response' }
  if (reply === undefined) return responses
  const media = z.record(z.string(), Media).safeParse(good['content']).data ?? {
    'text/event-stream': { schema: { type: 'string' } },
  }
  return { ...responses, '200': { ...good, content: withExampleOf(media, reply) } }
}

function withExampleOf(
  content: Readonly<Record<string, Media>>,
  example: unknown,
): Record<string, Media> {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [type, { ...media, example }]),
  )
}

/** Further responses. */
function refusals(
  operation: Operation,
  refused: NonNullable<Example['refused']>,
): Operation['responses'] {
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
  '400': 'Something about the request is wrong; the sentence says what.',
  '404': 'It does not exist.',
  '501': 'It is not offered in this format.',
  '429': 'Too many calls from one network; the header Retry-After says when to come back.',
  '503': 'For a moment it cannot be answered.',
}

/** The part of a document with these calls, and with the schemas that they use. */
function partOf(
  all: ApiDocument,
  isIn: (path: string, operation: Operation) => boolean,
): ApiDocument {
  const paths = Object.fromEntries(
    Object.entries(all.paths).flatMap(([path, calls]) => {
      const kept = Object.entries(calls).filter(([, operation]) => isIn(path, operation))
      return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)]]
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

function mapOperations(
  { paths }: ApiDocument,
  change: (method: string, path: string, operation: Operation) => Operation,
): ApiDocument['paths'] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, calls]) => [
      path,
      Object.fromEntries(
        Object.entries(calls).map(([method, operation]) => [
          method,
          change(method.toUpperCase(), path, operation),
        ]),
      ),
    ]),
  )
}
