import { openLimiter } from '#server/kit/limiter.ts'
import { readAllowance } from '#server/replies/replies-kit.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { testKit } from '#tests/support/test-site.ts'
import { expect, it } from 'vitest'

it('posts read for visitors are counted across processes, even at the same time', async () => {
  await using database = await testDatabase()
  const clock = { ms: Date.parse('2026-11-20T12:00:00Z'), now: () => clock.ms }
  await using one = testKit(database.url, { clock })
  await using other = testKit(database.url, { clock })
  const [first, second] = [
    readAllowance(one.db, openLimiter(one)),
    readAllowance(other.db, openLimiter(other)),
  ]
  const allowed = async (networks: readonly string[]) => {
    const request = networks.map((address, n) => (n % 2 ? first : second)({ address }))
    return (await Promise.all(request)).filter(Boolean).length
  }
  // Eight for a network, a hundred for everyone.
  expect(await allowed(Array.from({ length: 14 }, () => 'a'))).toBe(8)
  expect(await allowed(Array.from({ length: 96 }, (_, n) => `b ${String(n)}`))).toBe(92)
  expect(await allowed(['c'])).toBe(0)
  clock.ms += 86_400_001
  expect(await allowed(['a', 'c'])).toBe(2)
  // Counts are deleted after a day.
  expect((await database.pool.query('select 1 from door_entries')).rows).toHaveLength(2)
})
