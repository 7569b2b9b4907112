import { type ReactNode } from 'react'
import { useLayout } from './layout.ts'

/** What a phone leaves out altogether. The server draws it, and the style sheet of its parent hides it till then. */
export function AbovePhone({ children }: { readonly children: ReactNode }) {
  return useLayout() === 'phone' ? null : children
}
