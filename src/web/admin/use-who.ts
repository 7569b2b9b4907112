import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Role } from '#contracts/access.ts'
import { probe } from '#contracts/admins.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { rememberRole, useHints } from './hints.ts'

/**
 * Who is signed in, as the server says.
 *
 * @returns `role` null until it is known; where the server cannot say, all screens are offered and refuse by themselves
 */
export function useWho(): { readonly role: Role | null; readonly mustSetUp: boolean } {
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
  return {
    role: role ?? hint ?? (isError ? 'administrator' : null),
    mustSetUp: data?.must_set_up_second_factor ?? false,
  }
}
