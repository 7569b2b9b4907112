import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setImmediate as breathe } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

/** An answer made ready once and sent many times, in the three encodings browsers ask for. */
export type HotList = {
  readonly etag: string
  /** Null where it is too large to be held beside the packed ones: then it is unpacked as it is sent. */
  readonly plain: Buffer | null
  readonly gzip: Uint8Array
  /** Null where it came as gzip. */
  readonly br: Uint8Array | null
  /** When this content was first made ready in this process, ms since 1970. */
  readonly madeAt: number
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Brotli 7 packs a list of 5,000 predictions in a tenth of a second; beyond it time doubles for a few per cent. */
const BROTLI_QUALITY = 7
/** Of a list of 100,000, which takes seconds. */
const BROTLI_QUALITY_LARGE = 4

/** Beyond so many bytes an answer is held packed only: scores of thousands of people have forty million. */
const MOST_PLAIN = 2_000_000

/** @param before the answer that this one takes the place of: where nothing has changed, it stays */
export async function hotList(body: string | Buffer, before?: HotList): Promise<HotList> {
  const plain = typeof body === 'string' ? Buffer.from(body) : body
  const etag = strongTag(plain)
  if (before?.etag === etag) return before
  const [br, gz] = await Promise.all([
    toBrotli(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
    toGzip(plain),
  ])
  const held = plain.length > MOST_PLAIN ? null : plain
  return { etag, plain: held, gzip: gz, br, madeAt: Date.now() }
}

/**
 * The same of a body that is too large to be held at once: it is packed part by part, and others are answered in between.
 *
 * @param parts its texts, in order
 */
export async function largeList(parts: Iterable<string>): Promise<HotList> {
  const hash = createHash('sha256')
  const packers = [
    createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY_LARGE } }),
    createGzip(),
  ] as const
  const packed = packers.map(async (packer) => Buffer.concat(await packer.toArray()))
  try {
    for (const part of parts) {
      const bytes = Buffer.from(part)
      hash.update(bytes)
      for (const packer of packers) if (!packer.write(bytes)) await once(packer, 'drain')
      await breathe()
    }
    for (const packer of packers) packer.end()
  } catch (error) {
    for (const packer of packers) packer.destroy()
    await Promise.allSettled(packed)
    throw error
  }
  const [br, gz] = await Promise.all(packed)
  if (!br || !gz) throw new Error('a list was not packed')
  return { etag: tagOfHash(hash.digest()), plain: null, gzip: gz, br, madeAt: Date.now() }
}

/**
 * An answer that was packed before.
 *
 * @param packed a gzip file
 */
export function packedList(packed: Uint8Array): HotList {
  return { etag: strongTag(packed), plain: null, gzip: packed, br: null, madeAt: Date.now() }
}

/** What it holds, bytes. */
export function weightOf({ plain, gzip: gz, br }: HotList): number {
  return (plain?.length ?? 0) + gz.length + (br?.length ?? 0)
}

/** A tag that is the same wherever these very bytes are served. */
export function strongTag(bytes: Uint8Array): string {
  return tagOfHash(createHash('sha256').update(bytes).digest())
}

function tagOfHash(hash: Buffer): string {
  return `"${hash.toString('base64url').slice(0, 22)}"`
}
