import { createContext, use } from 'react'
import { roleMay, type Right, type Role } from '#contracts/access.ts'

/** The role of the administrator who is signed in. The server checks every call; screens only leave out what it would refuse. */
export const RoleContext = createContext<Role>('administrator')

export function useMay(right: Right): boolean {
  return roleMay(use(RoleContext), right)
}
