import '@fastify/swagger'
import { type FastifyInstance } from 'fastify'
import { z } from 'zod'
import { valueOf } from '#server/open-api/examples.ts'

/** The supported parts of JSON Schema. */
type Schema = {
  readonly $ref?: string | undefined
  readonly type?: string | readonly string[] | undefined
  readonly format?: string | undefined
  readonly enum?: readonly unknown[] | undefined
  readonly anyOf?: readonly Schema[] | undefined
  readonly oneOf?: readonly Schema[] | undefined
  readonly allOf?: readonly Schema[] | undefined
  readonly items?: Schema | undefined
  readonly properties?: Readonly<Record<string, Schema>> | undefined
}
const Schema: z.ZodType<Schema> = z.looseObject({
  get anyOf() {
    return z.array(Schema).optional()
  },
  get oneOf() {
    return z.array(Schema).optional()
  },
  get allOf() {
    return z.array(Schema).optional()
  },
  get items() {
    return Schema.optional()
  },
  get properties() {
    return z.record(z.string(), Schema).optional()
  },
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
})

const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        parameters: z
          .array(
            z.object({
              name: z.string(),
              in: z.string(),
              required: z.boolean().optional(),
              schema: Schema,
            }),
          )
          .default([]),
        security: z.array(z.unknown()).optional(),
        requestBody: z
          .object({ content: z.record(z.string(), z.object({ schema: Schema.optional() })) })
          .optional(),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), Schema).default({}) }),
})

/** A field of a call, by its path: `['form', 'target_time']`. */
type Field = {
  readonly in: 'query' | 'body'
  readonly at: readonly string[]
  readonly format: string | null
}

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'
  readonly path: string
  readonly fields: readonly Field[]
  /** The smallest valid query and body. */
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>> | null
  readonly isGuarded: boolean
  readonly names: readonly string[]
}

/** All calls of the OpenAPI document, each with its text fields and a valid request. */
export function callsOf(app: FastifyInstance): readonly Call[] {
  const { paths, components } = Document.parse(app.swagger())
  const resolved = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1)
    const found = name === undefined ? undefined : components.schemas[name]
    return found ? resolved(found) : schema
  }

  function textsOf(input: Schema, at: readonly string[], place: Field['in']): Field[] {
    const schema = resolved(input)
    if (at.length > 6) return []
    const kinds = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    const own =
      schema.type === 'string' && schema.enum === undefined
        ? [{ in: place, at, format: schema.format ?? null }]
        : []
    return [
      ...own,
      ...kinds.flatMap((one) => textsOf(one, at, place)),
      ...(schema.items ? textsOf(schema.items, [...at, '0'], place) : []),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
        textsOf(one, [...at, name], place),
      ),
    ]
  }

  const sample = (schema: Schema) => valueOf(schema, components.schemas, false)

  return Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, { parameters, requestBody, security }]) => {
      const inQuery = parameters.filter((one) => one.in === 'query')
      const schema = requestBody && Object.values(requestBody.content)[0]?.schema
      const body = schema && sample(schema)
      return {
        method: method.toUpperCase() as Call['method'],
        path,
        fields: [
          ...inQuery.flatMap((one) => textsOf(one.schema, [one.name], 'query')),
          ...(schema ? textsOf(schema, [], 'body') : []),
        ],
        query: Object.fromEntries(
          inQuery.filter((one) => one.required).map((one) => [one.name, sample(one.schema)]),
        ),
        body: typeof body === 'object' && body !== null ? { ...body } : null,
        isGuarded: security !== undefined,
        names: Object.keys((schema && resolved(schema).properties) ?? {}),
      }
    }),
  )
}

/** A copy with one field set; missing parents are created. */
export function withField(
  body: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const inner = body[name]
  if (rest.length === 0) return { ...body, [name]: value }
  const known = typeof inner === 'object' && inner !== null ? { ...inner } : {}
  const made = withField(known, rest, value)
  return { ...body, [name]: rest[0] === '0' ? Object.values(made) : made }
}
