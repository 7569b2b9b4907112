import { onWindow } from '#web/ui/hooks.ts'

const KEY = 'own-submissions'
/** Fired in the tab that made a change; other tabs get a `storage` event. */
const CHANGED = 'ownsubmissions'

const NONE_STORED = '[]'

/** Fallback for disabled storage; lasts as long as the page. */
let inMemory = NONE_STORED

/** Used on every page, so that `own-submissions.ts` is loaded only if needed. */
export function hasOwnSubmissions(): boolean {
  return storedSubmissions() !== NONE_STORED
}

/** Serialized submissions; the identical string while unchanged. */
export function storedSubmissions(): string {
  try {
    return window.localStorage.getItem(KEY) ?? NONE_STORED
  } catch {
    return inMemory
  }
}

export function storeSubmissions(text: string): void {
  inMemory = text
  try {
    window.localStorage.setItem(KEY, text)
  } catch {
    // Storage is full or disabled: other tabs and reloads do not see the change.
  }
  window.dispatchEvent(new Event(CHANGED))
}

/**
 * @param onChange called for changes in any tab
 * @returns a function that unsubscribes
 */
export function followOwnSubmissions(onChange: () => void): () => void {
  return onWindow(['storage', CHANGED], (event) => {
    const key = event instanceof StorageEvent ? event.key : KEY
    if (key === KEY || key === null) onChange()
  })
}
