import { describe, expect, it } from 'vitest'
import { troubleOf } from './trouble.ts'

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code })

describe('trouble in the log', () => {
  it.each([
    ['a plain object', { message: 'worker failed', queue: 'q' }, 'worker failed', false],
    ['several addresses', new AggregateError([coded('ECONNREFUSED', 'refused')]), 'refused', true],
    [
      'a statement that failed',
      new Error('Failed query: select secret', { cause: coded('57P01', 'terminating') }),
      'terminating',
      true,
    ],
    [
      'a bad statement',
      new Error('Failed query: select x', { cause: coded('42703', 'no column') }),
      'no column',
      false,
    ],
    [
      'a lost connection',
      new Error('Connection terminated unexpectedly'),
      'Connection terminated unexpectedly',
      true,
    ],
    ['nothing', undefined, 'no reason was given', false],
  ] as const)('tells %s', (_, error, said, isLost) => {
    const told = troubleOf(error)
    expect(told.said).toBe(said)
    expect(told.isLost).toBe(isLost)
    expect(told.said).not.toMatch(/select|\[object/)
  })
})
