import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type SnapshotList } from '#contracts/open-data.ts'
import { verifySnapshot } from '#server/open-data/verify/verify.commands.ts'
import { readPriceFile } from '#server/predictions/import-files.ts'
import { STARTER_FILES, newStarterSite } from '#tests/support/starter-site.ts'
import { type TestApp } from '#tests/support/test-app.ts'
import { shows } from '#tests/support/waiting.ts'

const TODAY = '2026-11-20'

async function score({ scores }: Pick<TestApp, 'scores'>): Promise<void> {
  for (const mode of ['touch', 'close'] as const) await scores.service.bringUpToDate(mode)
}

async function listOf(world: TestApp): Promise<SnapshotList> {
  return (await world.app.inject('/api/v1/snapshots')).json<SnapshotList>()
}

async function archiveOf(world: TestApp): Promise<Buffer> {
  return (await world.app.inject(`/data/${TODAY}/proof-of-price-${TODAY}.tar.gz`)).rawPayload
}

describe('a daily snapshot', () => {
  it('is byte-identical when made again from the same record, and the next day changes only what differs', async () => {
    let now = Date.parse(`${TODAY}T12:00:00Z`)
    await using world = await newStarterSite({ clock: { now: () => now } })
    await score(world)
    expect(await world.snapshots.service.make()).toBe('made')
    const before = await archiveOf(world)
    const count = async (): Promise<number> =>
      Number((await world.sql('select from snapshot_contents')).length)
    const parts = await count()
    await world.sql('delete from snapshots')
    await world.sql('delete from snapshot_contents')
    expect(await world.snapshots.service.make()).toBe('made')
    expect((await archiveOf(world)).equals(before)).toBe(true)

    now += 86_400_000
    await world.refresh()
    await score(world)
    expect(await world.snapshots.service.isDue()).toBe(true)
    expect(await world.snapshots.service.make()).toBe('made')
    expect((await listOf(world)).rows.map(({ day }) => day)).toEqual(['2026-11-21', TODAY])
    // A day without news changes only today's scores and the files about the snapshot, of more than 70.
    expect(parts).toBeGreaterThan(70)
    expect((await count()) - parts).toBeLessThan(parts / 3)
    expect((await archiveOf(world)).equals(before)).toBe(true)
  })

  it('of the starter record agrees with the rule and its scores', async () => {
    await using world = await newStarterSite()
    await score(world)
    expect(await world.snapshots.service.make()).toBe('made')
    const place = await mkdtemp(join(tmpdir(), 'snapshot-'))
    const archive = join(place, 'snapshot.tar.gz')
    await writeFile(archive, await archiveOf(world))
    const prices = Object.fromEntries(
      (['btc', 'mstr'] as const).map((asset) => {
        const read = readPriceFile(STARTER_FILES.prices[asset], asset, 'file', Date.parse(TODAY))
        if (!read.ok) throw new Error(read.broken)
        return [asset, { bars: read.rows, from: 'file' as const }]
      }),
    )
    const found = await verifySnapshot(archive, prices)
    await rm(place, { recursive: true })
    expect(found).toMatchObject({ day: TODAY, predictions: 580, verdicts: 1_160, agreeing: 1_160 })
    expect([found.differences, found.unchecked]).toEqual([[], []])
  })

  it('is made automatically once its scores exist, and appears on the page', async () => {
    await using world = await newStarterSite()
    const { version } = world.snapshots.service
    const before = version()
    world.snapshots.start()
    world.scores.start()
    world.jobs.work()
    await shows(async () => expect(await world.snapshots.service.isDue()).toBe(false))
    await shows(() => expect(version()).toBeGreaterThan(before))
  })
})
