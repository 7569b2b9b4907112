import { dayOfTime, showDay } from '#domain/day.ts'
import { type Engine } from './engine.ts'
import { paintBase } from './paint-base.ts'
import { FONT_FAMILY, makeSprites } from './sprites.ts'

/** Pictures leave the page at twice the size, sharp wherever they are shown. */
const SCALE = 2
const HEAD = 48

/** Offers the present view as a PNG file with title and date. @returns false when the browser could not make it */
export async function savePicture(engine: Engine | null, title: string): Promise<boolean> {
  const canvas = engine && drawPicture(engine, title, showDay(dayOfTime(Date.now())))
  if (!canvas) return false
  const blob = await new Promise<Blob | null>((done) => {
    canvas.toBlob(done, 'image/png')
  })
  if (!blob) return false
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = `${title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}.png`
  link.click()
  // The download reads the address after the click has returned.
  setTimeout(() => {
    URL.revokeObjectURL(address)
  }, 10_000)
  return true
}

/** The present view on a canvas of its own, with a head of title and date; null without a view. */
export function drawPicture(engine: Engine, title: string, date: string): HTMLCanvasElement | null {
  const [scene, look] = [engine.sceneFor(SCALE), engine.look()]
  if (!scene || !look || scene.width === 0 || scene.height === 0) return null
  const chart = document.createElement('canvas')
  chart.width = Math.round(scene.width * SCALE)
  chart.height = Math.round(scene.height * SCALE)
  const chartPen = chart.getContext('2d', { alpha: false })
  const canvas = document.createElement('canvas')
  canvas.width = chart.width
  canvas.height = chart.height + HEAD * SCALE
  const pen = canvas.getContext('2d', { alpha: false })
  if (!pen || !chartPen) return null
  const sprites = makeSprites(look.theme, SCALE, look.ground)
  paintBase(chartPen, scene, { ...look, dpr: SCALE, sprites })
  pen.scale(SCALE, SCALE)
  pen.fillStyle = look.ground
  pen.fillRect(0, 0, scene.width, HEAD)
  pen.textBaseline = 'middle'
  pen.font = `600 16px ${FONT_FAMILY}`
  pen.fillStyle = look.theme.ink
  pen.fillText(title, 16, HEAD / 2)
  pen.font = `400 12px ${FONT_FAMILY}`
  pen.fillStyle = look.theme.ink2
  pen.textAlign = 'right'
  pen.fillText(`${look.watermark} · ${date}`, scene.width - 16, HEAD / 2)
  pen.drawImage(chart, 0, HEAD, scene.width, scene.height)
  return canvas
}
