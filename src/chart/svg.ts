import { escapeMarkup } from '#domain/clean-text.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { isWithin, levelGaps, uprightGaps, type Label } from './labels.ts'
import { countOf } from './marks.ts'
import { wordsOf, type AxisEvent, type Scene, type Shape } from './scene.ts'
import { pathOf, tenths } from './series.ts'
import { OUTCOME_ORDER, outcomeColour, type Theme } from './theme.ts'
import { pathOfThreads } from './threads.ts'

export type SvgOptions = {
  readonly theme: Theme
  readonly description: string
  readonly font: string
  readonly under?: string
}

/** A scene as SVG markup with escaped text and without style attributes or scripts. */
export function sceneToSvg(scene: Scene, options: SvgOptions): string {
  const { theme, description, font, under = '' } = options
  const { width, height, plot } = scene
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${tenths(width)} ${tenths(height)}" width="${tenths(width)}" height="${tenths(height)}" role="img" aria-label="${escapeMarkup(description)}" font-family="${escapeMarkup(font)}" font-size="11">`,
    `<rect width="${tenths(width)}" height="${tenths(height)}" fill="${theme.surface}"/>`,
    axesOf(scene, theme),
    // Clips with a nested `svg`, because an id might not be unique on the page.
    `<svg x="${tenths(plot.x)}" y="${tenths(plot.y)}" width="${tenths(plot.width)}" height="${tenths(plot.height)}" viewBox="${tenths(plot.x)} ${tenths(plot.y)} ${tenths(plot.width)} ${tenths(plot.height)}">`,
    under,
    rangesOf(scene, theme),
    ...OUTCOME_ORDER.map((outcome) => threadsOf(scene, theme, outcome)),
    ...scene.shapes.map((shape) => bodyOf(shape, theme)),
    medianOf(scene, theme),
    `<path d="${pathOf(scene.line)}" fill="none" stroke="${theme.brand}" stroke-width="1.75" stroke-linejoin="bevel"/>`,
    '</svg>',
    ...scene.signs.map((shape) => signOf(shape, scene, theme)),
    ...scene.stacks.map((stack) => {
      const { text, x, y, mark } = countOf(stack, scene.radius)
      return words(text, x, y, outcomeColour(theme, mark.outcome), theme.surface)
    }),
    ...scene.labels.map(({ label, shape }) =>
      words(label.text, label.x, label.y, outcomeColour(theme, shape.mark.outcome), theme.surface),
    ),
    ...scene.events.map((event) => eventOf(event, scene, theme)),
    scene.later ? quietWords(scene.later.label, theme) : '',
    '</svg>',
  ].join('')
}

function eventOf({ x, label }: AxisEvent, { plot }: Scene, theme: Theme): string {
  const foot = plot.y + plot.height
  const tick = `<path d="M${tenths(x)},${tenths(foot - 8)}V${tenths(foot)}" stroke="${theme.ink2}"/>`
  return label ? tick + quietWords(label, theme) : tick
}

function quietWords({ text, x, y }: Label, theme: Theme): string {
  return words(text, x, y, theme.ink2, theme.surface)
}

function axesOf(scene: Scene, theme: Theme): string {
  const { plot, time, price, timeTicks, priceTicks } = scene
  const bottom = plot.y + plot.height
  const covering = wordsOf(scene)
  const rows = priceTicks.map(({ at, label }) => {
    const y = price.toPx(at)
    const free = levelGaps(y, plot.x, plot.x + plot.width, covering)
    const d = free.map(([from, to]) => `M${tenths(from)},${tenths(y)}H${tenths(to)}`).join('')
    return `<path d="${d}" stroke="${theme.hairline}"/><text x="${tenths(plot.x - 6)}" y="${tenths(y + 4)}" fill="${theme.ink2}" text-anchor="end">${escapeMarkup(label)}</text>`
  })
  const columns = timeTicks.map(({ at, label }) => {
    const x = time.toPx(at)
    const free = uprightGaps(x, plot.y, bottom, covering)
    const d = free.map(([from, to]) => `M${tenths(x)},${tenths(from)}V${tenths(to)}`).join('')
    return `<path d="${d}" stroke="${theme.hairline}"/><text x="${tenths(x)}" y="${tenths(bottom + 16)}" fill="${theme.ink2}" text-anchor="middle">${escapeMarkup(label)}</text>`
  })
  return [...rows, ...columns].join('')
}

function rangesOf({ ranges }: Scene, theme: Theme): string {
  if (!ranges || ranges.outlines.length === 0) return ''
  const path = ranges.outlines.map((corners) => `${pathOf(corners)}Z`).join('')
  return `<path d="${path}" fill="${theme.brand}" fill-opacity="${String(ranges.strength)}"/>`
}

