import { AdminSubmission } from '#contracts/posts.ts'
import { submitBtc, submitMstr, submitNaka } from '#contracts/submissions.ts'
import { failure } from '#server/kit/failure.ts'
import { swallowBodies } from '#server/http/bodies.ts'
import { readBody } from '#server/http/read-input.ts'
import { serve } from '#server/http/serve.ts'
import '#server/http/session.ts'
import { submitAsAdmin } from './admin-submissions.service.ts'
import { type Submissions } from '#server/submissions/submissions.service.ts'
import { type FastifyInstance, type FastifyRequest } from 'fastify'

/** The asset of each path; null leaves it to the body. */
const ROUTES = [
  [submitBtc, null],
  [submitMstr, 'mstr'],
  [submitNaka, 'naka'],
] as const

/** Submitting without paying. Visitors get the answer that they have to pay; what they send is not even read. */
export async function adminSubmissionRoutes(
  app: FastifyInstance,
  kit: Parameters<typeof submitAsAdmin>[0],
  submissions: Pick<Submissions, 'refuseUnpaid'>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      request.signedIn = await scope.sessions.who(request)
      if (request.signedIn) scope.sessions.ask(request, request.signedIn, 'review')
    })
    swallowBodies(scope, (request) => request.signedIn !== null)
    for (const [route, asset] of ROUTES) {
      serve(scope, route, ({ body, request }) => {
        const { signedIn } = request
        if (!signedIn && hasEnded(request)) throw failure('unauthorized', 'Please sign in.')
        if (!signedIn) return submissions.refuseUnpaid()
        return submitAsAdmin(kit, signedIn.admin, readBody(AdminSubmission, body), asset)
      })
    }
  })
}

/** A request with a session or a token was signed in, and gets the answer to sign in again, not to pay. */
function hasEnded({ headers, cookies }: FastifyRequest): boolean {
  return (
    headers.authorization !== undefined ||
    cookies['session'] !== undefined ||
    cookies['__Host-session'] !== undefined
  )
}
