import { type FastifyInstance } from 'fastify'
import { openToAll } from '#server/http/cross-origin.ts'
import { type HotList } from '#server/http/hot-list.ts'
import { sendHot } from '#server/http/send-hot.ts'
import { keptLists } from '#server/predictions/kept-lists.ts'
import { type Snapshot } from '#server/predictions/catalog.service.ts'
import { adminDocument, ApiDocument, publicDocument, type Answered } from './describe.ts'
import { examplesOf, type Example } from './examples.ts'

const LIMITED = {
  schema: { hide: true },
  config: { rateLimit: { max: 60, timeWindow: '1 minute' } },
} as const
/** Two documents, each as it is and packed twice. */
const MOST_BYTES = 4_000_000
/** Of a list in an example so many rows are shown. */
const ROWS = 2

/** The description of the calls for programs; `/api/docs` shows it to people. */
export function openApiRoutes(
  app: FastifyInstance,
  { snapshot, origin }: { readonly snapshot: () => Snapshot; readonly origin: string },
): void {
  const kept = keptLists(snapshot, MOST_BYTES)
  const all = (): ApiDocument => ApiDocument.parse(app.swagger())
  const forEveryone = (): Promise<HotList> =>
    kept('public', async (now) =>
      JSON.stringify(publicDocument(all(), await answered(app, examplesOf(now, origin)))),
    )
  const forAdmins = (): Promise<HotList> =>
    kept('admin', () => JSON.stringify(adminDocument(all())))

  app.get('/api/openapi.json', LIMITED, async (request, reply) =>
    sendHot(request, openToAll(reply), await forEveryone()),
  )
  app.get('/api/openapi.admin.json', LIMITED, async (request, reply) =>
    sendHot(request, openToAll(reply), await forAdmins()),
  )
}

/** The examples with the answers of this site, where they may be asked for at any time; lists are cut short. */
async function answered(
  app: FastifyInstance,
  examples: Readonly<Record<string, Example>>,
): Promise<Record<string, Answered>> {
  const all: Record<string, Answered> = {}
  for (const [call, example] of Object.entries(examples)) {
    all[call] = example.reply === undefined ? await withAnswer(app, call, example) : example
  }
  return all
}

async function withAnswer(app: FastifyInstance, call: string, example: Example): Promise<Answered> {
  const [method, path = ''] = call.split(' ')
  const { params = {}, query = {}, body } = example
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const answer = await app.inject({
    method: method === 'POST' ? 'POST' : 'GET',
    url,
    query,
    ...(typeof body === 'object' && body !== null && { payload: body }),
  })
  if (answer.statusCode !== 200) return { ...example, reply: example.otherwise }
  const reply: unknown = answer.json()
  return { ...example, reply: cutShort(reply) }
}

function cutShort(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, ROWS).map(cutShort)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutShort(inner)]))
}
