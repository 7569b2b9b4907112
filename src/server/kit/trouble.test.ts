import { DrizzleQueryError } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { retryWhileAway } from '#server/database/open.ts'
import { sentenceOf, troubleOf } from './trouble.ts'

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code })

afterEach(() => {
  vi.useRealTimers()
})

describe('trouble in the log', () => {
  const GONE = 'Connection terminated unexpectedly'
  const failed = (query: string, cause: Error) => new Error(`Failed query: ${query}`, { cause })
  it.each([
    [{ message: 'worker failed', queue: 'q' }, 'worker failed', false],
    [new AggregateError([coded('ECONNREFUSED', 'refused')]), 'refused', true],
    [failed('select secret', coded('57P01', 'terminating')), 'terminating', true],
    [failed('select x', coded('42703', 'no column')), 'no column', false],
    [new Error(GONE), GONE, true],
    [undefined, 'no reason was given', false],
  ] as const)('is recognized: %s', (error, message, isLost) => {
    const trouble = troubleOf(error)
    expect(trouble.message).toBe(message)
    expect(trouble.isLost).toBe(isLost)
    expect(trouble.message).not.toMatch(/select|\[object/)
  })
})

it.each([
  [coded('57P03', 'the database system is starting up'), true],
  [coded('53300', 'sorry, too many clients already'), true],
  [new Error('timeout expired'), true],
  [coded('25006', 'cannot execute INSERT in a read-only transaction'), true],
  [Object.assign(coded('ENOENT', 'connect'), { syscall: 'connect' }), true],
  [Object.assign(coded('ENOENT', 'open'), { syscall: 'open' }), false],
])('%s is a lost connection or not: %s', (error, isLost) => {
  expect(troubleOf(error).isLost).toBe(isLost)
})

it('the terminal log reports a full disk without the statement', () => {
  const cause = coded('53100', 'could not extend file "base/5/16405": No space left on device')
  const failed = new DrizzleQueryError('insert into "predictions"', ['jane@example.org'], cause)
  for (const error of [failed, new Error('Failed query: insert jane@', { cause: failed }), cause]) {
    expect(sentenceOf(error)).toMatch(/^The disk is full.*No space left on device$/)
  }
  const other = new DrizzleQueryError('insert', ['jane@'], coded('42P01', 'no such table'))
  expect(sentenceOf(other)).toBe('The database refused a statement: no such table')
  expect(sentenceOf(z.array(z.object({ day: z.int() })).safeParse([{}]).error)).toMatch(
    /^This version cannot read what is stored: [^\n{]*\[0\]\.day$/,
  )
  expect(sentenceOf(new Error('PORT is taken.', { cause: coded('EADDRINUSE', 'x') }))).toBe(
    'PORT is taken.',
  )
})

describe('a start while the database is away', () => {
  const failing = (errors: readonly Error[]) => {
    const left = [...errors]
    return vi.fn<() => Promise<string>>(async () => {
      const next = left.shift()
      if (next) throw next
      return 'done'
    })
  }
  const away = coded('ECONNREFUSED', 'connect ECONNREFUSED')

  it('waits, logs it once, and continues', async () => {
    vi.useFakeTimers()
    const waits: string[] = []
    const work = failing([away, coded('57P03', 'the database system is starting up'), away])
    const begun = retryWhileAway(work, { forMs: 60_000, onWait: (message) => waits.push(message) })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await begun).toBe('done')
    expect([work.mock.calls.length, waits]).toEqual([4, ['connect ECONNREFUSED']])
  })

  it('waits a limited time for an unavailable database, and not at all after other faults', async () => {
    vi.useFakeTimers()
    const long = failing(Array<Error>(1_000).fill(away))
    const begun = retryWhileAway(long, { forMs: 60_000, onWait: () => {} }).catch(String)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await begun).toContain('ECONNREFUSED')
    expect(long.mock.calls.length).toBeLessThan(30)
    const wrong = failing([coded('28P01', 'password authentication failed')])
    const onWait = (): void => {}
    await expect(retryWhileAway(wrong, { forMs: 60_000, onWait })).rejects.toThrow('password')
    const impatient = failing([away])
    await expect(retryWhileAway(impatient, { forMs: 0, onWait })).rejects.toThrow('ECONNREFUSED')
    expect([wrong.mock.calls.length, impatient.mock.calls.length]).toEqual([1, 1])
  })
})
