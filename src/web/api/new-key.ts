/** For an Idempotency-Key. `crypto.randomUUID` is missing on pages without encryption, such as a site tried out in a home network. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