function threadsOf({ threads, threadStrength }: Scene, theme: Theme, outcome: Outcome): string {
  const own = threads.filter(({ of }) => of.mark.outcome === outcome)
  if (own.length === 0) return ''
  const dash = outcome === 'void' ? ' stroke-dasharray="5 4"' : ''
  return `<path d="${pathOfThreads(own)}" fill="none" stroke="${outcomeColour(theme, outcome)}" stroke-opacity="${String(threadStrength)}"${dash}/>`
}

function medianOf({ median }: Scene, theme: Theme): string {
  if (!median) return ''
  const line = `<path d="M${tenths(median.x0)},${tenths(median.y)}H${tenths(median.x1)}" stroke="${theme.brandText}" stroke-dasharray="6 4"/>`
  const { label } = median
  return label ? line + words(label.text, label.x, label.y, theme.brandText, theme.surface) : line
}

function bodyOf(shape: Shape, theme: Theme): string {
  const { mark, x0, x1, y0, y1, tail } = shape
  const colour = outcomeColour(theme, mark.outcome)
  const dash = mark.outcome === 'void' ? ' stroke-dasharray="5 4"' : ''
  const path = (d: string, rest = dash) =>
    `<path d="${d}" fill="none" stroke="${colour}" stroke-opacity="0.7"${rest}/>`
  const across = `M${tenths(x0)},${tenths(y0)}H${tenths(x1)}`
  switch (mark.kind) {
    case 'range':
      return `<rect x="${tenths(x0)}" y="${tenths(y0)}" width="${tenths(Math.max(1, x1 - x0))}" height="${tenths(Math.max(0, y1 - y0))}" fill="${colour}" fill-opacity="0.1" stroke="${colour}" stroke-opacity="0.6"${dash}/>`
    case 'by-date':
      return path(
        `M${tenths(x0)},${tenths(y0 - 5)}V${tenths(y0)}H${tenths(x1)}V${tenths(y0 - 5)}`,
        `${dash} stroke-width="1.5"`,
      )
    case 'top':
    case 'bottom': {
      const on =
        tail === null
          ? ''
          : path(`M${tenths(x1)},${tenths(y0)}H${tenths(tail)}`, ' stroke-dasharray="1 5"')
      return path(across, `${dash} stroke-width="1.5"`) + on
    }
    case 'ahead':
      return path(across, ' stroke-dasharray="2 4"')
    case 'target':
    case 'success':
    case 'break':
      return ''
  }
}

function signOf(shape: Shape, scene: Scene, theme: Theme): string {
  const { mark, signX, signY } = shape
  const { plot, radius } = scene
  if (!isWithin(plot, signX, signY, 1)) return ''
  const colour = outcomeColour(theme, mark.outcome)
  if (mark.sign) return outcomeSign(mark.outcome, signX, signY, radius, colour, theme.surface)
  if (mark.kind !== 'target') return ''
  return `<circle cx="${tenths(signX)}" cy="${tenths(signY)}" r="${tenths(radius * 0.55)}" fill="${theme.surface}" stroke="${colour}" stroke-width="1.5"/>`
}

export function outcomeSign(
  outcome: Outcome,
  x: number,
  y: number,
  r: number,
  colour: string,
  ground: string,
): string {
  const disc = `<circle cx="${tenths(x)}" cy="${tenths(y)}" r="${tenths(r)}" fill="${colour}" stroke="${ground}"/>`
  const stroke = (d: string) => `<path d="${d}" fill="none" stroke="${ground}" stroke-width="1.5"/>`
  switch (outcome) {
    case 'hit':
      return (
        disc +
        stroke(
          `M${tenths(x - r * 0.45)},${tenths(y)}l${tenths(r * 0.35)},${tenths(r * 0.38)}l${tenths(r * 0.6)},${tenths(-r * 0.75)}`,
        )
      )
    case 'miss':
      return (
        disc +
        stroke(
          `M${tenths(x - r * 0.4)},${tenths(y - r * 0.4)}l${tenths(r * 0.8)},${tenths(r * 0.8)}m0,${tenths(-r * 0.8)}l${tenths(-r * 0.8)},${tenths(r * 0.8)}`,
        )
      )
    case 'pending':
      return `<path d="M${tenths(x)},${tenths(y - r)}L${tenths(x + r)},${tenths(y)}L${tenths(x)},${tenths(y + r)}L${tenths(x - r)},${tenths(y)}Z" fill="${ground}" stroke="${colour}" stroke-width="1.75"/>`
    case 'void':
      return `<circle cx="${tenths(x)}" cy="${tenths(y)}" r="${tenths(r * 0.85)}" fill="${ground}" stroke="${colour}" stroke-width="1.5" stroke-dasharray="2.5 2"/>`
  }
}

function words(text: string, x: number, y: number, colour: string, ground: string): string {
  return `<text x="${tenths(x)}" y="${tenths(y)}" font-size="11" fill="${colour}" stroke="${ground}" stroke-width="3" paint-order="stroke" stroke-linejoin="round">${escapeMarkup(text)}</text>`
}
