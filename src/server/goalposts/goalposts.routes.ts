import { decideGoalpost, listGoalposts } from '#contracts/goalposts.ts'
import { serveAdmin } from '#server/http/serve.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { type FastifyInstance } from 'fastify'
import { decideOnGoalpost, goalpostPage } from './goalposts.service.ts'

/** Revisions of one thesis, for administrators to confirm or cut. */
export function goalpostRoutes(
  app: FastifyInstance,
  kit: Pick<Kit, 'db' | 'clock'>,
  { catalog }: { catalog: Pick<Catalog, 'snapshot' | 'refresh'> },
): void {
  serveAdmin(app, listGoalposts, ({ query }) => goalpostPage({ catalog }, query))
  serveAdmin(app, decideGoalpost, async ({ admin, body }) => {
    const message = await decideOnGoalpost({ ...kit, catalog }, admin, body)
    // Answers once the lists of this process say so; should that fail, they are read again soon.
    await catalog.refresh().catch(() => {})
    return { success: true as const, message }
  })
}
