import { type z } from 'zod'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'

export type DeviceStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * Browser storage; null if disabled, so that input lasts as long as the page.
 *
 * @param scope `local` is shared by all tabs, `session` ends with this tab
 */
export function deviceStore(scope: 'local' | 'session' = 'local'): DeviceStore | null {
  try {
    return scope === 'local' ? window.localStorage : window.sessionStorage
  } catch {
    return null
  }
}

/** The stored value of a key; null if missing or invalid. */
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

/** Serializes a value; strings that contain a secret key are replaced by empty ones. */
export function storedText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' && holdsSecretKey(part) ? '' : part,
  )
}

/** @param text result of `storedText`; null removes the entry */
export function keep(store: DeviceStore | null, key: string, text: string | null): void {
  try {
    if (text === null) store?.removeItem(key)
    else store?.setItem(key, text)
  } catch {
    // Storage is full or disabled: input is lost on a reload.
  }
}
