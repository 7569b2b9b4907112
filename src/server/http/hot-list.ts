import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** An answer made ready once and sent many times, in the three encodings browsers ask for. */
export type HotList = {
  readonly etag: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
  /** When this content was first made ready in this process, ms since 1970. */
  readonly madeAt: number
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Brotli 7 packs a list of 5,000 predictions in a tenth of a second; beyond it time doubles for a few per cent. */
const BROTLI_QUALITY = 7

/** @param before the answer that this one takes the place of: where nothing has changed, it stays */
export async function hotList(body: string, before?: HotList): Promise<HotList> {
  const plain = Buffer.from(body)
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
  return { etag, plain, gzip: gz, br, madeAt: Date.now() }
}

/** A tag that is the same wherever these very bytes are served. */
export function strongTag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}
