import { type PackedPixels } from '#domain/publishing/image/cursor.ts'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'

class TooMany extends Error {}

/**
 * Whether packed pixels unpack to as many bytes as they should, with the checksum behind them. What is unpacked is
 * counted and let go, and no more of it than there should be.
 */
export async function areWhole({ parts, unpackedBytes }: PackedPixels): Promise<boolean> {
  let bytes = 0
  try {
    await pipeline(Readable.from(parts), createInflate(), async (unpacked) => {
      for await (const chunk of unpacked as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > unpackedBytes) throw new TooMany()
      }
    })
    return bytes === unpackedBytes
  } catch (error) {
    // What zlib finds fault with has a code of its own.
    if (error instanceof TooMany || (error instanceof Error && 'errno' in error)) return false
    throw error
  }
}
