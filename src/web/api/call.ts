import { z } from 'zod'
import { Failure } from '#contracts/errors.ts'

/** A call that did not succeed; `message` can be shown. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** The status of the answer; 0 when there was none. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** Longer than this and the visitor is better served by a message. */
const PATIENCE_MS = 15_000

type Readable = { readonly path: string; readonly reply: z.ZodType }

/**
 * Makes a call of #contracts that takes no parameters and checks what comes back: an answer that breaks its contract is
 * an error, never data.
 */
export async function call<Called extends Readable>(
  route: Called,
  signal: AbortSignal,
): Promise<z.infer<Called['reply']>> {
  const parsed = z.safeParse<Called['reply']>(route.reply, await getJson(route.path, signal))
  if (!parsed.success) throw new CallError('The server gave an answer we cannot read.', 200)
  return parsed.data
}

async function getJson(path: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(path, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  }).catch((cause: unknown) => {
    if (signal.aborted) throw cause
    throw new CallError('The server cannot be reached.', 0)
  })
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return body
  const failure = Failure.safeParse(body)
  throw new CallError(
    failure.success ? failure.data.error : 'The server had a problem.',
    response.status,
  )
}
