import { type StoredFile } from '#server/database/schema/snapshots.ts'
import { createHash } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, crc32, createDeflateRaw } from 'node:zlib'

/** A part of a file, compressed so that it fits into a gzip file anywhere but at its end. */
type PackedPart = { readonly sha256: string; readonly deflated: Uint8Array }

/** A text in pieces. */
export type Pieces = Iterable<string> | AsyncIterable<string>

/** A file as one text, for those small enough. */
export async function wholeText(parts: Iterable<Pieces>): Promise<string> {
  const all: string[] = []
  for (const part of parts) for await (const piece of part) all.push(piece)
  return all.join('')
}

export type PackedFile = Omit<StoredFile, 'rows' | 'parts'> & {
  readonly parts: readonly PackedPart[]
}

/**
 * Compresses a file as it is written: no more of it is in memory than is compressed already.
 *
 * @param parts each compressed for itself, as the text of a year may be the same in many files
 */
export async function packFile(name: string, parts: Iterable<Pieces>): Promise<PackedFile> {
  const hash = createHash('sha256')
  let [bytes, crc] = [0, 0]
  const packed: PackedPart[] = []
  for (const part of parts) {
    packed.push(
      await packPart(part, (chunk) => {
        hash.update(chunk)
        crc = crc32(chunk, crc)
        bytes += chunk.length
      }),
    )
  }
  return { name, sha256: hash.digest('hex'), bytes, crc, parts: packed }
}

async function packPart(text: Pieces, measure: (chunk: Buffer) => void): Promise<PackedPart> {
  const hash = createHash('sha256')
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const piece of text) {
      const chunk = Buffer.from(piece)
      hash.update(chunk)
      measure(chunk)
      yield chunk
    }
  }
  const chunks: Buffer[] = []
  const collect = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  // A sync flush ends on a whole byte, and more may follow.
  const deflate = createDeflateRaw({ level: 9, finishFlush: constants.Z_SYNC_FLUSH })
  await pipeline(Readable.from(measured()), deflate, collect)
  return { sha256: hash.digest('hex'), deflated: Buffer.concat(chunks) }
}
