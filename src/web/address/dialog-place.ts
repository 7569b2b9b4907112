import { useSyncExternalStore } from 'react'
import { followPlace, MOVED_ON } from './location.ts'

/** The URL fragment: `submit` of `/btc#submit`. Empty on the server, which renders the page without the dialog. */
export function useDialogPlace(): string {
  return useSyncExternalStore(followPlace, dialogPlace, () => '')
}

export function dialogPlace(): string {
  return window.location.hash.slice(1)
}

/** Opens a dialog in a new history entry, possibly on top of another one. */
export function openDialog(name: string): void {
  if (dialogPlace() === name) return
  const state: unknown = history.state
  const below = typeof state === 'object' ? state : null
  history.pushState({ ...below, dialogs: dialogsOf(state) + 1 }, '', `#${name}`)
  window.dispatchEvent(new Event(MOVED_ON))
}

export function stepOn(from: string, to: string): void {
  // If the visit began in the dialog, there is no entry for the page below.
  if (dialogsOf(history.state) === 0) history.replaceState(history.state, '', `#${from}`)
  openDialog(to)
}

/** @param after called once all dialogs are closed */
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

/** Number of history entries opened by dialogs above their page. */
function dialogsOf(state: unknown): number {
  if (typeof state !== 'object' || state === null || !('dialogs' in state)) return 0
  return typeof state.dialogs === 'number' ? state.dialogs : 0
}
