import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { GZIP_HEADER, gzipEnd } from '#server/http/gzip-frame.ts'
import { finished } from 'node:stream/promises'
import { constants, crc32, createDeflateRaw, gunzipSync, inflateRawSync } from 'node:zlib'

/**
 * The JSON of a reply as one gzip file, in which the figures and the calls of each person are compressed separately:
 * thousands of people have a hundred megabytes of calls, and a page reads those of a few.
 */
export type PackedScores = {
  readonly gzip: Uint8Array
  /** Where what comes before the people begins, then each person's figures and calls, then what follows, and its end. */
  readonly starts: readonly number[]
}

/** Replies of up to so many bytes are read whole: those of 300 predictions weigh half a megabyte. */
const MOST_WHOLE = 2_000_000

const NOBODY = '"people":[]'
const NO_CALLS_END = '[]}'

/**
 * Packs a reply without holding it as one text.
 *
 * @param reply without people
 * @param people in the order of the reply
 */
export async function packScores(
  reply: ScoresReply,
  people: Iterable<PersonScoreRow>,
): Promise<PackedScores> {
  const about = JSON.stringify({ ...reply, people: [] })
  const middle = about.indexOf(NOBODY) + NOBODY.length - 1
  const parts = partsDeflater()
  try {
    await parts.add(about.slice(0, middle))
    let comma = ''
    for (const { calls, ...figures } of people) {
      const text = JSON.stringify({ ...figures, calls: [] })
      await parts.add(comma + text.slice(0, -NO_CALLS_END.length))
      await parts.add(`${JSON.stringify(calls)}}`)
      comma = ','
    }
    await parts.add(about.slice(middle))
    return await parts.end()
  } finally {
    parts.close()
  }
}

/** Compresses parts so that each can be read alone. */
function partsDeflater() {
  // One stream for all parts: ten thousand streams would hold their memory until V8 collects them. Large buffers for its
  // output, as the system gets those back when they are freed.
  const deflate = createDeflateRaw({ chunkSize: 2 ** 20 })
  const pieces: Buffer[] = [GZIP_HEADER]
  let room = Buffer.alloc(2 ** 16)
  const starts = [GZIP_HEADER.length]
  let [crc, bytes, given] = [0, 0, GZIP_HEADER.length]
  deflate.on('data', (piece: Buffer) => {
    pieces.push(piece)
    given += piece.length
  })
  return {
    async add(text: string): Promise<void> {
      // Used again for each part: one is compressed before the next is written.
      if (room.length < 3 * text.length) room = Buffer.alloc(4 * text.length)
      const plain = room.subarray(0, room.write(text))
      crc = crc32(plain, crc)
      bytes += plain.length
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      deflate.once('error', reject)
      deflate.write(plain)
      // It ends on a whole byte, and later parts do not refer to earlier ones.
      // Types leave out that a stream that has ended calls back with why.
      deflate.flush(constants.Z_FULL_FLUSH, (error?: unknown) =>
        error ? reject(error) : resolve(),
      )
      await promise
      deflate.off('error', reject)
      starts.push(given + deflate.readableLength)
    },
    async end(): Promise<PackedScores> {
      deflate.end()
      await finished(deflate)
      // The stream's own last block is overwritten: the end of a gzip file brings one.
      const [last, end] = [starts.at(-1) ?? 0, gzipEnd(crc, bytes)]
      const gzip = Buffer.concat(pieces, last + end.length)
      gzip.set(end, last)
      return { gzip, starts }
    },
    close: () => void deflate.destroy(),
  }
}

/** How many bytes the JSON has. */
function plainBytes({ gzip }: PackedScores): number {
  return new DataView(gzip.buffer, gzip.byteOffset).getUint32(gzip.length - 4, true)
}

/** The JSON; null where it is too large to be held as one text. */
export function smallText(packed: PackedScores): string | null {
  return plainBytes(packed) > MOST_WHOLE ? null : gunzipSync(packed.gzip).toString()
}

/** Reads a reply. Of a large one the calls of a person are read each time they are asked for. */
export function readScores(packed: PackedScores): ScoresReply {
  // Its digest says that this very method wrote it.
  const text = smallText(packed)
  if (text !== null) return JSON.parse(text) as ScoresReply
  const last = packed.starts.length - 2
  const about = JSON.parse(partOf(packed, 0) + partOf(packed, last)) as ScoresReply
  const people = Array.from({ length: (last - 1) / 2 }, (_, i) => personOf(packed, 2 * i + 1))
  return { ...about, people }
}

function personOf(packed: PackedScores, part: number): PersonScoreRow {
  const figures: unknown = JSON.parse(partOf(packed, part).replace(/^,/, '') + NO_CALLS_END)
  return Object.defineProperty(figures as PersonScoreRow, 'calls', {
    enumerable: true,
    get: () => JSON.parse(partOf(packed, part + 1).slice(0, -1)) as PersonScoreRow['calls'],
  })
}

function partOf({ gzip, starts }: PackedScores, part: number): string {
  const bytes = gzip.subarray(starts[part], starts[part + 1])
  return inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString()
}
