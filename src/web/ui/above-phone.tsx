import { type ReactNode } from 'react'
import { useLayout } from './layout.ts'

/** What phones leave out. The server draws it all the same; the parent's style sheet hides it until the page is hydrated. */
export function AbovePhone({ children }: { readonly children: ReactNode }) {
  return useLayout() === 'phone' ? null : children
}
