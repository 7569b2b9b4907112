import { createContext, use } from 'react'
import { roleMay, type Right, type Role } from '#contracts/access.ts'

/** The signed-in administrator's role. The server checks every call; screens only hide what it would refuse. */
export const RoleContext = createContext<Role>('administrator')

export function useMay(right: Right): boolean {
  return roleMay(use(RoleContext), right)
}
