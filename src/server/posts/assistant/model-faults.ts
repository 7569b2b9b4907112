import { SourceError } from '#server/kit/ports.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { askedWait, waitText } from '#server/kit/asked-wait.ts'

export type ModelFault = {
  readonly error: SourceError
  /** It may only be that the server takes no schema. */
  readonly isAboutSchema: boolean
}

const FIRST_PAUSE_MS = 2_000
/** An administrator waits in front of the screen: a provider that asks for more is reported instead. */
const LONGEST_PAUSE_MS = 10_000
const SPENT = /insufficient_quota|credit|billing|spending/i

/**
 * Asks again after a fault that may pass, as long as the pause that it asks for is short and ends in time. A quota that
 * is used up does not pass.
 *
 * @param within `until`: by `performance.now()`
 * @throws what the last call has thrown
 */
export async function askAgain(
  ask: () => Promise<string>,
  retries: number,
  within: { readonly until: number; readonly signal: AbortSignal },
): Promise<string> {
  const { APICallError } = await import('ai')
  for (let tried = 0; ; tried += 1) {
    try {
      return await ask()
    } catch (error) {
      if (tried >= retries || !APICallError.isInstance(error) || !error.isRetryable) throw error
      if (SPENT.test(error.responseBody ?? '')) throw error
      const asked = waitOf(error.responseHeaders)
      const pauseMs = asked ?? FIRST_PAUSE_MS * 2 ** tried
      if (pauseMs > LONGEST_PAUSE_MS || performance.now() + pauseMs >= within.until) throw error
      await pause(pauseMs, undefined, { signal: within.signal })
    }
  }
}

/**
 * What a failed call to a model means, as a sentence for people. What the other side says of it is left out: it may
 * quote the key.
 *
 * @param within `timeout` of the call: when it has ended, so has the wait
 */
export async function modelFault(
  { title, model }: { readonly title: string; readonly model: string },
  thrown: unknown,
  { timeout, timeoutMs }: { readonly timeout: AbortSignal; readonly timeoutMs: number },
): Promise<ModelFault> {
  const { APICallError } = await import('ai')
  const plain = (error: SourceError): ModelFault => ({ error, isAboutSchema: false })
  if (thrown instanceof SourceError) return plain(thrown)
  if (timeout.aborted) {
    const seconds = String(timeoutMs / 1_000)
    return plain(new SourceError('down', `${title} did not answer within ${seconds} s.`))
  }
  if (!APICallError.isInstance(thrown)) {
    return plain(new SourceError('nonsense', `${title} sent an answer that makes no sense.`))
  }
  const { statusCode: status, responseBody = '', responseHeaders } = thrown
  if (status === undefined) return plain(new SourceError('down', `${title} cannot be reached.`))
  if (status >= 200 && status < 300) {
    return plain(new SourceError('nonsense', `${title} sent an answer that is no JSON.`))
  }
  return {
    error: statusFault(title, model, status, responseBody, waitOf(responseHeaders)),
    isAboutSchema: status === 400 || status === 422,
  }
}

function statusFault(
  title: string,
  model: string,
  status: number,
  body: string,
  waitMs: number | null,
): SourceError {
  const refused = (what: string) => new SourceError('refused', `${title} ${what}`)
  const isSpent = (status === 403 || status === 429) && SPENT.test(body)
  if (status === 402 || isSpent) {
    return refused('says that its quota or credit is used up. Please top it up there.')
  }
  // xAI answers 400 to a wrong key.
  if (status === 401 || status === 403 || (status === 400 && /\bapi[ _-]?key\b/i.test(body))) {
    return refused(
      `does not take our key (HTTP ${String(status)}). Please check the key in the settings.`,
    )
  }
  if (status === 404) {
    return refused(`does not know the model ${model} (HTTP 404). Please check ASSISTANT_MODEL.`)
  }
  if (status === 429) {
    return new SourceError('busy', `${title} asks to wait${waitText(waitMs)} (HTTP 429).`, waitMs)
  }
  if (status >= 500 || status === 408) {
    return new SourceError('down', `${title} answered HTTP ${String(status)}.`)
  }
  return refused(`refused the question (HTTP ${String(status)}).`)
}

function waitOf(headers: Readonly<Record<string, string>> = {}): number | null {
  return askedWait((name) => headers[name] ?? null)
}
