import { expect, it } from 'vitest'
import { openSite } from '#server/site.ts'
import { closesFile, entry } from '#tests/support/builders.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { transactionPooler } from '#tests/support/stand-ins/transaction-pooler.ts'
import { testDatabase } from '#tests/support/test-app.ts'
import { testKit, testPorts } from '#tests/support/test-site.ts'
import { shows } from '#tests/support/waiting.ts'

it('a pooler carries a whole site: jobs run, corrections appear and reach another process', async () => {
  await using database = await testDatabase()
  await using pooler = await transactionPooler(database.url, { most: 3 })
  await using kit = testKit(pooler.url, { direct: database.url })
  await using other = testKit(pooler.url, { direct: database.url })
  const sites = [
    await openSite(kit, testPorts(kit), { busy: { afterMs: 0, sampleMs: 5_000 } }),
    await openSite(other, testPorts(other), { busy: { afterMs: 0, sampleMs: 5_000 } }),
  ] as const
  const [site, second] = sites
  for (const one of sites) one.start()
  await site.imports.prices('btc', closesFile('2024-01-01', [100, 101, 102]), 'test')
  await site.imports.predictions(JSON.stringify([entry('a'), entry('b', { price_target: 180 })]))
  const list = async (of: typeof site) =>
    (await of.app.inject('/api/predictions')).json<{ id: string }[]>().map(({ id }) => id)
  await shows(async () => expect(await list(site)).toHaveLength(2))
  await shows(async () => expect(await list(second)).toHaveLength(2))
  const admin = await signedIn({ ...site, database })
  const withdrawn = await admin.call('POST', '/api/v1/admin/predictions/a/withdraw', {
    version: 0,
    reason: 'He never said it',
  })
  expect(withdrawn.status).toBe(200)
  await shows(async () => expect(await list(second)).toEqual(['b']))
  // The job queue computes the day's scores.
  await shows(async () => {
    const rows = await database.sql('select 1 from scores')
    expect(rows).not.toEqual([])
  })
  for (const one of sites) await one.stop({ linger: () => Promise.resolve() })
})
