import { openSite } from '#server/site.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { testKit, testPorts } from '#tests/support/test-site.ts'
import { expect, it, vi } from 'vitest'

it('a site that cannot read the record leaves no timer or listener, and opens once it can', async () => {
  await using database = await testDatabase()
  await using kit = testKit(database.url)
  const begun = vi.spyOn(globalThis, 'setInterval')
  const ended = vi.spyOn(globalThis, 'clearInterval')
  const listened = vi.spyOn(kit.signals, 'listen')
  await database.pool.query('alter table record_state rename to moved')
  await expect(openSite(kit, testPorts(kit))).rejects.toThrow(/record_state/)
  const running = new Set<unknown>(begun.mock.results.map(({ value }) => value))
  expect(running.size).toBeGreaterThan(0)
  for (const [timer] of ended.mock.calls) running.delete(timer)
  expect(running.size).toBe(0)
  expect(listened).not.toHaveBeenCalled()

  await database.pool.query('alter table moved rename to record_state')
  const site = await openSite(kit, testPorts(kit))
  expect(site.record.version()).not.toBe('0')
  await site.stop({ linger: () => Promise.resolve() })
})
