import { createContext, use } from 'react'
import { roleMay, type Right, type Role } from '#contracts/access.ts'

/** In which role somebody is signed in. The server asks again at every call; screens only leave out what it would refuse. */
export const RoleContext = createContext<Role>('administrator')

/** Whether whoever is signed in has a right. */
export function useMay(right: Right): boolean {
  return roleMay(use(RoleContext), right)
}
