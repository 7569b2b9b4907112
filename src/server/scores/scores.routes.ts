import { scores } from '#contracts/scores.ts'
import { sendHot } from '#server/http/send-hot.ts'
import { serveReady } from '#server/http/serve.ts'
import { tooManyDays } from './score-thread.ts'
import { type ScoresService } from './scores.service.ts'
import '@fastify/rate-limit'
import { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type z } from 'zod'

/** Any answer; those of past days are looked up in the database. */
const CALLS_A_MINUTE = 240
/** Days that one address may have computed; each takes a second of one processor. */
const DAYS_A_MINUTE = 20

/** The call of everybody's scores. */
export function scoreRoutes(app: FastifyInstance, service: ScoresService): void {
  const limit = app.createRateLimit({ max: DAYS_A_MINUTE, timeWindow: '1 minute' })

  async function checkLimit(request: FastifyRequest): Promise<void> {
    const { isAllowed, ...found } = await limit(request)
    if (!isAllowed && 'isExceeded' in found && found.isExceeded) {
      throw tooManyDays(found.ttlInSeconds)
    }
  }

  serveReady(
    app,
    scores,
    async (request, reply) => {
      const { mode, as_of: day } = request.query as z.output<NonNullable<typeof scores.query>>
      const asked = service.asked(mode, day)
      const ready = service.ready(asked, day !== undefined)
      if (ready) return sendHot(request, reply, ready.list)
      await checkLimit(request)
      const { list } = await service.scores(asked)
      return sendHot(request, reply, list)
    },
    CALLS_A_MINUTE,
  )
}
