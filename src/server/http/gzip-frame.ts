/*
 * What a gzip file begins and ends with (RFC 1952). Between them come parts of a deflate stream that were compressed
 * separately and end with a sync or a full flush, so that any of them can follow any other.
 */

/** No name, no time, an unknown system. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])
/** An empty last block. */
const DEFLATE_END = Buffer.from([3, 0])

/**
 * @param crc of what is inside
 * @param bytes how many are inside
 */
export function gzipEnd(crc: number, bytes: number): Buffer {
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc, 0)
  end.writeUInt32LE(bytes % 2 ** 32, 4)
  return Buffer.concat([DEFLATE_END, end])
}
