import { predictionPicture, type PictureQuestion } from '#chart/prediction-picture.ts'
import { CSS_THEME } from '#chart/css-theme.ts'

/** One prediction over the price of its time, as SVG markup for a page. */
export function pictureOf(question: PictureQuestion): string {
  return predictionPicture(question, { theme: CSS_THEME, font: 'inherit' })
}
