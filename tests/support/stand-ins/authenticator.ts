import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Faults of a response; by default none. */
export type Wrongs = {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: 'webauthn.create' | 'webauthn.get'
  /** The device verified neither fingerprint nor PIN. */
  readonly isUserVerified?: boolean
  readonly hasOtherKey?: boolean
  readonly credentialId?: string
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/**
 * A device with a passkey (WebAuthn, ES256, attestation `none`), made from the specification with node:crypto only.
 *
 * @param origin of the requesting page
 */
export function authenticator(origin: string) {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0

  function clientData(type: Wrongs['type'], challenge: string, wrongs: Wrongs): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: wrongs.type ?? type,
        challenge: wrongs.challenge ?? challenge,
        origin: wrongs.origin ?? origin,
        crossOrigin: false,
      }),
    )
  }

  function head(flags: number, { rpId = new URL(origin).hostname, isUserVerified = true }: Wrongs) {
    counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flag = flags | USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0)
    return Buffer.concat([hash(rpId), Buffer.from([flag]), count])
  }

  return {
    id: id.toString('base64url'),

    register(challenge: string, wrongs: Wrongs = {}) {
      const { x = '', y = '' } = own.publicKey.export({ format: 'jwk' })
      const key = map([
        [int(1), int(2)],
        [int(3), int(-7)],
        [int(-1), int(1)],
        [int(-2), bytes(Buffer.from(x, 'base64url'))],
        [int(-3), bytes(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const authData = Buffer.concat([
        head(HAS_CREDENTIAL, wrongs),
        Buffer.alloc(16),
        length,
        id,
        key,
      ])
      const attestation = map([
        [text('fmt'), text('none')],
        [text('attStmt'), map([])],
        [text('authData'), bytes(authData)],
      ])
      return answer(wrongs.credentialId ?? id.toString('base64url'), {
        clientDataJSON: clientData('webauthn.create', challenge, wrongs).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },

    signIn(challenge: string, wrongs: Wrongs = {}) {
      const client = clientData('webauthn.get', challenge, wrongs)
      const authenticatorData = head(0, wrongs)
      const { privateKey } = wrongs.hasOtherKey
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : own
      const signed = Buffer.concat([authenticatorData, hash(client)])
      return answer(wrongs.credentialId ?? id.toString('base64url'), {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }
}

function answer(id: string, response: object) {
  return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
}

function hash(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

// The subset of CBOR (RFC 8949) used by passkeys.

function headOf(kind: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(kind << 5) | value])
  if (value < 256) return Buffer.from([(kind << 5) | 24, value])
  return Buffer.from([(kind << 5) | 25, value >> 8, value & 0xff])
}

function int(value: number): Buffer {
  return value < 0 ? headOf(1, -1 - value) : headOf(0, value)
}

function bytes(value: Buffer): Buffer {
  return Buffer.concat([headOf(2, value.length), value])
}

function text(value: string): Buffer {
  return Buffer.concat([headOf(3, value.length), Buffer.from(value)])
}

function map(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([headOf(5, entries.length), ...entries.flat()])
}
