import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type FastifyInstance } from 'fastify'
import { type z } from 'zod'
import { scores } from '#contracts/scores.ts'
import '@fastify/rate-limit'
import { jsonOf, type Made } from '#server/http/answer-cache.ts'
import { limitOf } from '#server/http/limits.ts'
import { servePlain } from '#server/http/serve.ts'
import { type ScoreKey } from './score-request.ts'
import { TOO_MANY_DAYS, type ScoresService } from './scores.service.ts'

type Query = z.output<NonNullable<typeof scores.query>>

/** Limit per address for days to be computed, each of which takes a second of CPU time. */
const DAYS_A_MINUTE = 20
/** Longer texts, with thousands of people, are compressed while sent and not cached. */
const MOST_CACHED = 4_000_000

export function scoreRoutes(app: FastifyInstance, service: ScoresService): void {
  const checkLimit = limitOf(app, DAYS_A_MINUTE, TOO_MANY_DAYS)

  function stream(of: ScoreKey): Readable {
    const text = new PassThrough()
    service
      .text(of, (parts) => pipeline(Readable.from(parts), text))
      .catch((error: unknown) => text.destroy(error instanceof Error ? error : undefined))
    return text
  }

  function bodyOf(of: ScoreKey): Promise<Made['body']> {
    return service.text(of, async (parts) => {
      const texts: string[] = []
      let length = 0
      for await (const part of parts) {
        length += part.length
        if (length > MOST_CACHED) return () => stream(of)
        texts.push(part)
      }
      return texts.join('')
    })
  }

  servePlain(app, scores, async (request, reply) => {
    const { mode, as_of: day } = request.query as Query
    const key = await service.scoreKey(mode, day)
    const ready = await service.ready(key, day !== undefined)
    return app.answers.answer(
      request,
      reply,
      JSON.stringify([scores.path, mode, day]),
      async () => {
        if (!ready) await service.bring(key)
        return jsonOf(await bodyOf(ready ?? key))
      },
      { before: ready ? undefined : () => checkLimit(request) },
    )
  })
}
