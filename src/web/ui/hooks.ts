import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'

type EventOf<Type extends string> = Type extends keyof WindowEventMap ? WindowEventMap[Type] : Event

/** Listens to events of the window; the returned function ends it. */
export function onWindow<Type extends string>(
  types: readonly Type[],
  heard: (event: EventOf<Type>) => void,
  options: AddEventListenerOptions = {},
): () => void {
  const ended = new AbortController()
  for (const type of types) {
    window.addEventListener(type, heard as EventListener, { ...options, signal: ended.signal })
  }
  return () => ended.abort()
}

/** Waits, then acts; the returned function ends the wait. */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

/** Works until the returned function ends it: the signal aborts, and what then fails is ignored. */
export function during(work: (signal: AbortSignal) => Promise<unknown>): () => void {
  const leave = new AbortController()
  work(leave.signal).catch((error: unknown) => {
    if (!leave.signal.aborted) throw error
  })
  return () => leave.abort()
}

/** @throws if aborted meanwhile */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  await new Promise<void>((done) => {
    const end = after(ms, done)
    const leave = (): void => {
      end()
      done()
    }
    signal.addEventListener('abort', leave, { signal: over.signal })
  })
  over.abort()
  signal.throwIfAborted()
}

/** Says whether an element is in view, now and after each change; the returned function ends it. */
export function onSeen(
  element: Element | null,
  changed: (isSeen: boolean) => void,
  rootMargin = '0px',
): (() => void) | undefined {
  if (!element || !('IntersectionObserver' in window)) return undefined
  const observer = new IntersectionObserver(
    (entries) => changed(entries.at(-1)?.isIntersecting ?? true),
    { rootMargin },
  )
  observer.observe(element)
  return () => observer.disconnect()
}

/** A constant that only the browser knows; the server and hydration render the other value. */
export function useOfBrowser<Value>(here: () => Value, onServer: () => Value): Value {
  return useSyncExternalStore(() => () => undefined, here, onServer)
}

/** The time in ms since 1970, renewed at an interval. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

export function useEscape(open: boolean, onEscape: () => void): void {
  const escape = useEffectEvent(onEscape)
  useEffect(() => {
    if (!open) return
    return onWindow(['keydown'], ({ key }) => {
      if (key === 'Escape') escape()
    })
  }, [open])
}

/**
 * Debounces a value.
 *
 * @param ms delay
 */
export function useRested<Value>(value: Value, ms: number): Value {
  const [rested, setRested] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => after(ms, () => setRested(JSON.parse(key) as Value)), [key, ms])
  return rested
}

/** Calls back before printing, and afterwards. Print content must be rendered synchronously within the callback. */
export function onPrint(changed: (isPrinted: boolean) => void): () => void {
  return onWindow(['beforeprint', 'afterprint'], ({ type }) => changed(type === 'beforeprint'))
}

/** The last known value. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, remember] = useState(value)
  if (value !== undefined && value !== last) remember(value)
  return value ?? last
}

export type Query<Data> = {
  readonly data: Data | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

/**
 * The result of `ask`, called once for each key and not for null. The previous data stays until the next arrives, an
 * error only for its key.
 */
export function useAnswer<Data>(
  key: string | object | null,
  ask: (signal: AbortSignal) => Promise<Data>,
) {
  const [state, setState] = useState<{ of?: typeof key; data?: Data; error?: unknown }>({})
  const trip = useRef<AbortController>(null)
  function load(): Promise<void> {
    trip.current?.abort()
    trip.current = new AbortController()
    const { signal } = trip.current
    return ask(signal)
      .then(
        (data) => ({ data, error: null }),
        (error: unknown) => ({ error }),
      )
      .then((next) => {
        if (!signal.aborted) setState((before) => ({ ...before, ...next, of: key }))
      })
  }
  const begin = useEffectEvent(load)
  useEffect(() => {
    if (key === null) return
    void begin()
    return () => trip.current?.abort()
  }, [key])
  return { data: state.data, error: state.of === key ? state.error : null, refetch: load }
}
