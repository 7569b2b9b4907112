import { expect, it } from 'vitest'
import { keepFollower, followerById } from '#server/following/followers.store.ts'
import { rolledBack } from '#tests/support/rolled-back.ts'

it('an address confirmed again keeps the time of its next digest, unless it asks for another pace', () =>
  rolledBack(async (db) => {
    const id = '00000000-0000-4000-8000-000000000001'
    const keep = async (every: 'week' | 'day', nextAt: string) => {
      const row = { id, channel: 'email', address: 'a@example.org', addressHash: 'a' } as const
      await keepFollower(db, { ...row, tokenHash: 't', every, nextAt, createdAt: nextAt })
      const found = await followerById(db, id)
      return found && new Date(found.nextAt).toISOString()
    }
    const [first, second] = ['2026-11-23T07:00:00.000Z', '2026-11-30T07:00:00.000Z']
    expect(await keep('week', first)).toBe(first)
    expect(await keep('week', second)).toBe(first)
    expect(await keep('day', second)).toBe(second)
  }))
