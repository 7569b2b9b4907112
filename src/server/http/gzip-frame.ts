/*
 * Header and trailer of a gzip file (RFC 1952). Separately compressed parts of a deflate stream go in between; each
 * ends with a sync or full flush, so that they can be joined in any order.
 */

/** No name, no time, an unknown system. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])
/** An empty last block. */
const DEFLATE_END = Buffer.from([3, 0])

/**
 * @param crc of the content
 * @param bytes of the content
 */
export function gzipEnd(crc: number, bytes: number): Buffer {
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc, 0)
  end.writeUInt32LE(bytes % 2 ** 32, 4)
  return Buffer.concat([DEFLATE_END, end])
}
