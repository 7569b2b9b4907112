import { createHash } from 'node:crypto'

/**
 * The secret behind a payment hash, which only whoever was paid could give away.
 *
 * @param told in hex, as a wallet tells it
 * @returns it in lower case; null where it does not belong to this payment
 */
export function provenPreimage(
  told: string | null | undefined,
  paymentHash: string,
): string | null {
  const text = told?.toLowerCase() ?? ''
  if (!/^[0-9a-f]{64}$/.test(text)) return null
  const hash = createHash('sha256').update(Buffer.from(text, 'hex')).digest('hex')
  return hash === paymentHash.toLowerCase() ? text : null
}
