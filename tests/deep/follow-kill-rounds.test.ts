import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { programOf } from '#tests/support/programs.ts'
import { entry } from '#tests/support/builders.ts'
import { seededRandom } from '#tests/support/random.ts'
import { count } from '#tests/support/review.ts'
import { mailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { pushService } from '#tests/support/stand-ins/push-service.ts'
import { testApp } from '#tests/support/test-app.ts'
import { pushCourier } from '#server/following/push-courier.ts'
import { until } from '#tests/support/waiting.ts'

const ROUNDS = 20
const READERS = 6
const OWNER = await programOf('follow-kill-owner')
const Note = z.object({ note: z.object({ tag: z.string(), path: z.string() }) })

it(
  `each follower hears once of each call, by mail and in browsers, in ${String(ROUNDS)} rounds of kill -9`,
  async () => {
    await using sink = await mailSink()
    await using world = await testApp({
      clock: { now: () => Date.now() },
      ports: { pushCourier: pushCourier({ isAllowed: () => true }) },
    })
    const random = seededRandom('FOLLOW_KILL_SEED')('pauses')
    const { pool, url } = world.database
    const site = world.following.kit
    await using service = await pushService(() => site.pushes.publicKey ?? '')
    await world.following.round()

    const asset = { kind: 'asset', subject: 'btc' }
    for (let i = 0; i < READERS; i += 1) {
      const subscription = await service.subscribe()
      const payload = { ...asset, subscription, wants: 'follow' }
      await world.app.inject({ method: 'POST', url: '/api/v1/follow/browser', payload })
    }
    await pool.query(
      `with made as (
         insert into followers (id, channel, address, address_hash, token_hash, every, next_at, created_at)
         select gen_random_uuid(), 'email', 'reader' || n || '@example.org', 'reader ' || n, 'token ' || n, 'now', now(), now()
         from generate_series(1, $1::int) n returning id)
       insert into follows select id, 'asset', 'btc', 0, '2020-01-01' from made`,
      [READERS],
    )

    async function start(): Promise<ChildProcess> {
      const child = spawn(process.execPath, [OWNER, url, sink.url], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(createInterface(child.stdout), 'line')
      return child
    }

    async function kill(child: ChildProcess): Promise<void> {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }

    const sent = `follow_messages where status = 'sent'`
    for (let round = 0; round < ROUNDS; round += 1) {
      const owners = await Promise.all(round % 2 === 0 ? [start(), start()] : [start()])
      const before = await count(world, sent)
      // Who has had a message is due again; a message whose sender is gone belongs to the others, as after two minutes.
      await pool.query(`update followers set next_at = now()`)
      const call = { prediction_made: '2026-01-01', target_time: '2030-01-01', price_target: 1e6 }
      await world.imports.predictions(JSON.stringify([entry(`call-${String(round)}`, call)]))
      await until(async () => (await count(world, sent)) > before)
      await pause(random() * 100)
      await Promise.all(owners.map(kill))
      await pool.query(`update follow_messages set next_try_at = now() where status = 'sending'`)
    }
    const all = ROUNDS * READERS * 2
    await pool.query(`update followers set next_at = now()`)
    const last = await start()
    await until(async () => {
      await pool.query(`update followers set next_at = now()`)
      const waiting = await count(world, `follow_messages where status <> 'sent'`)
      const told = await count(world, 'follow_news where message_id is not null')
      return told === all && waiting === 0
    })
    await kill(last)

    // What came twice, because its sender died before noting it, says so by its Message-ID or its tag.
    const mails = new Map((await sink.mails()).map((mail) => [mail.messageId, mail]))
    const notes = new Map(service.notes.map((one) => [Note.parse(one).note.tag, one]))
    const messages = await count(world, 'follow_messages')
    expect(mails.size + notes.size).toBe(messages)
    for (let round = 0; round < ROUNDS; round += 1) {
      const path = `/predictions/call-${String(round)}`
      const told = [...mails.values()].filter(({ text }) => `${text ?? ''}\n`.includes(`${path}\n`))
      expect([path, new Set(told.map(({ to }) => to?.[0]?.address)).size, told.length]).toEqual([
        path,
        READERS,
        READERS,
      ])
    }
  },
  ROUNDS * 60_000 + 60_000,
)
