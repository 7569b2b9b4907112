import { useSyncExternalStore } from 'react'
import { followPlace, MOVED_ON } from './location.ts'

/**
 * The dialog that the address names after its `#`: `submit` of `/btc#submit`; empty where none is. A reload and a copied
 * link show it again, and Back closes it. The server, which is not told what stands there, draws the page below.
 */
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

/** Goes from one step of a dialog to its next, so that Back returns to the one before. */
export function stepOn(from: string, to: string): void {
  // A visit that began in the dialog has nothing below it.
  if (dialogsOf(history.state) === 0) history.replaceState(history.state, '', `#${from}`)
  openDialog(to)
}

/**
 * Goes back to the page below all dialogs, or to it without them where the visit began in a dialog.
 *
 * @param after called once the page is there
 */
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

/** Whether the submit dialog is open: its form, or its payment. */
export function isSubmitPlace(place: string): boolean {
  return place === 'submit' || place === 'pay'
}

/** How many entries before this one the page below the dialogs is; 0 where it has none. */
function dialogsOf(state: unknown): number {
  if (typeof state !== 'object' || state === null || !('dialogs' in state)) return 0
  return typeof state.dialogs === 'number' ? state.dialogs : 0
}
