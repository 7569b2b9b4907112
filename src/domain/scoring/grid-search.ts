/** How far apart the points of the first look are, in steps of the grid. */
const FIRST_STRIDE = 8
/** Along a narrow ridge the next higher point may lie a few steps away: all within so many are compared in the end. */
const REACH = 5

/**
 * The highest point of a smooth function on a grid: first on a coarse grid, then uphill in smaller and smaller steps
 * from its best points. It looks at a few per cent of the points.
 *
 * @returns the point as column and row
 */
export function highestPoint(
  columns: number,
  rows: number,
  heightAt: (column: number, row: number) => number,
): { readonly column: number; readonly row: number } {
  const heights = new Map<number, number>()
  const height = (column: number, row: number): number => {
    const key = row * columns + column
    const known = heights.get(key) ?? heightAt(column, row)
    heights.set(key, known)
    return known
  }
  const starts: { column: number; row: number; at: number }[] = []
  for (const column of strided(columns)) {
    for (const row of strided(rows)) starts.push({ column, row, at: height(column, row) })
  }
  starts.sort((a, b) => b.at - a.at)
  let best = starts[0] ?? { column: 0, row: 0, at: -Infinity }
  for (const start of starts.slice(0, 3)) {
    let here = start
    for (let stride = FIRST_STRIDE / 2; stride >= 1;) {
      const higher = around(here, stride, columns, rows)
        .map((point) => ({ ...point, at: height(point.column, point.row) }))
        .reduce((top, point) => (point.at > top.at ? point : top), here)
      if (higher === here) stride /= 2
      here = higher
    }
    if (here.at > best.at) best = here
  }
  for (let here = null; here !== best;) {
    here = best
    for (
      let column = Math.max(0, here.column - REACH);
      column <= Math.min(columns - 1, here.column + REACH);
      column += 1
    ) {
      for (
        let row = Math.max(0, here.row - REACH);
        row <= Math.min(rows - 1, here.row + REACH);
        row += 1
      ) {
        const at = height(column, row)
        if (at > best.at) best = { column, row, at }
      }
    }
  }
  return { column: best.column, row: best.row }
}

function strided(length: number): number[] {
  const points: number[] = []
  for (let at = 0; at < length; at += FIRST_STRIDE) points.push(at)
  if (points.at(-1) !== length - 1) points.push(length - 1)
  return points
}

function around(
  { column, row }: { readonly column: number; readonly row: number },
  stride: number,
  columns: number,
  rows: number,
): { column: number; row: number }[] {
  const steps = [-stride, 0, stride]
  return steps
    .flatMap((x) => steps.map((y) => ({ column: column + x, row: row + y })))
    .filter((at) => at.column >= 0 && at.column < columns && at.row >= 0 && at.row < rows)
}
