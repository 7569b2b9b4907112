import { bytesOfHex, hexOfBytes } from '#domain/proof/bytes.ts'
import { SourceError } from '#server/kit/failure.ts'
import { callTo, failedCall, httpCaller, isOk, type HttpLimits } from '#server/kit/http-call.ts'
import { publicReach } from '#server/kit/reach.ts'
import { type ProofSettings } from '#server/kit/settings/nostr.ts'

export type Calendar = ReturnType<typeof otsCalendar>

export type ProofPorts = ReturnType<typeof proofPorts>

/** As in the reference implementation; real answers have a few hundred bytes. */
const LIMITS: HttpLimits = { timeoutMs: 20_000, mostBytes: 10_000 }
const HEADERS = { accept: 'application/vnd.opentimestamps.v1' }
const NOT_YET = 404

export function proofPorts({ calendars, headersUrl }: ProofSettings) {
  return {
    /** Empty if not configured: the record is then not stamped. */
    calendars: calendars.map((address) => otsCalendar(address)),
    /** Null if not configured: readers then compare headers themselves. */
    headers: headersUrl === null ? null : blockHeaders(headersUrl),
  }
}

/** A calendar of OpenTimestamps. Its answers are unverified bytes; callers verify them. */
export function otsCalendar(address: string, limits: Partial<HttpLimits> = {}) {
  const base = new URL(address)
  const title = `The calendar ${base.host}`
  const { call } = httpCaller(title, { ...LIMITS, ...limits, reach: publicReach(base) })
  return {
    address,
    /** @throws SourceError when it does not accept the digest */
    take: async (digest: Uint8Array, signal: AbortSignal): Promise<Uint8Array> => {
      const body = { bytes: digest, type: 'application/octet-stream' }
      const url = callTo(base, '/digest')
      const answer = await call({ method: 'POST', url, headers: HEADERS, body, signal })
      if (!isOk(answer)) throw failedCall(title, answer, false)
      return answer.bytes
    },
    /** @returns null until it is in a block @throws SourceError */
    look: async (commitment: Uint8Array, signal: AbortSignal): Promise<Uint8Array | null> => {
      const url = callTo(base, `/timestamp/${hexOfBytes(commitment)}`)
      const answer = await call({ url, headers: HEADERS, signal })
      if (answer.status === NOT_YET) return null
      if (!isOk(answer)) throw failedCall(title, answer, false)
      return answer.bytes
    },
  }
}

/**
 * Provides block headers, which callers verify.
 * @param leastWorkBits minimum work of a header, as a power of two; lowered only for test chains
 */
export function blockHeaders(address: string, leastWorkBits?: number) {
  const base = new URL(address)
  const title = `The explorer ${base.host}`
  const { call } = httpCaller(title, { ...LIMITS, reach: publicReach(base) })

  async function hex(path: string, bytes: number, signal: AbortSignal): Promise<Uint8Array> {
    const answer = await call({
      url: callTo(base, path),
      headers: { accept: 'text/plain' },
      signal,
    })
    if (!isOk(answer)) throw failedCall(title, answer, false)
    const read = bytesOfHex(answer.text.trim(), bytes)
    if (read) return read
    throw new SourceError('nonsense', `${title} sent something that is not ${String(bytes)} bytes.`)
  }

  return {
    leastWorkBits,
    /** @throws SourceError if it cannot be fetched */
    at: async (height: number, signal: AbortSignal): Promise<Uint8Array> => {
      const hash = await hex(`/block-height/${String(height)}`, 32, signal)
      return hex(`/block/${hexOfBytes(hash)}/header`, 80, signal)
    },
  }
}
