// Over 400 lines: every outcome of a delivery, with an outbox of one kind.

import { asc, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { outbox } from '#server/database/schema/kit.ts'
import { type DeliveryKind } from '#server/kit/deliver.ts'
import { SourceError } from '#server/kit/failure.ts'
import { type Jobs } from '#server/kit/jobs.ts'
import { openOutbox } from '#server/kit/outbox.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { SILENT } from '#tests/support/test-site.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000

/** An outbox of one kind on its own database, whose lanes are delivered on request. */
async function opened(overrides: Partial<DeliveryKind> & Pick<DeliveryKind, 'send'>) {
  const database = await testDatabase()
  const clock = { ms: NOON, now: () => clock.ms }
  const runs = new Map<string, (data: object, signal: AbortSignal) => Promise<void>>()
  const define: Jobs['define'] = ({ name, run }) => {
    runs.set(name, run as (data: object, signal: AbortSignal) => Promise<void>)
    return { send: async () => {} }
  }
  const jobs = { define }
  const { db } = database
  const open = () => {
    const box = openOutbox({ db, clock, log: SILENT, jobs })
    box.define({ kind: 'k', title: '', takenForMs: 2 * MINUTE, ...overrides })
    return box
  }
  const box = open()
  const add = (...keys: string[]) => {
    const rows = keys.map((key) => ({ key, ref: key, lane: key.slice(0, 1) }))
    return box.add(db, 'k', rows)
  }
  const rows = async () =>
    (await db.select().from(outbox).orderBy(asc(outbox.key))).map((row) => {
      const due = row.due === null ? null : (Date.parse(row.due) - NOON) / MINUTE
      return [row.key, row.state, row.tries, due, row.lastError] as const
    })
  return {
    ...database,
    clock,
    box,
    other: open(),
    add,
    rows,
    deliver: () => box.deliver('k'),
    /** Runs the job that sends due deliveries. */
    look: () => runs.get('outbox')?.({}, new AbortController().signal),
    [Symbol.asyncDispose]: database[Symbol.asyncDispose],
  }
}

it('one key is one delivery, even for two processes', async () => {
  const sent: string[] = []
  await using one = await opened({
    atOnce: 3,
    send: async (rows) =>
      rows.map(({ key }) => {
        sent.push(key)
        return { state: 'sent' }
      }),
  })
  await one.add('a1', 'a2', 'b1', 'a1')
  await one.add('a2', 'a3')
  await Promise.all([one.deliver(), one.other.deliver('k'), one.deliver()])
  expect(sent.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1'])
  await one.deliver()
  expect(sent).toHaveLength(4)
})

it('a hanging lane delays no other', async () => {
  const sent: string[] = []
  const gate = Promise.withResolvers<void>()
  await using one = await opened({
    send: async ([row]) => {
      if (row?.lane === 'a') await gate.promise
      sent.push(row?.key ?? '')
      return [{ state: 'sent' }]
    },
  })
  await one.add('a1', 'b1', 'b2')
  const all = one.deliver()
  await expect.poll(() => sent).toEqual(['b1', 'b2'])
  gate.resolve()
  await all
})

it.each([
  ['down', ['waiting', 0, 15], ['waiting', 0]],
  ['busy', ['waiting', 1, 1], ['failed', 7]],
  ['refused', ['failed', 1, null], ['failed', 1]],
  ['unsure', ['unknown', 1, null], ['unknown', 1]],
] as const)('a fault of the kind %s', async (fault, [state, tries, due], last) => {
  let requests = 0
  await using one = await opened({
    send: () => {
      requests += 1
      return Promise.reject(new SourceError(fault, 'It said so.'))
    },
  })
  await one.add('a1', 'a2', 'b1')
  await one.deliver()
  // If nothing can be sent at all, the rest of the lane is not tried.
  const isDown = fault === 'down'
  expect(requests).toBe(isDown ? 2 : 3)
  expect(await one.rows()).toEqual([
    ['a1', state, tries, due, 'It said so.'],
    ['a2', state, tries, due, isDown ? null : 'It said so.'],
    ['b1', state, tries, due, 'It said so.'],
  ])
  for (let i = 0; i < 7; i += 1) {
    one.clock.ms += 26 * 60 * MINUTE
    await one.deliver()
  }
  expect((await one.rows())[0]?.slice(1, 3)).toEqual(last)
})

it('a pause of a lane sends nothing earlier than planned', async () => {
  await using one = await opened({
    send: ([row]) =>
      Promise.reject(
        row?.key === 'a1'
          ? new SourceError('busy', 'In an hour.', 60 * MINUTE)
          : new SourceError('down', 'Not now.'),
      ),
  })
  for (const key of ['a1', 'a2']) {
    await one.add(key)
    await one.deliver()
  }
  expect(await one.rows()).toEqual([
    ['a1', 'waiting', 1, 60, 'In an hour.'],
    ['a2', 'waiting', 0, 15, 'Not now.'],
  ])
})

/** Delivers until no attempt is left. */
async function deliverAll(one: Awaited<ReturnType<typeof opened>>): Promise<void> {
  for (let i = 0; i < 8; i += 1) {
    await one.deliver()
    one.clock.ms += 26 * 60 * MINUTE
  }
}

it.each([1, 3])(
  'rows that cannot be sent fail with a reason, others go on: %i at once',
  async (batch) => {
    const sent: string[] = []
    const Payload = z.object({ to: z.string() })
    await using one = await opened({
      batch,
      send: async (rows) =>
        rows.map(({ payload }) => {
          const { to } = Payload.parse(payload)
          sent.push(to)
          if (to === 'b') throw new Error('Boom.')
          return { state: 'sent' }
        }),
    })
    const payloads = { a1: { target: 1 }, a2: { to: 'b' }, a3: { to: 'c' } }
    const rows = Object.entries(payloads).map(([key, payload]) => {
      return { key, ref: key, lane: 'a', payload }
    })
    await one.box.add(one.db, 'k', rows)
    await one.deliver()
    expect(sent).toContain('c')
    await deliverAll(one)
    const unread = expect.stringMatching(/^This version cannot read what is stored:.* at to$/)
    expect(await one.rows()).toEqual([
      ['a1', 'failed', 7, null, unread],
      ['a2', 'failed', 7, null, 'Boom.'],
      ['a3', 'sent', 1, null, null],
    ])
    expect(sent.filter((to) => to === 'c')).toHaveLength(1)
  },
)

it('a request that may have arrived is not repeated if its sender throws', async () => {
  let asked = 0
  await using one = await opened({
    once: ['a'],
    batch: 2,
    send: async (rows) => {
      for (const row of rows) {
        asked += 1
        await one.box.asking(row)
      }
      throw new Error('Boom.')
    },
  })
  await one.add('a1', 'a2')
  await deliverAll(one)
  expect([asked, await one.rows()]).toEqual([
    2,
    [
      ['a1', 'unknown', 1, null, 'Boom.'],
      ['a2', 'unknown', 1, null, 'Boom.'],
    ],
  ])
})

it('a request marked after its attempt was given up is not repeated', async () => {
  const ended: string[] = []
  await using one = await opened({
    once: ['a'],
    ended: async ({ key }, { state }) => void ended.push(`${key} ${state}`),
    send: async ([row]) => {
      if (row?.key === 'a1') await one.box.asking(row)
      return [{ state: 'waiting', error: 'It did not finish in time.', dueMs: MINUTE }]
    },
  })
  await one.add('a1', 'a2')
  await one.deliver()
  expect(await one.rows()).toEqual([
    ['a1', 'unknown', 1, null, 'It did not finish in time.'],
    ['a2', 'waiting', 1, 1, 'It did not finish in time.'],
  ])
  expect(ended).toEqual(['a1 unknown', 'a2 waiting'])
})

it('a request that certainly did not leave is repeated', async () => {
  let asked = 0
  await using one = await opened({
    once: ['a'],
    send: async ([row]) => {
      if (row) await one.box.asking(row)
      asked += 1
      if (asked === 1) throw new SourceError('busy', 'Not now.')
      return [{ state: 'sent' }]
    },
  })
  await one.add('a1')
  await deliverAll(one)
  expect(await one.rows()).toEqual([['a1', 'sent', 2, null, null]])
})

it('an attempt that hangs counts, and holds up no other', async () => {
  const sent: string[] = []
  await using one = await opened({
    takenForMs: 100,
    atOnce: 2,
    send: async ([row]) => {
      if (row?.key === 'a1') await new Promise(() => {})
      sent.push(row?.key ?? '')
      return [{ state: 'sent' }]
    },
  })
  await one.add('a1', 'a2', 'a3')
  await one.deliver()
  expect(sent).toEqual(['a2', 'a3'])
  await deliverAll(one)
  expect((await one.rows())[0]).toEqual(['a1', 'failed', 7, null, 'It did not finish in time.'])
})

it('rows of a kind that no version sends any more fail with a reason, or are unknown if they may have arrived', async () => {
  await using one = await opened({ send: async (rows) => rows.map(() => ({ state: 'sent' })) })
  await one.add('a1', 'a2', 'a3')
  await one.db.update(outbox).set({ kind: 'later' })
  const askedAt = new Date(NOON).toISOString()
  const change = (key: string, to: Partial<typeof outbox.$inferInsert>) =>
    one.db
      .update(outbox)
      .set({ askedAt, ...to })
      .where(eq(outbox.key, key))
  await change('a2', { state: 'sending' })
  // A sent row that is to be checked again.
  await change('a3', { state: 'sent' })
  await one.look()
  expect((await one.rows())[0]?.[1]).toBe('waiting')
  one.clock.ms += 61 * MINUTE
  await one.look()
  expect(await one.rows()).toEqual([
    ['a1', 'failed', 0, null, 'This version cannot send deliveries of this kind.'],
    ['a2', 'unknown', 0, null, 'This version cannot send deliveries of this kind.'],
    ['a3', 'sent', 0, 0, null],
  ])
  const [failed] = await one.db.select().from(outbox).where(eq(outbox.key, 'a1'))
  await expect(one.box.decide(one.db, failed?.id ?? 0, 'again', 'failed')).rejects.toThrow(
    'This version cannot send',
  )
})

it('a row that fails late is listed for thirty days, however old it is', async () => {
  await using one = await opened({
    retentionDays: 30,
    send: async (rows) => rows.map(() => ({ state: 'failed', error: 'Refused.' })),
  })
  await one.add('a1')
  one.clock.ms += 40 * 24 * 60 * MINUTE
  await one.deliver()
  await one.look()
  expect((await one.rows())[0]?.[1]).toBe('failed')
  one.clock.ms += 31 * 24 * 60 * MINUTE
  await one.look()
  expect(await one.rows()).toEqual([])
})

it('a row that kills its sender is sent alone, and fails after its attempts', async () => {
  const batches: string[][] = []
  await using one = await opened({
    batch: 3,
    send: async (rows) => {
      batches.push(rows.map(({ key }) => key))
      return rows.map(() => ({ state: 'sent' }))
    },
  })
  await one.add('a1', 'a2', 'a3', 'a4')
  const retaken = (key: string, tries: number) =>
    one.db.update(outbox).set({ state: 'sending', tries }).where(eq(outbox.key, key))
  await retaken('a1', 7)
  await retaken('a2', 6)
  await one.deliver()
  expect(batches).toEqual([['a2'], ['a3', 'a4']])
  expect((await one.rows()).slice(0, 2)).toEqual([
    ['a1', 'failed', 8, null, 'The server stopped each time this was sent.'],
    ['a2', 'sent', 7, null, null],
  ])
})

it('a delivery requested by a dead sender is unknown and never repeated; others are retried', async () => {
  const requests: string[] = []
  let hang = true
  let answer = (): void => {}
  const ended: string[] = []
  await using one = await opened({
    once: ['a'],
    lostText: 'The server stopped.',
    atOnce: 2,
    ended: async ({ key }, { state }) => void ended.push(`${key} ${state}`),
    send: async ([row]) => {
      if (!row) return []
      if (row.key === 'a1') await one.box.asking(row)
      requests.push(row.key)
      if (!hang) return [{ state: 'sent' }]
      return new Promise((done) => {
        if (row.key === 'a1') answer = () => done([{ state: 'sent' }])
      })
    },
  })
  await one.add('a1', 'a2')
  one.deliver().catch(() => {})
  await expect.poll(() => requests.toSorted()).toEqual(['a1', 'a2'])
  await one.other.deliver('k')
  expect(requests).toHaveLength(2)
  hang = false
  one.clock.ms += 3 * MINUTE
  await one.other.deliver('k')
  await one.other.deliver('k')
  expect(requests.slice(2)).toEqual(['a2'])
  expect(await one.rows()).toEqual([
    ['a1', 'unknown', 1, null, 'The server stopped.'],
    ['a2', 'sent', 2, null, null],
  ])
  expect(ended.toSorted()).toEqual(['a1 unknown', 'a2 sent'])
  // The sender was only slow.
  answer()
  await expect.poll(() => ended.at(-1)).toBe('a1 sent')
  expect((await one.rows())[0]).toEqual(['a1', 'sent', 1, null, null])
})

it('a sender whose lease has ended can neither send nor store an outcome', async () => {
  const gate = Promise.withResolvers<void>()
  let isBlocked = false
  const could: boolean[] = []
  await using one = await opened({
    once: ['a'],
    send: async ([row]) => {
      if (!row) return []
      if (!isBlocked) {
        isBlocked = true
        await gate.promise
      }
      const isMine = await one.box.asking(row).then(
        () => true,
        () => false,
      )
      could.push(isMine)
      return [isMine ? { state: 'sent' } : { state: 'failed', error: 'Late.' }]
    },
  })
  await one.add('a1')
  const late = one.deliver()
  await expect.poll(() => isBlocked).toBe(true)
  one.clock.ms += 3 * MINUTE
  await one.other.deliver('k')
  gate.resolve()
  await late
  expect(could).toEqual([true, false])
  expect(await one.rows()).toEqual([['a1', 'sent', 2, null, null]])
})

it('a row left in the future by a clock set back goes out once, after the lease of its earlier sender', async () => {
  const sent: string[] = []
  const gate = Promise.withResolvers<void>()
  let isBlocked = false
  await using one = await opened({
    send: async ([row]) => {
      sent.push(row?.key ?? '')
      if (isBlocked) await gate.promise
      return [{ state: 'sent' }]
    },
  })
  await one.add('a1')
  isBlocked = true
  const first = one.deliver()
  await expect.poll(() => sent).toEqual(['a1'])
  isBlocked = false
  await one.add('b1')
  one.clock.ms -= 60 * MINUTE
  await one.look()
  await one.deliver()
  expect(sent).toEqual(['a1', 'b1'])
  one.clock.ms += MINUTE
  await one.look()
  await one.deliver()
  expect(sent).toEqual(['a1', 'b1'])
  one.clock.ms += 2 * MINUTE
  await one.deliver()
  expect(sent).toEqual(['a1', 'b1', 'a1'])
  gate.resolve()
  await first
})
