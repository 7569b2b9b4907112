import { createHash } from 'node:crypto'
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { SNAPSHOT_COLUMNS } from '#contracts/snapshot-columns.ts'
import { SNAPSHOT_ROWS, SnapshotMetadata, type SnapshotList } from '#contracts/snapshots.ts'
import { SNAPSHOT_FILES, SNAPSHOT_TABLES } from '#contracts/snapshots.paths.ts'
import { type AssetKey } from '#domain/asset.ts'
import { readPriceFile } from '#server/predictions/import-files.ts'
import { verifySnapshot, type PricesToJudgeBy } from '#server/open-data/verify/verify-snapshot.ts'
import { STARTER_FILES, starterSite } from '#tests/support/starter-site.ts'
import { type TestApp } from '#tests/support/test-app.ts'

const TODAY = '2026-11-20'

async function listOf(world: TestApp): Promise<SnapshotList> {
  return (await world.app.inject('/api/v1/snapshots')).json<SnapshotList>()
}

async function bytesAt(world: TestApp, path: string): Promise<Buffer> {
  return (await world.app.inject(path)).rawPayload
}

/** The starter prices, as files to judge by. */
function starterPrices(change: (asset: AssetKey, text: string) => string = (_, text) => text) {
  const found: { -readonly [Key in AssetKey]?: PricesToJudgeBy[Key] } = {}
  for (const asset of ['btc', 'mstr'] as const) {
    const read = readPriceFile(
      change(asset, STARTER_FILES.prices[asset]),
      asset,
      'file',
      Date.parse(TODAY),
    )
    if (!read.ok) throw new Error(read.broken)
    found[asset] = { bars: read.rows, from: 'file' }
  }
  return found
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
    }
    const about = SnapshotMetadata.parse(
      (await world.app.inject(`/data/${TODAY}/metadata.json`)).json(),
    )
    expect(about).toMatchObject({ as_of: TODAY, made: `${TODAY}T12:00:00.000Z`, rule: 1 })
    for (const table of SNAPSHOT_TABLES) {
      const names = SNAPSHOT_COLUMNS[table].map(({ name }) => name)
      const json = (await world.app.inject(`/data/${TODAY}/${table}.json`)).json<unknown[]>()
      const csv = (await world.app.inject(`/data/${TODAY}/${table}.csv`)).body
      expect(SNAPSHOT_ROWS[table].strict().array().parse(json)).toEqual(json)
      const [head, ...lines] = parse(csv)
      expect(head).toEqual(names)
      expect(lines.length).toBe(json.length)
      const paths = new Set(json.flatMap((row) => pathsOf(row)))
      expect([table, [...paths].filter((path) => !names.includes(path))]).toEqual([table, []])
    }

    const folder = await mkdtemp(join(tmpdir(), 'snapshot-'))
    const file = join(folder, 'it.tar.gz')
    await writeFile(file, await bytesAt(world, new URL(snapshot?.archive.url ?? '').pathname))
    const t = Date.now()
    const found = await verifySnapshot(file, starterPrices())
    console.log(Date.now() - t, {
      ...found,
      differences: found.differences.slice(0, 5),
      unchecked: found.unchecked.slice(0, 5),
    })
    void [mkdir, readFile, rm]
  })
})

/** The paths of all values of a row that are no objects. */
function pathsOf(value: unknown, before = ''): string[] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [before.slice(1)]
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, `${before}.${name}`))
}
