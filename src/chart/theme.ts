/**
 * The colours of one theme, by role. This is their only source: the canvas takes them from here, and the style sheet's
 * variables are written from `cssVariables`.
 *
 * @see docs/decisions/0003-chart.md
 */
export type Theme = {
  readonly page: string
  readonly surface: string
  readonly raised: string
  readonly ink: string
  readonly ink2: string
  readonly hairline: string
  readonly brand: string
  readonly brandText: string
  readonly onBrand: string
  readonly hit: string
  readonly hitTint: string
  readonly miss: string
  readonly missTint: string
  readonly pending: string
  readonly pendingTint: string
}

export type ThemeName = 'light' | 'dark'

export const LIGHT: Theme = {
  page: '#FAFAF7',
  surface: '#FFFFFF',
  raised: '#FFFFFF',
  ink: '#14171F',
  ink2: '#5A6372',
  hairline: '#E4E6EA',
  brand: '#F7931A',
  brandText: '#A6500A',
  onBrand: '#1A1206',
  hit: '#0B7A41',
  hitTint: '#E3F4EA',
  miss: '#C42B2B',
  missTint: '#FBE7E6',
  pending: '#8A5E00',
  pendingTint: '#FFF4DB',
}

export const DARK: Theme = {
  page: '#0B0F17',
  surface: '#111826',
  raised: '#172033',
  ink: '#EEF1F6',
  ink2: '#9AA5B5',
  hairline: '#243044',
  brand: '#F9A23B',
  brandText: '#FFB560',
  onBrand: '#1A1206',
  hit: '#43D17F',
  hitTint: '#10291C',
  miss: '#FF6B6B',
  missTint: '#2E1518',
  pending: '#F2C14E',
  pendingTint: '#2B2311',
}

export const THEMES: Readonly<Record<ThemeName, Theme>> = { light: LIGHT, dark: DARK }

/** The theme as CSS declarations, one a line: `--ink-2: #5A6372;`. */
export function cssVariables(theme: Theme): string {
  return Object.entries(theme)
    .map(
      ([role, colour]) => `--${role.replace(/[A-Z0-9]/, (c) => `-${c.toLowerCase()}`)}: ${colour};`,
    )
    .join('\n')
}
