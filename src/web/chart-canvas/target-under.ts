import { type Asset } from '#domain/asset.ts'
import { showCount } from '#domain/price-text.ts'
import { isolatedName } from '#domain/people/name.ts'
import { type FanStart } from '#domain/scoring/fan.ts'
import { type OpenTarget } from '#chart/open-targets.ts'
import { type Scene } from '#chart/scene.ts'
import {
  bandText,
  cellAt,
  countTargets,
  periodText,
  targetGrid,
  targetsIn,
} from '#chart/target-grid.ts'
import { targetPaths, type LayerPath } from '#chart/target-layer.ts'
import { type Theme } from '#chart/theme.ts'
import { type TargetWeight } from '#chart/view-state.ts'
import { type Under } from './paint-base.ts'
import { type Pen } from './sprites.ts'

/** How many people a cell names. */
const NAMES = { phone: 1, desktop: 3 } as const

/** Open targets as a layer of the chart. Its shapes are kept while the view rests, as each new price paints all again. */
export function targetUnder(
  asset: Asset,
  targets: readonly OpenTarget[],
  by: TargetWeight,
  fan: FanStart | null,
): Under {
  let kept: { readonly key: string; readonly shapes: readonly Shape[] } | null = null

  function shapesOf(scene: Scene, theme: Theme): readonly Shape[] {
    const { days, prices, width, height, price } = scene
    const key = [...days, ...prices, width, height, price.kind, theme.surface].join()
    if (kept?.key !== key) {
      const paths = targetPaths(scene, targets, by, fan, asset, theme)
      kept = { key, shapes: paths.map((path) => ({ ...path, area: new Path2D(path.d) })) }
    }
    return kept.shapes
  }

  return {
    paint: (pen, scene, theme) => {
      for (const shape of shapesOf(scene, theme)) paintShape(pen, shape)
      pen.globalAlpha = 1
      pen.setLineDash([])
    },
    readAt: (scene, x, y) => {
      const { plot, time, price } = scene
      const inside =
        x >= plot.x && x <= plot.x + plot.width && y >= plot.y && y <= plot.y + plot.height
      if (!inside) return ''
      const cells = countTargets(targets, targetGrid(scene))
      const cell = cellAt(cells, time.toValue(x), price.toValue(y))
      const calls = cell ? targetsIn(targets, cell) : []
      return cell
        ? `${callsText(calls.length)}: ${bandText(cell.prices)}, due ${periodText(cell.days)}  ${namesText(calls, scene.phone ? NAMES.phone : NAMES.desktop)}`
        : ''
    },
  }
}

type Shape = LayerPath & { readonly area: Path2D }

function paintShape(pen: Pen, { kind, colour, opacity, dash, area }: Shape): void {
  pen.globalAlpha = opacity
  if (kind === 'fill') {
    pen.fillStyle = colour
    pen.fill(area)
    return
  }
  pen.strokeStyle = colour
  pen.lineWidth = 1
  pen.setLineDash([...dash])
  pen.stroke(area)
}

/** `1 open call`, `7 open calls` */
export function callsText(count: number): string {
  return `${showCount(count)} open ${count === 1 ? 'call' : 'calls'}`
}

/** `Ann Ode, Bob Ray and 5 others`, each person once. */
export function namesText(calls: readonly OpenTarget[], most: number): string {
  const names = [...new Set(calls.map(({ name }) => isolatedName(name)))]
  const rest = names.length - most
  // "and 1 other" would be as long as the name.
  if (rest <= 1) return names.join(', ')
  return `${names.slice(0, most).join(', ')} and ${String(rest)} others`
}
