import { useQuery } from '@tanstack/react-query'
import { createContext, use, useSyncExternalStore, useEffect } from 'react'
import { roleMay, ROLES, type Right, type Role } from '#contracts/access.ts'
import { probe } from '#contracts/accounts.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { deviceStore, keep, type DeviceStore } from '#web/ui/device-store.ts'
import { onWindow } from '#web/ui/hooks.ts'

/**
 * A sign-in hint in the browser. It avoids a flash of the login page but grants nothing: the server checks the session
 * on every call. administrator-tools.md §9 gives the key names.
 */
const FLAG = 'adminLoggedIn'
const NAME = 'adminUsername'
/** Our own key: avoids a flash of screens that the role cannot open. */
const ROLE = 'adminRole'
const CHANGED = 'adminhintschange'

type Key = typeof FLAG | typeof NAME | typeof ROLE

export function rememberSignedIn(username: string): void {
  store({ [FLAG]: 'true', [NAME]: username })
}

export function forgetSignedIn(): void {
  store({ [ROLE]: null, [FLAG]: null, [NAME]: null })
}

export function useHints() {
  const [flag, username, role] = [useKey(FLAG), useKey(NAME), useKey(ROLE)]
  return {
    isSignedIn: flag === 'true',
    username: username ?? '',
    role: ROLES.find((one) => one === role) ?? null,
  }
}

const useKey = (key: Key) => useSyncExternalStore(subscribe, () => storage.getItem(key))

const memory = new Map<string, string>()
/** Where storage is disabled, the hints last as long as the page. */
const storage: DeviceStore = deviceStore() ?? {
  getItem: (key) => memory.get(key) ?? null,
  setItem: (key, value) => void memory.set(key, value),
  removeItem: (key) => void memory.delete(key),
}

/** @param change null removes a key */
function store(change: Readonly<Partial<Record<Key, string | null>>>): void {
  for (const [key, value] of Object.entries(change)) keep(storage, key, value)
  window.dispatchEvent(new Event(CHANGED))
}

const subscribe = (notify: () => void) => onWindow([CHANGED, 'storage'], notify)

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
    if (role !== null && storage.getItem(ROLE) !== role) store({ [ROLE]: role })
  }, [role])
  return role ?? hint ?? (isError ? 'administrator' : null)
}

/** The signed-in administrator's role. The server checks every call; screens only hide what it would refuse. */
export const RoleContext = createContext<Role>('administrator')

export function useMay(right: Right): boolean {
  return roleMay(use(RoleContext), right)
}
