import { type Theme } from './theme.ts'

/** The colours as CSS variables: one picture for both themes. */
export const CSS_THEME: Theme = {
  surface: 'var(--surface)',
  ink: 'var(--ink)',
  ink2: 'var(--ink-2)',
  hairline: 'var(--hairline)',
  brand: 'var(--brand)',
  brandText: 'var(--brand-text)',
  hit: 'var(--hit)',
  miss: 'var(--miss)',
  pending: 'var(--pending)',
}
