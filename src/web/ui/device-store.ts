import { type z } from 'zod'
import { holdsSecretKey } from '#domain/publishing/nostr-key.ts'

export type DeviceStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The storage of the browser; null where it is switched off, and what is typed then lives as long as its page.
 *
 * @param scope `local` is for all tabs until it is removed, `session` for this tab until it is closed
 */
export function deviceStore(scope: 'local' | 'session' = 'local'): DeviceStore | null {
  try {
    return scope === 'local' ? window.localStorage : window.sessionStorage
  } catch {
    return null
  }
}

/** The value stored under a key; null if missing or unreadable. */
export function readStored<Schema extends z.ZodType>(
  store: DeviceStore | null,
  key: string,
  schema: Schema,
): z.infer<Schema> | null {
  try {
    const stored = schema.safeParse(JSON.parse(store?.getItem(key) ?? 'null'))
    return stored.success ? stored.data : null
  } catch {
    return null
  }
}

/** A value as it is kept: a text in it that holds a secret key is left empty. */
export function storedText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' && holdsSecretKey(part) ? '' : part,
  )
}

/** @param text of `storedText`; null removes what was kept */
export function keep(store: DeviceStore | null, key: string, text: string | null): void {
  try {
    if (text === null) store?.removeItem(key)
    else store?.setItem(key, text)
  } catch {
    // Full or refused: nothing but a reload loses what was typed.
  }
}
