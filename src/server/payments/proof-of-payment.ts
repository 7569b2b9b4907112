import { createHash } from 'node:crypto'

/**
 * The secret behind a payment hash, which only the receiver of the payment could give away.
 *
 * @param given in hex, as a wallet gives it
 * @returns it in lower case; null where it does not belong to this payment
 */
export function provenPreimage(
  given: string | null | undefined,
  paymentHash: string,
): string | null {
  const text = given?.toLowerCase() ?? ''
  if (!/^[0-9a-f]{64}$/.test(text)) return null
  const hash = createHash('sha256').update(Buffer.from(text, 'hex')).digest('hex')
  return hash === paymentHash.toLowerCase() ? text : null
}
