import { admins } from '#server/database/schema/admins.ts'
import { addChallenge, spendChallenge } from '#server/admins/access.store.ts'
import { countTry } from '#server/admins/admins.store.ts'
import { rolledBack } from '#tests/support/rolled-back.ts'
import { expect, it } from 'vitest'

const NOON = '2026-11-20T12:00:00.000Z'
const LATER = '2026-11-20T13:00:00.000Z'

it('the pause between wrong passwords doubles each time, up to the maximum', () =>
  rolledBack(async (db) => {
    const pausesS: number[] = []
    let at = Date.parse(NOON)
    for (let i = 0; i < 14; i += 1) {
      const rule = { free: 3, longestS: 900 }
      expect(await countTry(db, 'ada', new Date(at).toISOString(), rule)).toBeNull()
      const until = await countTry(db, 'ada', new Date(at - 1).toISOString(), rule)
      const pauseS = (Date.parse(until ?? '') - at) / 1_000
      pausesS.push(pauseS)
      at += pauseS * 1_000
    }
    expect(pausesS).toEqual([0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  }))

it('a challenge for a new passkey is spent only by its own administrator', () =>
  rolledBack(async (db) => {
    const [ada, bob] = await db
      .insert(admins)
      .values(
        ['ada', 'bob'].map((username) => ({
          username,
          role: 'administrator' as const,
          folded: username,
          passwordHash: '-',
          createdAt: NOON,
        })),
      )
      .returning()
    const give = () =>
      addChallenge(db, { id: 'one', adminId: ada?.id ?? null, expiresAt: LATER }, NOON)
    await give()
    expect(await spendChallenge(db, 'one', bob?.id ?? null, NOON)).toBe(false)
    await give()
    expect(await spendChallenge(db, 'one', null, NOON)).toBe(false)
    await give()
    expect(await spendChallenge(db, 'one', ada?.id ?? null, NOON)).toBe(true)
    expect(await spendChallenge(db, 'one', ada?.id ?? null, NOON)).toBe(false)
  }))
