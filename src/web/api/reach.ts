/** Whether the site is reachable, judged by actual replies: from the server, from the service worker's cache, or none. */
export type Reach = {
  readonly isReached: boolean
  /** Age of the oldest data shown, ms since 1970. */
  readonly asOf: number
}

/** Set by the worker on cached copies: a header of replies, a meta element of pages (service-worker.js). */
const CACHED_SINCE = 'x-kept-since'
const CACHED_PAGE = 'meta[name="kept-since"]'
const PROBE = '/healthz'
const PROBE_MS = 5_000
const JITTER_MS = 5_000
const PROBE_PATIENCE_MS = 10_000
/** Beyond this, an error message is more useful than waiting. */
const PATIENCE_MS = 15_000

let reach: Reach = { isReached: true, asOf: Date.now() }
let again: ReturnType<typeof setTimeout> | undefined
let isProbing = false
let isWatching = false
const listeners = new Set<() => void>()
const refreshers = new Set<() => Promise<unknown>>()

export function reachNow(): Reach {
  return reach
}

export function onReach(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/**
 * Registers a refresh to run when the site is reachable again; until then, shown data counts as old.
 *
 * @returns a function that unsubscribes
 */
export function refreshOnReturn(refresh: () => Promise<unknown>): () => void {
  refreshers.add(refresh)
  return () => refreshers.delete(refresh)
}

export function watchReach(): void {
  isWatching = true
  const since = document.querySelector<HTMLMetaElement>(CACHED_PAGE)?.content
  if (since !== undefined) outOfReach(Date.parse(since))
  // `navigator.onLine` is unreliable, so these events only trigger a probe.
  window.addEventListener('online', () => void probe())
  window.addEventListener('offline', () => void probe())
}

/** All requests to our server go through this function. It revalidates browser caches and records missing replies. */
export async function fetchFresh(
  url: string,
  {
    signal = null,
    patienceMs = PATIENCE_MS,
    ...init
  }: Omit<RequestInit, 'cache'> & {
    readonly cache?: 'no-store' | 'default'
    readonly patienceMs?: number
  } = {},
): Promise<Response> {
  const patience = AbortSignal.timeout(patienceMs)
  try {
    return await fetch(url, {
      cache: 'no-cache',
      ...init,
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    })
  } catch (error) {
    if (!signal?.aborted) noteSilence()
    throw error
  }
}

export function noteAnswer(headers: Headers): void {
  const since = headers.get(CACHED_SINCE)
  if (since !== null) outOfReach(Date.parse(since))
  else noteNews()
}

export function noteNews(): void {
  // While older data is shown, only a refresh makes it current.
  if (reach.isReached) reach = { isReached: true, asOf: Date.now() }
}

export function noteSilence(): void {
  outOfReach(reach.asOf)
}

/** Probes the site, for example after a connection ended. */
export function doubtReach(): void {
  if (isWatching && reach.isReached) void probe()
}

function outOfReach(since: number): void {
  if (!isWatching) return
  const asOf = Number.isFinite(since) ? Math.min(since, reach.asOf) : reach.asOf
  if (reach.isReached || asOf !== reach.asOf) {
    reach = { isReached: false, asOf }
    for (const notify of listeners) notify()
  }
  again ??= setTimeout(probeAgain, PROBE_MS + Math.random() * JITTER_MS)
}

function probeAgain(): void {
  again = undefined
  void probe()
}

async function probe(): Promise<void> {
  if (isProbing) return
  isProbing = true
  const began = Date.now()
  try {
    const response = await fetchFresh(PROBE, {
      cache: 'no-store',
      redirect: 'error',
      patienceMs: PROBE_PATIENCE_MS,
    })
    // Captive portals answer with their own login page.
    const answer: unknown = await response.json()
    if (!isAlive(answer)) throw new Error('another server answered')
    if (!reach.isReached) await comeBack(began)
  } catch {
    noteSilence()
  } finally {
    isProbing = false
  }
}

function isAlive(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === true
}

/** The site is reachable again; refresh everything shown before saying so. */
async function comeBack(began: number): Promise<void> {
  const before = reach
  reach = { isReached: true, asOf: began }
  const fetched = await Promise.allSettled([...refreshers].map((refresh) => refresh()))
  // A refresh may have found the site unreachable again.
  if (!reach.isReached || fetched.some(({ status }) => status === 'rejected')) {
    reach = { isReached: false, asOf: before.asOf }
    again ??= setTimeout(probeAgain, PROBE_MS + Math.random() * JITTER_MS)
    return
  }
  for (const notify of listeners) notify()
}
