import { DARK, LIGHT, type Theme, type ThemeName } from './theme.ts'

/** The colours of a whole page: those of a chart and those that only pages use. */
export type SiteTheme = Theme & {
  readonly page: string
  readonly raised: string
  readonly onBrand: string
  readonly hitTint: string
  readonly missTint: string
  readonly pendingTint: string
}

export const SITE_THEMES: Readonly<Record<ThemeName, SiteTheme>> = {
  light: {
    ...LIGHT,
    page: '#FAFAF7',
    raised: '#FFFFFF',
    onBrand: '#1A1206',
    hitTint: '#E3F4EA',
    missTint: '#FBE7E6',
    pendingTint: '#FFF4DB',
  },
  dark: {
    ...DARK,
    page: '#0B0F17',
    raised: '#172033',
    onBrand: '#1A1206',
    hitTint: '#10291C',
    missTint: '#2E1518',
    pendingTint: '#2B2311',
  },
}

/** The theme as CSS declarations, one a line: `--ink-2: #5A6372;`. */
export function cssVariables(theme: SiteTheme): string {
  return Object.entries(theme)
    .map(
      ([role, colour]) => `--${role.replace(/[A-Z0-9]/, (c) => `-${c.toLowerCase()}`)}: ${colour};`,
    )
    .join('\n')
}
