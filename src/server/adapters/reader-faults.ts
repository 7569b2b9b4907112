import { SourceError } from '#server/ports.ts'

export type ModelFault = {
  readonly error: SourceError
  /** It may only be that the server takes no schema. */
  readonly isAboutSchema: boolean
}

const LONGEST_WAIT_MS = 24 * 3_600_000

/**
 * What a failed call to a model means, as a sentence for people. What the other side says of it is left out: it may
 * quote the key.
 *
 * @param timeout of the call: when it has ended, so has the wait
 */
export async function modelFault(
  { title, model }: { readonly title: string; readonly model: string },
  thrown: unknown,
  timeout: AbortSignal,
  timeoutMs: number,
): Promise<ModelFault> {
  const { APICallError, RetryError } = await import('ai')
  const plain = (error: SourceError): ModelFault => ({ error, isAboutSchema: false })
  if (thrown instanceof SourceError) return plain(thrown)
  const last = RetryError.isInstance(thrown) ? thrown.lastError : thrown
  if (timeout.aborted) {
    const seconds = String(timeoutMs / 1_000)
    return plain(new SourceError('down', `${title} did not answer within ${seconds} s.`))
  }
  if (!APICallError.isInstance(last)) {
    return plain(new SourceError('nonsense', `${title} sent an answer that makes no sense.`))
  }
  const { statusCode: status, responseBody = '', responseHeaders = {} } = last
  if (status === undefined) return plain(new SourceError('down', `${title} cannot be reached.`))
  if (status >= 200 && status < 300) {
    return plain(new SourceError('nonsense', `${title} sent an answer that is no JSON.`))
  }
  return {
    error: statusFault(title, model, status, responseBody, responseHeaders),
    isAboutSchema: status === 400 || status === 422,
  }
}

function statusFault(
  title: string,
  model: string,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): SourceError {
  const refused = (what: string) => new SourceError('refused', `${title} ${what}`)
  const isSpent =
    (status === 403 || status === 429) && /insufficient_quota|credit|billing|spending/i.test(body)
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
    return new SourceError('busy', `${title} asks to wait (HTTP 429).`, waitOf(headers))
  }
  if (status >= 500 || status === 408) {
    return new SourceError('down', `${title} answered HTTP ${String(status)}.`)
  }
  return refused(`refused the question (HTTP ${String(status)}).`)
}

/** `Retry-After` in seconds, as milliseconds. */
function waitOf(headers: Readonly<Record<string, string>>): number | null {
  const text = headers['retry-after']?.trim() ?? ''
  return /^\d+$/.test(text) ? Math.min(Number(text) * 1_000, LONGEST_WAIT_MS) : null
}
