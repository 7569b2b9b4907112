import { programOf } from '#tests/support/programs.ts'
import { seededRandom } from '#tests/support/random.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { mailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { testApp } from '#tests/support/test-app.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { count } from '#tests/support/review.ts'
import { until } from '#tests/support/waiting.ts'

/** `REVIEW_KILL_ROUNDS=50 npm test -- deep` for the long run. */
const ROUNDS = Number(process.env['REVIEW_KILL_ROUNDS'] ?? 3)
const EACH_ROUND = 12
const OWNER = await programOf('review-kill-owner')

it(
  `a site loses no approval, no verdict and no notice in ${String(ROUNDS)} rounds of kill -9`,
  async () => {
    await using world = await testApp({ clock: { now: () => Date.now() } })
    await using sink = await mailSink()
    const random = seededRandom('REVIEW_KILL_SEED')('pauses')
    const { pool, url } = world.database
    const { id: adminId } = await signedIn(world)

    async function start(): Promise<ChildProcess> {
      const child = spawn(process.execPath, [OWNER, url, sink.url, String(adminId)], {
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

    /** Submissions with notices to confirmed addresses. */
    async function handInSome(round: number): Promise<void> {
      await pool.query(
        `insert into submissions (id, origin, status, asset, expert_name, prediction_type, timing, price_prediction, price_target,
           target_time, prediction_made, contact_kind, contact_address, contact_confirmed_at, created_at)
         select gen_random_uuid(), 'admin', 'pending', 'btc', 'Expert ' || n % 3, 'target', 'by', '$150', 150, '2030-01-01',
           '2026-01-01', 'email', 'reader' || n || '@example.org', now(), now()
         from generate_series($1::int, $2::int) n`,
        [round * EACH_ROUND + 1, (round + 1) * EACH_ROUND],
      )
    }

    const approved = `submissions where status = 'approved'`
    for (let round = 0; round < ROUNDS; round += 1) {
      const owners = await Promise.all(round % 2 === 0 ? [start(), start()] : [start()])
      const before = await count(world, approved)
      await handInSome(round)
      await until(async () => (await count(world, approved)) > before)
      await pause(random() * 150)
      await Promise.all(owners.map(kill))
      // The lease of a dead sender ends after two minutes, which have passed here.
      await pool.query(`update outbox set due = now() where state = 'sending'`)
    }

    const all = ROUNDS * EACH_ROUND
    const last = await start()
    await until(
      async () => (await count(world, `outbox where kind = 'notice' and state = 'sent'`)) >= all,
    )
    await kill(last)
    expect(await count(world, approved)).toBe(all)
    expect(await count(world, 'predictions')).toBe(all)
    expect(await count(world, 'influencers')).toBe(3)
    expect(await count(world, 'verdicts')).toBe(2 * all)
    expect(await count(world, `prediction_events where kind = 'published'`)).toBe(all)
    expect(await count(world, `prediction_events where kind = 'judged'`)).toBe(2 * all)
    expect(await count(world, `audit_log where action = 'submission approved'`)).toBe(all)
    expect(
      await count(world, `outbox where state = 'sent' and payload->>'event' = 'approved'`),
    ).toBe(all)
    expect(new Set(sink.recipients).size).toBe(all)
    // A mail sent twice because its sender died has the same Message-ID.
    const ids = new Set((await sink.mails()).map((mail) => mail.messageId))
    expect(ids.size).toBe(all)
  },
  ROUNDS * 60_000,
)
