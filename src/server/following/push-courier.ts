import { httpCaller } from '#server/kit/http-call.ts'
import { STRANGERS, type Reach } from '#server/kit/reach.ts'
import { type PushCourier } from './ports.ts'

const ANSWER_WITHIN_MS = 15_000

/** Push services are named by browsers, so by strangers: only public addresses, by https. */
export function pushCourier(reach: Reach = STRANGERS, timeoutMs = ANSWER_WITHIN_MS): PushCourier {
  const { status } = httpCaller('The push service', { reach, timeoutMs })
  return {
    isAllowed: (url) => reach.isAllowed(url),
    post: (url, headers, bytes, signal) =>
      status({
        method: 'POST',
        url,
        headers,
        body: { bytes, type: 'application/octet-stream' },
        signal,
      }),
  }
}
