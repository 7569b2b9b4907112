import { createHash } from 'node:crypto'

/** @param value hex, from a wallet @returns lower case; null if it is not the preimage of this payment */
export function provenPreimage(
  value: string | null | undefined,
  paymentHash: string,
): string | null {
  const text = value?.toLowerCase() ?? ''
  if (!/^[0-9a-f]{64}$/.test(text)) return null
  const hash = createHash('sha256').update(Buffer.from(text, 'hex')).digest('hex')
  return hash === paymentHash.toLowerCase() ? text : null
}
