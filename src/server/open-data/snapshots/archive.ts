import { createHash } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, crc32, createInflateRaw, createDeflateRaw } from 'node:zlib'
import { type StoredFile } from '#server/database/schema/proofs.ts'

/*
 * The archive of a snapshot is a tar file in one gzip member, assembled from stored compressed contents and
 * uncompressed headers, so that its bytes do not depend on the version of zlib.
 */

export type ContentsOf = (sha256: string) => AsyncIterable<Uint8Array>

const TAR_BLOCK = 512

type Member = Pick<StoredFile, 'name' | 'bytes' | 'parts'>
type Piece = { readonly glue: Buffer } | { readonly parts: readonly string[] }

/** Parts from which an archive can be assembled again. */
export type Archive = { readonly sha256: string; readonly bytes: number; readonly crc: number }

export async function* gzipOf(
  { parts, bytes, crc }: Pick<StoredFile, 'parts' | 'bytes' | 'crc'>,
  contentsOf: ContentsOf,
): AsyncGenerator<Uint8Array> {
  yield GZIP_HEADER
  yield* partsOf(parts, contentsOf)
  yield gzipEnd(crc, bytes)
}

/** All files as tar.gz. @param madeSeconds modification time of the files, Unix time in seconds */
export async function* archiveOf(
  snapshot: { readonly folder: string; readonly madeSeconds: number },
  files: readonly Member[],
  { crc, contentsOf }: { readonly crc: number; readonly contentsOf: ContentsOf },
): AsyncGenerator<Uint8Array> {
  let inside = 0
  yield GZIP_HEADER
  for (const piece of piecesOf(snapshot, files)) {
    if ('parts' in piece) yield* partsOf(piece.parts, contentsOf)
    else {
      inside += piece.glue.length
      yield storedBlock(piece.glue)
    }
  }
  for (const { bytes } of files) inside += bytes
  yield gzipEnd(crc, inside)
}

export async function measureArchive(
  snapshot: { readonly folder: string; readonly madeSeconds: number },
  files: readonly Member[],
  contentsOf: ContentsOf,
): Promise<Archive> {
  let crc = 0
  for (const piece of piecesOf(snapshot, files)) {
    if ('glue' in piece) crc = crc32(piece.glue, crc)
    else {
      for await (const plain of inflated(piece.parts, contentsOf)) crc = crc32(plain, crc)
    }
  }
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of archiveOf(snapshot, files, { crc, contentsOf })) {
    hash.update(piece)
    bytes += piece.length
  }
  return { sha256: hash.digest('hex'), bytes, crc }
}

/** The uncompressed file. */
export function inflated(parts: readonly string[], contentsOf: ContentsOf): AsyncIterable<Buffer> {
  const inflate = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH })
  const source = Readable.from(partsOf(parts, contentsOf))
  source.on('error', (error) => inflate.destroy(error))
  inflate.on('close', () => source.destroy())
  return source.pipe(inflate)
}

async function* partsOf(parts: readonly string[], contentsOf: ContentsOf) {
  for (const sha256 of parts) yield* contentsOf(sha256)
}

function* piecesOf(
  { folder, madeSeconds }: { readonly folder: string; readonly madeSeconds: number },
  files: readonly Member[],
): Generator<Piece> {
  let padding = 0
  for (const { name, bytes, parts } of files) {
    const header = tarHeader(`${folder}/${name}`, bytes, madeSeconds)
    yield { glue: Buffer.concat([Buffer.alloc(padding), header]) }
    yield { parts }
    padding = (TAR_BLOCK - (bytes % TAR_BLOCK)) % TAR_BLOCK
  }
  yield { glue: Buffer.alloc(padding + 2 * TAR_BLOCK) }
}

/** POSIX header (ustar) of a plain file without owner, readable by all. */
function tarHeader(name: string, bytes: number, madeSeconds: number): Buffer {
  const header = Buffer.alloc(TAR_BLOCK)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0, 100, 'ascii')
  header.write(octal(0o644, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(bytes, 11), 124)
  header.write(octal(madeSeconds, 11), 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** An uncompressed deflate block of at most 65,535 bytes. */
function storedBlock(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(bytes.length ^ 0xffff, 3)
  return Buffer.concat([head, bytes])
}

/** A compressed part of a file, which may be followed by others in a gzip file. */
type PackedPart = { readonly sha256: string; readonly deflated: Uint8Array }

export type Pieces = Iterable<string> | AsyncIterable<string>

/** For small files. */
export async function wholeText(parts: Iterable<Pieces>): Promise<string> {
  const all: string[] = []
  for (const part of parts) for await (const piece of part) all.push(piece)
  return all.join('')
}

export type PackedFile = Omit<StoredFile, 'rows' | 'parts'> & {
  readonly parts: readonly PackedPart[]
}

/**
 * Compresses a file while it is written.
 * @param parts compressed separately, as the text of a year is often the same in many snapshots
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
  // A sync flush ends at a byte boundary, and more may follow.
  const deflate = createDeflateRaw({ level: 9, finishFlush: constants.Z_SYNC_FLUSH })
  await pipeline(Readable.from(measured()), deflate, collect)
  return { sha256: hash.digest('hex'), deflated: Buffer.concat(chunks) }
}

/*
 * Header and trailer of a gzip file (RFC 1952), around separately compressed parts of a deflate stream. Each
 * part ends with a sync or full flush, so that they can be joined in any order.
 */

/** Without name and time; unknown system. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])
/** An empty final block. */
const DEFLATE_END = Buffer.from([3, 0])

/** @param crc of the content @param bytes of the content */
function gzipEnd(crc: number, bytes: number): Buffer {
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc, 0)
  end.writeUInt32LE(bytes % 2 ** 32, 4)
  return Buffer.concat([DEFLATE_END, end])
}
