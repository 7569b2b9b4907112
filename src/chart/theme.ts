/**
 * The colours of a chart, by role. This is their only source, with site-theme.ts for those that only pages need: the
 * canvas uses these values, and a test keeps the variables of the style sheet equal to them.
 *
 * @see docs/decisions/0003-chart.md
 */
export type Theme = {
  readonly surface: string
  readonly ink: string
  readonly ink2: string
  readonly hairline: string
  readonly brand: string
  readonly brandText: string
  readonly hit: string
  readonly miss: string
  readonly pending: string
}

export type ThemeName = 'light' | 'dark'

export const LIGHT: Theme = {
  surface: '#FFFFFF',
  ink: '#14171F',
  ink2: '#5A6372',
  hairline: '#E4E6EA',
  brand: '#F7931A',
  brandText: '#A6500A',
  hit: '#0B7A41',
  miss: '#C42B2B',
  pending: '#8A5E00',
}

export const DARK: Theme = {
  surface: '#111826',
  ink: '#EEF1F6',
  ink2: '#9AA5B5',
  hairline: '#243044',
  brand: '#F9A23B',
  brandText: '#FFB560',
  hit: '#43D17F',
  miss: '#FF6B6B',
  pending: '#F2C14E',
}

export const THEMES: Readonly<Record<ThemeName, Theme>> = { light: LIGHT, dark: DARK }
