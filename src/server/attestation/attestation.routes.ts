import { signedRecord } from '#contracts/attestation.ts'
import { serveShared } from '#server/http/serve.ts'
import { type SignedRecord } from './attestation.service.ts'
import { type FastifyInstance } from 'fastify'

/** The signed record, for everyone who wants to check it. */
export function recordRoutes(app: FastifyInstance, { record }: { record: SignedRecord }): void {
  serveShared(app, signedRecord, ({ params }) => record.of(params.id), { isCached: false })
}
