import { type FastifyInstance } from 'fastify'
import * as calls from '#contracts/following.ts'
import { swallowBodies } from '#server/http/bodies.ts'
import { serve } from '#server/http/serve.ts'
import { waysOf } from './followed-subject.ts'
import { type OpenFollowing } from './open-following.ts'

export async function followingRoutes(
  app: FastifyInstance,
  { kit, service, browsers }: OpenFollowing,
): Promise<void> {
  await app.register(async (scope) => {
    serve(scope, calls.followWays, ({ query }) => waysOf(kit, query))
    serve(scope, calls.followByMail, ({ body, request }) => service.ask(body, request.ip))
    serve(scope, calls.followInBrowser, ({ body, request }) => browsers.ask(body, request.ip))
    serve(scope, calls.renewBrowser, ({ body }) => browsers.renew(body))
    serve(scope, calls.readFollowing, ({ params }) => service.read(params.token))
    serve(scope, calls.addFollowing, ({ params, body }) => service.add(params.token, body))
    serve(scope, calls.changeFollowing, ({ params, body }) =>
      service.change(params.token, body.every),
    )
    serve(scope, calls.unfollow, ({ params, body }) => service.unfollow(params.token, body))
    await scope.register(async (bodiless) => {
      swallowBodies(bodiless)
      serve(bodiless, calls.confirmFollowing, ({ params }) => service.confirm(params.token))
      // One-click unsubscribe, sent by mail programs for many readers.
      serve(bodiless, calls.endFollowing, ({ params }) => service.end(params.token))
      serve(bodiless, calls.refuseFollowing, ({ params }) => service.refuse(params.token))
    })
  })
}
