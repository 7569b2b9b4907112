import { readHeader } from '#domain/proof/check-proof.ts'

/** Nearly every other hash is small enough. */
const EASIEST = 0x207f_ffff

/** The header of a test chain's block, mined on the spot. @param merkleRoot in the byte order of the header */
export function minedHeader(merkleRoot: Uint8Array): Uint8Array {
  const header = new Uint8Array(80)
  const view = new DataView(header.buffer)
  view.setUint32(0, 0x2000_0000, true)
  header.set(merkleRoot, 36)
  view.setUint32(68, 1_795_000_000, true)
  view.setUint32(72, EASIEST, true)
  for (let nonce = 0; ; nonce += 1) {
    view.setUint32(76, nonce, true)
    if (readHeader(header)?.isMined) return header
  }
}
