import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { SNAPSHOT_COLUMNS } from '#contracts/snapshot-columns.ts'
import { SNAPSHOT_ROWS, SnapshotMetadata, type SnapshotList } from '#contracts/snapshots.ts'
import { SNAPSHOT_FILES, SNAPSHOT_TABLES } from '#contracts/snapshots.paths.ts'
import { starterSite } from '#tests/support/starter-site.ts'
import { type TestApp } from '#tests/support/test-app.ts'

const TODAY = '2026-11-20'

/** A site with today's scores, of which a snapshot can be made. */
async function scoredSite(): Promise<TestApp> {
  const world = await starterSite()
  for (const mode of ['touch', 'close'] as const) await world.scores.service.bringUpToDate(mode)
  return world
}

async function listOf(world: TestApp): Promise<SnapshotList> {
  return (await world.app.inject('/api/v1/snapshots')).json<SnapshotList>()
}

describe('the snapshot of a day', () => {
  it('waits for its scores, is made once, and holds the whole record in files that agree', async () => {
    await using world = await starterSite()
    const { service } = world.snapshots
    expect(await service.make()).toBe('waiting')
    for (const mode of ['touch', 'close'] as const) await world.scores.service.bringUpToDate(mode)
    expect(await service.make()).toBe('made')
    expect(await service.make()).toBe('had')
    const { total, rows } = await listOf(world)
    const [snapshot] = rows
    expect([total, snapshot?.day]).toEqual([1, TODAY])
    expect(snapshot?.files.map(({ name }) => name)).toEqual(SNAPSHOT_FILES)
    for (const { name, url, bytes, sha256 } of snapshot?.files ?? []) {
      const { statusCode, headers, rawPayload } = await world.app.inject(new URL(url).pathname)
      expect([name, statusCode, headers['content-length']]).toEqual([name, 200, String(bytes)])
      expect([name, createHash('sha256').update(rawPayload).digest('hex')]).toEqual([name, sha256])
      if (name.includes('CSV') || name.endsWith('.csv')) console.log(name, bytes)
    }
    console.log(snapshot?.archive)
    const about = SnapshotMetadata.parse(
      (await world.app.inject(`/data/${TODAY}/metadata.json`)).json(),
    )
    console.log(
      JSON.stringify(about).slice(0, 600),
      about.tables.map((t) => [t.name, t.rows]),
    )
    for (const table of SNAPSHOT_TABLES) {
      const names = SNAPSHOT_COLUMNS[table].map(({ name }) => name)
      const json = (await world.app.inject(`/data/${TODAY}/${table}.json`)).json<unknown[]>()
      const csv = (await world.app.inject(`/data/${TODAY}/${table}.csv`)).body
      expect(SNAPSHOT_ROWS[table].strict().array().parse(json)).toEqual(json)
      const [head, ...lines] = parse(csv) as string[][]
      expect(head).toEqual(names)
      expect(lines.length).toBe(json.length)
      const paths = new Set(json.flatMap((row) => pathsOf(row)))
      expect([table, [...paths].filter((path) => !names.includes(path))]).toEqual([table, []])
    }
  })
})

/** The paths of all values of a row that are no objects. */
function pathsOf(value: unknown, before = ''): string[] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [before.slice(1)]
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, `${before}.${name}`))
}
void scoredSite
