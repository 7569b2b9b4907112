import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { signedRecord, ProofDay, ProofDays, recordProofs } from '#contracts/signed-record.ts'
import { FOR_OTHER_SITES, SHARED } from '#server/http/answer-cache.ts'
import { openToAll } from '#server/http/cross-origin.ts'
import { serveShared } from '#server/http/serve.ts'
import { type SignedRecord } from './attestation.service.ts'
import { type Proofs } from './proofs.service.ts'

const LIMITED = {
  schema: { hide: true },
  config: { rateLimit: { max: 120, timeWindow: '1 minute' } },
  // Other sites may read these responses, including refusals.
  onRequest: (_: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    openToAll(reply)
    next()
  },
} as const
const JSON_TYPE = 'application/json; charset=utf-8'
const OTS_TYPE = 'application/vnd.opentimestamps.v1'

export function proofRoutes(app: FastifyInstance, record: SignedRecord, proofs: Proofs): void {
  serveShared(app, signedRecord, ({ params }) => record.of(params.id), { isCached: false })
  serveShared(app, recordProofs, ({ params }) => proofs.ofPrediction(params.id), {
    isCached: false,
  })
  app.get('/proofs', LIMITED, (_, reply) =>
    reply.header('cache-control', SHARED).redirect('/proofs.json'),
  )
  app.get('/proofs.json', LIMITED, async (request, reply) =>
    send(request, reply, JSON.stringify(ProofDays.parse(await proofs.days())), JSON_TYPE),
  )
  app.get<{ Params: { day: string } }>('/proofs/:day.json', LIMITED, async (request, reply) => {
    const day = ProofDay.parse(await proofs.day(request.params.day))
    return send(request, reply, JSON.stringify(day), JSON_TYPE)
  })
  app.get<{ Params: { day: string } }>('/proofs/:day.ots', LIMITED, async (request, reply) =>
    send(request, reply, await proofs.dayFile(request.params.day), OTS_TYPE),
  )
  app.get<{ Params: { id: string } }>('/proofs/events/:id.json', LIMITED, async (request, reply) =>
    send(request, reply, await proofs.event(request.params.id), JSON_TYPE),
  )
  app.get<{ Params: { id: string } }>('/proofs/events/:id.ots', LIMITED, async (request, reply) =>
    send(request, reply, await proofs.eventFile(request.params.id), OTS_TYPE),
  )
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Uint8Array,
  type: string,
): Promise<FastifyReply> {
  return request.server.answers.once(request, reply, { body, type, headers: FOR_OTHER_SITES })
}
