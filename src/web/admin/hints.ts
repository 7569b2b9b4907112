import { useSyncExternalStore, useEffect } from 'react'
import { ROLES, type Role } from '#contracts/access.ts'
import { useQuery } from '@tanstack/react-query'
import { probe } from '#contracts/accounts.ts'
import { adminCall } from '#web/api/admin-call.ts'

/**
 * A sign-in hint in the browser. It avoids a flash of the login page but grants nothing: the server checks the session
 * on every call. administrator-tools.md §9 gives the key names.
 */
const FLAG = 'adminLoggedIn'
const NAME = 'adminUsername'
/** Our own key: avoids a flash of screens that the role cannot open. */
const ROLE = 'adminRole'
const CHANGED = 'adminhintschange'

export function rememberSignedIn(username: string): void {
  store((storage) => {
    storage.setItem(FLAG, 'true')
    storage.setItem(NAME, username)
  })
}

function rememberRole(role: Role): void {
  if (read(ROLE) !== role) store((storage) => storage.setItem(ROLE, role))
}

export function forgetSignedIn(): void {
  store((storage) => {
    storage.removeItem(ROLE)
    storage.removeItem(FLAG)
    storage.removeItem(NAME)
  })
}

export function useHints(): {
  readonly isSignedIn: boolean
  readonly username: string
  readonly role: Role | null
} {
  const isSignedIn = useSyncExternalStore(subscribe, () => read(FLAG) === 'true')
  const username = useSyncExternalStore(subscribe, () => read(NAME) ?? '')
  const role = useSyncExternalStore(subscribe, () => read(ROLE))
  return { isSignedIn, username, role: ROLES.find((one) => one === role) ?? null }
}

/** Fallback for disabled storage; lasts as long as the page. */
const memory = new Map<string, string>()

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

function store(change: (storage: Pick<Storage, 'setItem' | 'removeItem'>) => void): void {
  try {
    change(localStorage)
  } catch {
    change({
      setItem: (key, value) => void memory.set(key, value),
      removeItem: (key) => void memory.delete(key),
    })
  }
  window.dispatchEvent(new Event(CHANGED))
}

function subscribe(notify: () => void): () => void {
  window.addEventListener(CHANGED, notify)
  window.addEventListener('storage', notify)
  return () => {
    window.removeEventListener(CHANGED, notify)
    window.removeEventListener('storage', notify)
  }
}

/**
 * The role reported by the server; null until known. If the server cannot be reached, all screens are offered and
 * refuse by themselves.
 */
export function useRole(): Role | null {
  const { isSignedIn, username, role: hint } = useHints()
  const { data, isError } = useQuery({
    queryKey: ['who', username],
    queryFn: ({ signal }) => adminCall(probe, { signal }),
    enabled: isSignedIn,
  })
  const role = data?.role ?? null
  useEffect(() => {
    if (role !== null) rememberRole(role)
  }, [role])
  return role ?? hint ?? (isError ? 'administrator' : null)
}
