import { AdminSubmission } from '#contracts/posts.ts'
import { submitBtc, submitMstr, submitNaka } from '#contracts/submissions.ts'
import { failure } from '#server/kit/failure.ts'
import { swallowBodies } from '#server/http/bodies.ts'
import { readBody } from '#server/http/read-input.ts'
import { serve } from '#server/http/serve.ts'
import '#server/http/session.ts'
import { type AdminSubmissions } from './admin-submissions.service.ts'
import { type Submissions } from '#server/submissions/submissions.service.ts'
import { type FastifyInstance, type FastifyRequest } from 'fastify'

export type AdminSubmissionParts = { readonly adminSubmissions: AdminSubmissions }

/** The asset that a path stands for; null leaves it to what is sent. */
const ROUTES = [
  [submitBtc, null],
  [submitMstr, 'mstr'],
  [submitNaka, 'naka'],
] as const

/**
 * Submitting without paying. Anybody may call, and is told to pay unless they are signed in; what visitors send is not
 * even read.
 */
export async function adminSubmissionRoutes(
  app: FastifyInstance,
  {
    adminSubmissions,
    submissions,
  }: AdminSubmissionParts & { submissions: Pick<Submissions, 'refuseUnpaid'> },
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onSend', async (_, reply) => void reply.header('cache-control', 'no-store'))
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
        return adminSubmissions.submit(signedIn.admin, readBody(AdminSubmission, body), asset)
      })
    }
  })
}

/** Whoever brings a session or a token was signed in, and is to be asked to sign in again, not to pay. */
function hasEnded({ headers, cookies }: FastifyRequest): boolean {
  return (
    headers.authorization !== undefined ||
    cookies['session'] !== undefined ||
    cookies['__Host-session'] !== undefined
  )
}
