import { outcomeColour, type Theme } from '#chart/theme.ts'
import { type Outcome } from '#domain/judging/verdict.ts'

export type Pen = CanvasRenderingContext2D

type SpritePen = OffscreenCanvasRenderingContext2D

/** A small cached image; `x` and `y` locate its anchor relative to its corner, CSS pixels. */
export type Sprite = {
  readonly image: CanvasImageSource
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Cached images of signs and texts: copying one takes a tenth of the time of drawing it, and outlined text is the
 * slowest part of a chart.
 */
export type Sprites = {
  /** @param isRing for a claim whose sign is elsewhere */
  readonly sign: (outcome: Outcome, radius: number, isRing?: boolean) => Sprite
  readonly words: (text: string, colour: string) => Sprite
}

export const FONT_FAMILY =
  "'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', sans-serif"
export const LABEL_FONT = `500 11px ${FONT_FAMILY}`

/** Cache size, so that panning over a year of dates does not fill the memory. */
const MOST_SPRITES = 600

/** Sprites for a theme and pixel density; null if the browser provides no canvas. */
export function makeSprites(theme: Theme, dpr: number): Sprites {
  const ground = theme.surface
  const cache = new Map<string, Sprite>()
  const keep = (key: string, make: () => Sprite) => cachedIn(cache, MOST_SPRITES, key, make)
  return {
    sign: (outcome, radius, isRing = false) =>
      keep(`${outcome} ${String(radius)} ${String(isRing)}`, () => {
        const half = Math.ceil(radius) + 2
        const colour = outcomeColour(theme, outcome)
        return drawSprite(half * 2, half * 2, half, half, dpr, (pen) => {
          if (isRing) {
            disc(pen, half, half, radius * 0.5 + 0.75, colour)
            disc(pen, half, half, radius * 0.5 - 0.75, ground)
          } else drawSign(pen, outcome, half, half, radius, colour, ground)
        })
      }),
    words: (text, colour) =>
      keep(`${colour} ${text}`, () => wordsSprite(text, colour, ground, dpr)),
  }
}

/** Draws a sprite with its anchor here, aligned to device pixels for sharpness. */
export function stamp(pen: Pen, sprite: Sprite, x: number, y: number, dpr: number): void {
  const left = Math.round((x - sprite.x) * dpr) / dpr
  const top = Math.round((y - sprite.y) * dpr) / dpr
  pen.drawImage(sprite.image, left, top, sprite.width, sprite.height)
}

/**
 * The sign of an outcome: filled circle with tick, filled circle with cross, hollow diamond, dashed ring. Shapes differ
 * so that red and green need not be distinguished.
 */
function drawSign(
  pen: SpritePen,
  outcome: Outcome,
  x: number,
  y: number,
  radius: number,
  colour: string,
  ground: string,
): void {
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  switch (outcome) {
    case 'hit':
    case 'miss':
      disc(pen, x, y, radius + 1, ground)
      disc(pen, x, y, radius, colour)
      pen.strokeStyle = ground
      pen.lineWidth = Math.max(1.2, radius * 0.27)
      pen.beginPath()
      if (outcome === 'hit') {
        pen.moveTo(x - radius * 0.46, y + radius * 0.04)
        pen.lineTo(x - radius * 0.12, y + radius * 0.4)
        pen.lineTo(x + radius * 0.5, y - radius * 0.36)
      } else {
        const arm = radius * 0.38
        pen.moveTo(x - arm, y - arm)
        pen.lineTo(x + arm, y + arm)
        pen.moveTo(x + arm, y - arm)
        pen.lineTo(x - arm, y + arm)
      }
      pen.stroke()
      break
    case 'pending': {
      const arm = radius * 1.08
      pen.beginPath()
      pen.moveTo(x, y - arm)
      pen.lineTo(x + arm, y)
      pen.lineTo(x, y + arm)
      pen.lineTo(x - arm, y)
      pen.closePath()
      pen.fillStyle = ground
      pen.fill()
      pen.strokeStyle = colour
      pen.lineWidth = 1.75
      pen.stroke()
      break
    }
    case 'void':
      disc(pen, x, y, radius, ground)
      pen.strokeStyle = colour
      pen.lineWidth = 1.5
      pen.setLineDash([radius * 0.5, radius * 0.5])
      pen.beginPath()
      pen.arc(x, y, radius * 0.85, 0, Math.PI * 2)
      pen.stroke()
      pen.setLineDash([])
      break
  }
}

function disc(pen: SpritePen, x: number, y: number, radius: number, colour: string): void {
  pen.fillStyle = colour
  pen.beginPath()
  pen.arc(x, y, radius, 0, Math.PI * 2)
  pen.fill()
}

const RIM = Array.from({ length: 8 }, (_, i) => {
  const angle = (i * Math.PI) / 4
  return [1.6 * Math.cos(angle), 1.6 * Math.sin(angle)] as const
})

function wordsSprite(text: string, colour: string, ground: string, dpr: number): Sprite {
  const width = Math.ceil(textWidth(text)) + 6
  return drawSprite(width, 20, 3, 14, dpr, (pen) => {
    pen.font = LABEL_FONT
    // The outline is the text drawn several times with an offset; stroking takes ten times as long.
    pen.fillStyle = ground
    for (const [dx, dy] of RIM) pen.fillText(text, 3 + dx, 14 + dy)
    pen.fillStyle = colour
    pen.fillText(text, 3, 14)
  })
}

/** Creating a canvas takes longer than drawing on it, so all sprites share one. */
let easel: OffscreenCanvas | null = null

function drawSprite(
  width: number,
  height: number,
  x: number,
  y: number,
  dpr: number,
  draw: (pen: SpritePen) => void,
): Sprite {
  const canvas = (easel ??= new OffscreenCanvas(1, 1))
  // Resizing also clears it.
  canvas.width = Math.ceil(width * dpr)
  canvas.height = Math.ceil(height * dpr)
  const size = { x, y, width: canvas.width / dpr, height: canvas.height / dpr }
  const pen = canvas.getContext('2d')
  if (pen) {
    pen.scale(dpr, dpr)
    draw(pen)
  }
  // Copying a bitmap takes two thirds of the time of copying a canvas.
  return { ...size, image: canvas.transferToImageBitmap() }
}

const widths = new Map<string, number>()
let ruler: Pen | null = null

/** Width of a text in the label font, CSS pixels; cached. */
export function textWidth(text: string): number {
  return cachedIn(widths, 5_000, text, () => {
    if (!ruler) {
      ruler = document.createElement('canvas').getContext('2d')
      // Set the font once, because that takes longer than measuring.
      if (ruler) ruler.font = LABEL_FONT
    }
    // Without a canvas, in tests, the layout uses an estimate.
    return ruler?.measureText(text).width ?? text.length * 6.2
  })
}

function cachedIn<Value>(cache: Map<string, Value>, most: number, key: string, make: () => Value) {
  const known = cache.get(key)
  if (known !== undefined) return known
  if (cache.size >= most) cache.clear()
  const made = make()
  cache.set(key, made)
  return made
}

export function forgetWidths(): void {
  widths.clear()
}
