import { type StoredFile } from '#server/database/schema/snapshots.ts'
import { GZIP_HEADER, gzipEnd } from '#server/http/gzip-frame.ts'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { constants, crc32, createInflateRaw } from 'node:zlib'

/*
 * The archive of a snapshot is a tar file in one gzip member, made of the compressed contents as they are kept and of what is
 * between them, which is stored without compression: another version of zlib does not change a byte of it.
 */

/** The compressed contents of a part of a file, in pieces. */
export type ContentsOf = (sha256: string) => AsyncIterable<Uint8Array>

const TAR_BLOCK = 512

type Member = Pick<StoredFile, 'name' | 'bytes' | 'parts'>
type Piece = { readonly glue: Buffer } | { readonly parts: readonly string[] }

/** What an archive ends with and how long it is, so that it can be put together again. */
export type Archive = { readonly sha256: string; readonly bytes: number; readonly crc: number }

/** One file as gzip. */
export async function* gzipOf(
  { parts, bytes, crc }: Pick<StoredFile, 'parts' | 'bytes' | 'crc'>,
  contentsOf: ContentsOf,
): AsyncGenerator<Uint8Array> {
  yield GZIP_HEADER
  yield* partsOf(parts, contentsOf)
  yield gzipEnd(crc, bytes)
}

/**
 * All files as tar.gz.
 *
 * @param madeSeconds the time of each file inside, seconds since 1970
 */
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

/** Measures an archive before it is kept. */
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

/** A file as it was before it was compressed. */
export function inflated(parts: readonly string[], contentsOf: ContentsOf): AsyncIterable<Buffer> {
  const inflate = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH })
  const source = Readable.from(partsOf(parts, contentsOf))
  source.on('error', (error) => inflate.destroy(error))
  inflate.on('close', () => source.destroy())
  return source.pipe(inflate)
}

async function* partsOf(
  parts: readonly string[],
  contentsOf: ContentsOf,
): AsyncGenerator<Uint8Array> {
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

/** The header of a plain file as POSIX has it (ustar): of nobody, readable by all. */
function tarHeader(name: string, bytes: number, madeSeconds: number): Buffer {
  const header = Buffer.alloc(TAR_BLOCK)
  const octal = (value: number, digits: number): string =>
    `${value.toString(8).padStart(digits, '0')}\0`
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

/** A block of a deflate stream that holds bytes as they are; there are at most 65,535 of them. */
function storedBlock(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(bytes.length ^ 0xffff, 3)
  return Buffer.concat([head, bytes])
}
