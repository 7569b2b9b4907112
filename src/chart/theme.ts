import { type Outcome } from '#domain/judging/verdict.ts'

/**
 * Colours by role; those of the chart are painted on the canvas. A test keeps the variables of the style sheet equal.
 *
 * @see docs/decisions/0003-chart.md
 */
const LIGHT = {
  surface: '#FFFFFF',
  ink: '#14171F',
  ink2: '#5A6372',
  hairline: '#E4E6EA',
  brand: '#F7931A',
  brandText: '#A6500A',
  hit: '#0B7A41',
  miss: '#C42B2B',
  pending: '#8A5E00',
  page: '#FAFAF7',
  raised: '#FFFFFF',
  onBrand: '#1A1206',
  hitTint: '#E3F4EA',
  missTint: '#FBE7E6',
  pendingTint: '#FFF4DB',
}

export type Theme = Readonly<typeof LIGHT>
export type ThemeName = 'light' | 'dark'

export const THEMES: Readonly<Record<ThemeName, Theme>> = {
  light: LIGHT,
  dark: {
    surface: '#111826',
    ink: '#EEF1F6',
    ink2: '#9AA5B5',
    hairline: '#243044',
    brand: '#F9A23B',
    brandText: '#FFB560',
    hit: '#43D17F',
    miss: '#FF6B6B',
    pending: '#F2C14E',
    page: '#0B0F17',
    raised: '#172033',
    onBrand: '#1A1206',
    hitTint: '#10291C',
    missTint: '#2E1518',
    pendingTint: '#2B2311',
  },
}

/** `--brand-text` for `brandText`. */
function variableOf(role: string): string {
  return `--${role.replace(/[A-Z0-9]/, (sign) => `-${sign.toLowerCase()}`)}`
}

/** CSS declarations, one per line: `--ink-2: #5A6372;`. */
export function cssVariables(theme: Theme): string {
  return Object.entries(theme)
    .map(([role, colour]) => `${variableOf(role)}: ${colour};`)
    .join('\n')
}

export const CSS_THEME = Object.fromEntries(
  Object.keys(LIGHT).map((role) => [role, `var(${variableOf(role)})`]),
) as Theme

export const OUTCOME_ORDER: readonly Outcome[] = ['void', 'pending', 'miss', 'hit']

/** Void predictions are grey, as they do not count. */
export function outcomeColour(theme: Theme, outcome: Outcome): string {
  return theme[outcome === 'void' ? 'ink2' : outcome]
}
