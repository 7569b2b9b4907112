/** An Idempotency-Key. `crypto.randomUUID` is missing on unencrypted pages, such as a test site in a home network. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
