import { useSyncExternalStore } from 'react'
import { followPlace, MOVED_ON } from './location.ts'

/** The URL fragment: `submit` of `/btc#submit`. The server, which is not told, draws the page below. */
export function useDialogPlace(): string {
  return useSyncExternalStore(followPlace, dialogPlace, () => '')
}

export function dialogPlace(): string {
  return window.location.hash.slice(1)
}

/** Opens a dialog over the page, or over the dialog that is open: a new entry in the history. */
export function openDialog(name: string): void {
  if (dialogPlace() === name) return
  const state: unknown = history.state
  const below = typeof state === 'object' ? state : null
  history.pushState({ ...below, dialogs: dialogsOf(state) + 1 }, '', `#${name}`)
  window.dispatchEvent(new Event(MOVED_ON))
}

export function stepOn(from: string, to: string): void {
  // A visit that began in the dialog has nothing below it.
  if (dialogsOf(history.state) === 0) history.replaceState(history.state, '', `#${from}`)
  openDialog(to)
}

/** @param after called once the page below all dialogs is there */
export function closeDialogs(after?: () => void): void {
  const rest = (): void => {
    const { pathname, search } = window.location
    history.replaceState(history.state, '', pathname + search)
    window.dispatchEvent(new Event(MOVED_ON))
    after?.()
  }
  const open = dialogsOf(history.state)
  if (open === 0) rest()
  else {
    window.addEventListener('popstate', rest, { once: true })
    history.go(-open)
  }
}

export function isSubmitPlace(place: string): boolean {
  return place === 'submit' || place === 'pay'
}

/** How many entries before this one the page below the dialogs is; 0 where it has none. */
function dialogsOf(state: unknown): number {
  if (typeof state !== 'object' || state === null || !('dialogs' in state)) return 0
  return typeof state.dialogs === 'number' ? state.dialogs : 0
}
