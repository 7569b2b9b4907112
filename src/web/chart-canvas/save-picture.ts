import { OUTCOME_WORDS } from '#chart/marks.ts'
import { type Scene } from '#chart/scene.ts'
import { dayOfTime, isoDay, showDay, type Day } from '#domain/day.ts'
import { SITE_NAME } from '#domain/site.ts'
import { sceneAt, type Engine } from './engine.ts'
import { drawnOutcomes } from './legend.tsx'
import { paintBase, type Look } from './paint-base.ts'
import { FONT_FAMILY, makeSprites, stamp, type Pen } from './sprites.ts'

/** Scale of saved pictures, sharp on any screen. */
const SCALE = 2
const HEAD = 56
const FOOT = 32
const MARGIN = 16

export type PictureWords = {
  readonly title: string
  readonly about: string
  /** Without the date. */
  readonly fileName: string
}

/**
 * Downloads the current view as PNG.
 *
 * @returns false if the browser could not create it
 */
export async function savePicture(engine: Engine | null, words: PictureWords): Promise<boolean> {
  const today = dayOfTime(Date.now())
  const canvas = engine && drawPicture(sceneAt(engine, Infinity, SCALE), engine.look, words, today)
  if (!canvas) return false
  const blob = await new Promise<Blob | null>((done) => {
    canvas.toBlob(done, 'image/png')
  })
  if (!blob) return false
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = `${words.fileName}-${isoDay(today)}.png`
  link.click()
  // The browser reads the object URL after the click has returned.
  setTimeout(() => {
    URL.revokeObjectURL(address)
  }, 10_000)
  return true
}

/** The current view on a new canvas, with heading and legend; null without a size. */
export function drawPicture(scene: Scene, displayed: Look, words: PictureWords, today: Day) {
  if (scene.width === 0 || scene.height === 0) return null
  const chart = document.createElement('canvas')
  chart.width = Math.round(scene.width * SCALE)
  chart.height = Math.round(scene.height * SCALE)
  const chartPen = chart.getContext('2d', { alpha: false })
  const canvas = document.createElement('canvas')
  canvas.width = chart.width
  canvas.height = chart.height + (HEAD + FOOT) * SCALE
  const pen = canvas.getContext('2d', { alpha: false })
  if (!pen || !chartPen) return null
  const look = {
    ...displayed,
    focus: null,
    dpr: SCALE,
    sprites: makeSprites(displayed.theme, SCALE),
  }
  paintBase(chartPen, scene, look)
  pen.scale(SCALE, SCALE)
  pen.fillStyle = look.theme.surface
  pen.fillRect(0, 0, scene.width, scene.height + HEAD + FOOT)
  paintHead(pen, scene, look, words, showDay(today))
  paintLegend(pen, HEAD + scene.height + FOOT / 2, scene, look)
  pen.drawImage(chart, 0, HEAD, scene.width, scene.height)
  return canvas
}

function paintHead(pen: Pen, scene: Scene, look: Look, words: PictureWords, date: string): void {
  const { theme } = look
  const right = `${SITE_NAME} · ${date}`
  pen.textBaseline = 'middle'
  pen.font = `400 12px ${FONT_FAMILY}`
  pen.fillStyle = theme.ink2
  const width = pen.measureText(right).width
  pen.textAlign = 'right'
  pen.fillText(right, scene.width - MARGIN, 20)
  pen.textAlign = 'left'
  // Long text is condensed to fit.
  pen.fillText(words.about, MARGIN, 42, scene.width - 2 * MARGIN)
  pen.font = `600 16px ${FONT_FAMILY}`
  pen.fillStyle = theme.ink
  pen.fillText(words.title, MARGIN, 20, Math.max(1, scene.width - 3 * MARGIN - width))
}

function paintLegend(pen: Pen, y: number, { shapes }: Scene, { theme, sprites }: Look): void {
  let x = MARGIN + 6
  pen.font = `500 12px ${FONT_FAMILY}`
  pen.fillStyle = theme.ink2
  for (const outcome of drawnOutcomes(shapes.map(({ mark }) => mark))) {
    stamp(pen, sprites.sign(outcome, 6), x, y, SCALE)
    pen.fillText(OUTCOME_WORDS[outcome], x + 11, y)
    x += 11 + pen.measureText(OUTCOME_WORDS[outcome]).width + 22
  }
}
