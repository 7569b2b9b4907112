import { plotOf } from '#chart/scene.ts'
import { type AxisRules } from '#domain/asset.ts'
import { DRAWINGS } from './embed-style.ts'
import { html, markup, type Html } from './html.ts'

type Size = { readonly width: number; readonly height: number }

/** Kept free at the right of a plot, for a sign on its edge; CSS pixels. */
const SIGN = 12
/** Nothing is written above a plot. */
const ABOVE = 10

/**
 * A chart for each width of a frame, of which the style sheet shows one. The margin that a live chart has for the price of
 * this moment is cut off.
 */
export function drawings(axis: AxisRules, draw: (size: Size) => string): Html {
  const all = DRAWINGS.map(({ width, height }) => {
    const plot = plotOf(width, height, axis)
    const spare = Math.max(0, width - plot.x - plot.width - SIGN)
    const svg = draw({ width: width + spare, height: height + ABOVE })
    const part = [0, ABOVE, width, height].join(' ')
    return html`<svg viewBox="${part}" width="${width}" height="${height}">${markup(svg)}</svg>`
  })
  return html`<div class="picture">${all}</div>`
}
