import { desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import {
  archiveName,
  LATEST_ARCHIVE,
  SNAPSHOT_FILES,
  SNAPSHOTS_A_PAGE,
  snapshotFolder,
  snapshotPath,
} from '#contracts/data-files.ts'
import { type SnapshotItem, type SnapshotList, type SnapshotPage } from '#contracts/open-data.ts'
import { dayOfTime, isoDay, readDay } from '#domain/day.ts'
import { snapshotContents, snapshots } from '#server/database/schema/proofs.ts'
import { firstRow, inOneState, placeIn, type Db, readRows } from '#server/kit/db.ts'
import { failure, type AppError } from '#server/kit/failure.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { sendSignal } from '#server/kit/signals.ts'
import { iso } from '#server/kit/time.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type ScoresService } from '#server/scores/scores.service.ts'
import { archiveOf, gzipOf, inflated, measureArchive, type ContentsOf } from './archive.ts'
import { makeSnapshot, readRecord, snapshotCitation } from './make-snapshot.ts'

export type SentFile = {
  readonly type: string
  readonly etag: string
  readonly bytes: number
  readonly plain: () => AsyncIterable<Uint8Array>
  /** The size when compressed; null for files that already are. */
  readonly gzip: (() => AsyncIterable<Uint8Array>) | null
}

export type Snapshots = ReturnType<typeof snapshotService>

function snapshotService(
  { db, clock, config: { origin } }: Pick<SiteKit, 'db' | 'clock' | 'config'>,
  scores: ScoresService,
) {
  let version = 0

  function fileOf(snapshot: StoredSnapshot, name: string): SentFile | null {
    const { day, files, archiveSha256, archiveBytes, archiveCrc: crc } = snapshot
    const contentsOf: ContentsOf = (sha256) => storedContents(db, sha256)
    if (name === archiveName(day)) {
      return {
        type: 'application/gzip',
        etag: `"${archiveSha256}"`,
        bytes: archiveBytes,
        plain: () => archiveOf(placeOf(snapshot), files, { crc, contentsOf }),
        gzip: null,
      }
    }
    const file = files.find((one) => one.name === name)
    if (!file) return null
    return {
      type: typeOf(name),
      etag: `"${file.sha256}"`,
      bytes: file.bytes,
      plain: () => inflated(file.parts, contentsOf),
      gzip: () => gzipOf(file, contentsOf),
    }
  }

  async function list(page: number): Promise<SnapshotList> {
    const total = await db.$count(snapshots)
    const rows = await newestSnapshots(db, SNAPSHOTS_A_PAGE, (page - 1) * SNAPSHOTS_A_PAGE)
    const { pages } = placeIn(total, page, SNAPSHOTS_A_PAGE)
    return { total, page, pages, rows: rows.map((row) => itemOf(row, origin)) }
  }

  return {
    /** Changes with every new snapshot. */
    version: (): number => version,
    /** Another process may have made a snapshot. */
    hear: (): void => {
      version += 1
    },

    /** Whether today's snapshot is still missing. */
    async isDue(): Promise<boolean> {
      const [newest] = await newestSnapshots(db, 1)
      return newest?.day !== isoDay(dayOfTime(clock.now()))
    },

    /** Makes today's snapshot if it is missing. @returns `waiting` while the scores of the current record are missing */
    async make(): Promise<'made' | 'had' | 'waiting'> {
      const made = clock.now()
      const today = dayOfTime(made)
      const day = isoDay(today)
      if (await snapshotOf(db, day)) return 'had'
      const found = await inOneState(db, async (tx) => {
        const record = await readRecord(tx, scores, today)
        if (!record) return null
        const packed = await makeSnapshot(record, { made, origin })
        return { packed, rule: record.scores.touch.rule }
      })
      if (!found) return 'waiting'
      const { packed, rule } = found
      return db.transaction(async (tx) => {
        await tx.execute(LOCK)
        if (await snapshotOf(tx, day)) return 'had'
        for (const part of packed.flatMap(({ parts }) => parts)) {
          // Contents already stored keep their compression.
          await tx.insert(snapshotContents).values(part).onConflictDoNothing()
        }
        const files = packed.map(({ parts, ...file }) => {
          return { ...file, parts: parts.map(({ sha256 }) => sha256) }
        })
        const madeAt = new Date(made).toISOString()
        // Measured as it will be sent: parts of earlier days keep their former compression.
        const archive = await measureArchive(placeOf({ day, madeAt }), files, (sha256) =>
          storedContents(tx, sha256),
        )
        await tx.insert(snapshots).values({
          day,
          madeAt,
          rule,
          files,
          archiveSha256: archive.sha256,
          archiveBytes: archive.bytes,
          archiveCrc: archive.crc,
        })
        await sendSignal(tx, 'snapshots')
        return 'made'
      })
    },

    list,

    /** The newest snapshot in full, and a page of the list. */
    async pageOf(page: number): Promise<SnapshotPage> {
      const [latest] = await newestSnapshots(db, 1)
      const { rows, ...counts } = await list(page)
      return {
        ...counts,
        latest: latest ? itemOf(latest, origin) : null,
        rows: rows.map(({ day, archive, files }) => ({
          day,
          bytes: archive.bytes,
          sha256: archive.sha256,
          predictions: files.find(({ name }) => name === 'predictions.csv')?.rows ?? 0,
        })),
      }
    },

    /** The address of a file in the newest snapshot. @throws AppError `not_found` before the first one */
    async newest(name: string): Promise<string> {
      const [newest] = await newestSnapshots(db, 1)
      if (!newest) {
        throw failure(
          'not_found',
          'The first snapshot is still being made. Please try again in a minute.',
        )
      }
      const { day } = newest
      if (name === LATEST_ARCHIVE) return snapshotPath(day, archiveName(day))
      if (SNAPSHOT_FILES.includes(name)) return snapshotPath(day, name)
      throw noFile('The newest snapshot', name)
    },

    /** @throws AppError `not_found` */
    async file(day: string, name: string): Promise<SentFile> {
      const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && readDay(day) !== null
      const snapshot = isDay ? await snapshotOf(db, day) : null
      if (!snapshot) {
        throw failure(
          'not_found',
          `There is no snapshot of “${day.slice(0, 40)}”. All snapshots are listed at /data.`,
        )
      }
      const file = fileOf(snapshot, name)
      if (!file) throw noFile(`The snapshot of ${day}`, name)
      return file
    },
  }
}

function noFile(snapshot: string, name: string): AppError {
  return failure(
    'not_found',
    `${snapshot} has no file “${name.slice(0, 60)}”. Its files are listed at /data.`,
  )
}

function placeOf({ day, madeAt }: Pick<StoredSnapshot, 'day' | 'madeAt'>) {
  return { folder: snapshotFolder(day), madeSeconds: Math.floor(Date.parse(madeAt) / 1000) }
}

function itemOf(snapshot: StoredSnapshot, origin: string): SnapshotItem {
  const { day, madeAt, rule, files, archiveBytes, archiveSha256 } = snapshot
  const url = (name: string): string => `${origin}${snapshotPath(day, name)}`
  return {
    day,
    made: iso(madeAt),
    rule,
    archive: {
      name: archiveName(day),
      url: url(archiveName(day)),
      bytes: archiveBytes,
      sha256: archiveSha256,
    },
    files: files.map(({ name, bytes, sha256, rows }) => {
      return { name, url: url(name), bytes, sha256, rows }
    }),
    citation: snapshotCitation(day, rule, origin),
  }
}

function typeOf(name: string): string {
  if (name.endsWith('.csv')) return 'text/csv; charset=utf-8; header=present'
  return name.endsWith('.json') ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8'
}

/** Makes daily snapshots as soon as the day's scores exist. `follow` listens for those of other processes. */
export function openSnapshots(
  kit: SiteKit,
  { record, scores }: { record: Pick<PublicRecord, 'onChange'>; scores: ScoresService },
) {
  const { db, log, signals, jobs, outages } = kit
  let ends: (() => void)[] = []
  const service = snapshotService(kit, scores)
  const job = jobs.repeat({
    name: 'snapshots',
    title: 'Making the daily snapshot',
    seconds: 300,
    withinSeconds: 1_800,
    run: async () => {
      if (!(await service.isDue())) return
      if ((await service.make()) === 'made') log.info({}, 'daily snapshot made')
    },
  })
  const follow = (): void => {
    if (ends.length === 0) ends.push(signals.listen('snapshots', service.hear))
  }
  const ask = async (): Promise<void> => {
    if (await service.isDue()) await job.send(db, {})
  }
  const nudge = (): void => void ask().catch((error: unknown) => outages.notice(error))
  return {
    service,
    follow,
    start: () => {
      follow()
      ends.push(signals.listen('scores', nudge), record.onChange(nudge))
    },
    stop: async () => {
      for (const end of ends) end()
      ends = []
    },
  }
}

/** Serializes processes that make a snapshot until their transaction ends. */
const LOCK = sql`select pg_advisory_xact_lock(hashtext('proof-of-price snapshot'))`

/** Contents are read in pieces of this size, to limit the memory of concurrent downloads. */
const PIECE_BYTES = 1_000_000

type StoredSnapshot = typeof snapshots.$inferSelect

function snapshotOf(db: Db, day: string): Promise<StoredSnapshot | null> {
  return firstRow(db.select().from(snapshots).where(eq(snapshots.day, day)))
}

function newestSnapshots(db: Db, most: number, skip = 0) {
  return db.select().from(snapshots).orderBy(desc(snapshots.day)).limit(most).offset(skip)
}

const Piece = z.object({ piece: z.instanceof(Uint8Array) })

/** Compressed contents by checksum, in pieces. */
async function* storedContents(db: Db, sha256: string): AsyncGenerator<Uint8Array> {
  for (let from = 1; ; from += PIECE_BYTES) {
    const [row] = await readRows(db, Piece)`
      select substring(deflated from ${from}::int for ${PIECE_BYTES}::int) as piece
      from snapshot_contents where sha256 = ${sha256}`
    if (!row) throw new Error(`the contents ${sha256} of a snapshot are missing`)
    if (row.piece.length > 0) yield row.piece
    if (row.piece.length < PIECE_BYTES) return
  }
}
