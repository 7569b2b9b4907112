import { otsCalendar } from '#server/attestation/calendars.ts'
import { closeDay, queueStamps, stampNext } from '#server/attestation/stamping.service.ts'
import { programOf } from '#tests/support/programs.ts'
import { entry } from '#tests/support/builders.ts'
import { startCalendar } from '#tests/support/stand-ins/ots-calendar.ts'
import { testApp } from '#tests/support/test-app.ts'
import { patiently, shows, until } from '#tests/support/waiting.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'

const KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const OWNER = await programOf('proof-owner')
const START = Date.parse('2026-11-20T12:00:00Z')
const DAY = 24 * 3_600_000

it('resumes stamping a day where a killed process stopped, at any step', async () => {
  await using calendar = await startCalendar()
  let now = START
  await using app = await testApp({
    clock: { now: () => now },
    settings: { nostr: { privateKey: KEY }, proofs: { calendars: [calendar.url] } },
  })
  await app.imports.predictions(
    JSON.stringify([entry('jane-1'), entry('jane-2', { price_target: 90 })]),
  )
  await app.refresh()
  expect(await app.nostr.record.sign()).toBe(6)
  const kit = { ...app.kit, calendars: [otsCalendar(calendar.url)], headers: null }
  const days = async () => (await app.proofs.service.days()).days
  const after = async (ms: number): Promise<void> => {
    now += ms
    await closeDay(kit)
    await queueStamps(kit)
    while (await stampNext(kit, patiently()));
  }
  const { pool, url } = app.database
  const killed = async (once_: () => Promise<void>): Promise<void> => {
    const moment = new Date(START + DAY).toISOString()
    const child = spawn(process.execPath, [OWNER, url, calendar.url, moment], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await once(createInterface(child.stdout), 'line')
      await once_()
    } finally {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
  }
  // While the tree is being written: the day is visible only in its own transaction, whose leaves wait for a lock.
  const lock = await pool.connect()
  await lock.query('begin; lock table proof_leaves in exclusive mode')
  await killed(() =>
    until(async () => {
      const { rows } = await pool.query(
        `select 1 from pg_locks where relation = 'proof_leaves'::regclass and not granted`,
      )
      return rows.length > 0
    }),
  )
  await lock.query('rollback')
  lock.release()
  await shows(async () => {
    const { rows } = await pool.query(
      `select 1 from pg_locks where relation = 'proof_days'::regclass`,
    )
    expect(rows).toEqual([])
  })
  expect(await days()).toEqual([])

  // While the calendar has not answered yet.
  calendar.set('silent')
  await killed(() => until(() => calendar.open() === 1))
  expect(await days()).toMatchObject([{ events: 6, state: 'waiting' }])
  calendar.set('honest')
  await after(DAY + 60_000)
  expect(await days()).toMatchObject([{ events: 6, state: 'promised' }])
})
