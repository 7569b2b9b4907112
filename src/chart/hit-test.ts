import { isWithin } from './labels.ts'
import { type Mark } from './marks.ts'
import { type Scene, type Shape } from './scene.ts'
import { distanceToThread, type ThreadLine } from './threads.ts'

/** Points are above lines, and lines above areas; the uppermost mark is hit. */
const DEPTH: Readonly<Record<Shape['mark']['kind'], number>> = {
  success: 0,
  break: 0,
  target: 0,
  'by-date': 1.5,
  top: 1.5,
  bottom: 1.5,
  ahead: 2.5,
  range: 3,
}

/** Hit radius of threads, CSS pixels; small because they are long. */
const THREAD_REACH = 3.5

/**
 * The mark at a position, or null; threads count as their claim.
 *
 * @param tolerance hit radius, CSS pixels: small for a mouse, half a finger for touch
 */
export function markAt(scene: Scene, x: number, y: number, tolerance: number): Mark | null {
  if (!isWithin(scene.plot, x, y, tolerance)) return null
  const found = nearest(scene.shapes, tolerance + 3, (shape) =>
    distanceTo(shape, x, y, scene.radius, tolerance),
  )
  if (!found) {
    const toThread = (thread: ThreadLine) => distanceToThread(thread, x, y)
    return nearest(scene.threads, THREAD_REACH, toThread)?.of.mark ?? null
  }
  // Only the first of stacked signs is drawn.
  return (scene.stacks.find((stack) => stack.includes(found))?.[0] ?? found).mark
}

/** The nearest one within reach; of several, the uppermost. */
function nearest<One>(all: readonly One[], reach: number, distanceTo: (one: One) => number) {
  let best: One | null = null
  let least = reach
  for (const one of all) {
    const distance = distanceTo(one)
    if (distance <= least) [best, least] = [one, distance]
  }
  return best
}

function distanceTo(shape: Shape, x: number, y: number, radius: number, tolerance: number): number {
  const { mark, x0, x1, y0, y1, signX, signY } = shape
  const dx = Math.max(x0 - x, 0, x - x1)
  const dy = Math.max(y0 - y, 0, y - y1)
  const body = Math.hypot(dx, dy)
  if (body > tolerance && !mark.sign) return Infinity
  const sign = mark.sign ? Math.max(0, Math.hypot(x - signX, y - signY) - radius) : Infinity
  const reach = Math.min(sign, body <= tolerance ? body + DEPTH[mark.kind] : Infinity)
  return sign <= tolerance || body <= tolerance ? reach : Infinity
}

/** The box of a mark's visible part, at least as large as its sign; used for pointers and tests. */
export function boxOf(scene: Scene, shape: Shape) {
  const { plot, radius } = scene
  const [left, right] = [plot.x, plot.x + plot.width]
  const [top, bottom] = [plot.y, plot.y + plot.height]
  const x0 = Math.max(left, Math.min(shape.x0, shape.x1) - radius)
  const x1 = Math.min(right, shape.x1 + radius)
  const y0 = Math.max(top, shape.y0 - radius)
  const y1 = Math.min(bottom, shape.y1 + radius)
  return x1 - x0 > 1 && y1 - y0 > 1 ? { x: x0, y: y0, w: x1 - x0, h: y1 - y0 } : null
}
