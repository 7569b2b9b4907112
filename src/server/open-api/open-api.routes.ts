import { type FastifyInstance } from 'fastify'
import { jsonOf } from '#server/http/answer-cache.ts'
import { openToAll } from '#server/http/cross-origin.ts'
import { LIMITED_FILE } from '#server/http/limits.ts'
import { type PublicRecord as OnRecord } from '#server/record/record.service.ts'
import { adminDocument, ApiDocument, publicDocument, type ExampleRequest } from './describe.ts'

/** Lists in examples are cut to this many rows. */
const ROWS = 2

/** The OpenAPI document, and `/api/docs`, its page for people. */
export function openApiRoutes(
  app: FastifyInstance,
  { record, origin }: { readonly record: OnRecord; readonly origin: string },
): void {
  const all = (): ApiDocument => ApiDocument.parse(app.swagger())
  const documents = {
    '/api/openapi.json': async () => {
      const [newest] = await record.list({}, { limit: 1 })
      return publicDocument(all(), { newest, origin, ask: (request) => answerOf(app, request) })
    },
    '/api/openapi.admin.json': async () => adminDocument(all()),
  }
  for (const [url, make] of Object.entries(documents)) {
    app.get(url, LIMITED_FILE, (request, reply) =>
      app.answers.answer(request, openToAll(reply), url, async () =>
        jsonOf(JSON.stringify(await make())),
      ),
    )
  }
}

/** This site's response with its lists cut short; undefined without one. */
async function answerOf(app: FastifyInstance, { method, path, example }: ExampleRequest) {
  const { params, query, body } = example
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const answer = await app.inject({
    method: method === 'POST' ? 'POST' : 'GET',
    url,
    query,
    ...(typeof body === 'object' && body !== null && { payload: body }),
  })
  return answer.statusCode === 200 ? cutShort(answer.json()) : undefined
}

function cutShort(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, ROWS).map(cutShort)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutShort(inner)]))
}
