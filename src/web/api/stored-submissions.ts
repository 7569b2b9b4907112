const KEY = 'own-submissions'
/** Fired in the tab that made a change; the others notice it by `storage`. */
const CHANGED = 'ownsubmissions'

const NONE_STORED = '[]'

/** Where the browser keeps nothing, the list lives as long as its page. */
let inMemory = NONE_STORED

/** Every page asks; `own-submissions.ts` is loaded only when there is one. */
export function hasOwnSubmissions(): boolean {
  return storedSubmissions() !== NONE_STORED
}

/** Those submissions as they are stored: the same text while nothing has changed. */
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
    // Full or refused: other tabs and a reload know nothing of it.
  }
  window.dispatchEvent(new Event(CHANGED))
}

/** @param onChange some tab has changed the list. @returns ends it */
export function followOwnSubmissions(onChange: () => void): () => void {
  const onStorage = ({ key }: StorageEvent): void => {
    if (key === KEY || key === null) onChange()
  }
  window.addEventListener('storage', onStorage)
  window.addEventListener(CHANGED, onChange)
  return () => {
    window.removeEventListener('storage', onStorage)
    window.removeEventListener(CHANGED, onChange)
  }
}
