import { type FastifyInstance } from 'fastify'
import * as calls from '#contracts/replies.ts'
import { done, serve, serveAdmin } from '#server/http/serve.ts'
import { decline, enter, publish, replyPage } from './replies-admin.service.ts'
import { type RepliesKit } from './replies-kit.ts'
import * as service from './replies.service.ts'

const FETCH_WITHIN_MS = 12_000

export function replyRoutes(app: FastifyInstance, kit: RepliesKit): void {
  serve(app, calls.replyWays, ({ body }) => service.waysOf(kit, body.subject))
  serve(app, calls.prepareReply, ({ body }) => service.prepare(kit, body))
  serve(app, calls.sendReply, ({ body, request }) =>
    service.send(kit, body, request.ip, AbortSignal.timeout(FETCH_WITHIN_MS)),
  )
  serve(app, calls.ownReply, ({ params }) => service.ownReplyOf(kit, params.token))
  serve(app, calls.withdrawReply, async ({ params }) =>
    done(await service.withdrawOwn(kit, params.token)),
  )
  serve(app, calls.prepareWithdrawal, ({ params }) => service.draftOfWithdrawal(kit, params.id))
  serve(app, calls.withdrawSigned, async ({ params, body }) =>
    done(await service.withdrawBySignature(kit, params.id, body.event)),
  )
  serveAdmin(app, calls.listReplies, ({ query }) => replyPage(kit, query))
  serveAdmin(app, calls.publishReply, async ({ admin, params, body }) =>
    done(await publish(kit, admin, params.id, body)),
  )
  serveAdmin(app, calls.declineReply, async ({ admin, params, body }) =>
    done(await decline(kit, admin, params.id, body)),
  )
  serveAdmin(app, calls.enterReply, ({ admin, body }) => enter(kit, admin, body))
}
