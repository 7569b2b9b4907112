import { decideGoalpost, listGoalposts } from '#contracts/corrections.ts'
import { serveAdmin } from '#server/http/serve.ts'
import { type FastifyInstance } from 'fastify'
import { decideOnGoalpost, goalpostPage, type GoalpostKit } from './goalposts.service.ts'

export function goalpostRoutes(app: FastifyInstance, kit: GoalpostKit): void {
  serveAdmin(app, listGoalposts, ({ query }) => goalpostPage(kit, query))
  serveAdmin(app, decideGoalpost, async ({ admin, body }) => {
    const message = await decideOnGoalpost(kit, admin, body)
    await kit.record.refresh().catch(() => {})
    return { success: true as const, message }
  })
}
