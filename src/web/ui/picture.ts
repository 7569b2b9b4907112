import { predictionPicture, type PictureQuestion } from '#chart/prediction-picture.ts'
import { type Theme } from '#chart/theme.ts'

/** The colours as CSS variables: one picture for both themes. */
const THEME: Theme = {
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

/** One prediction over the price of its time, as SVG markup for a page. */
export function pictureOf(question: PictureQuestion): string {
  return predictionPicture(question, { theme: THEME, font: 'inherit' })
}
