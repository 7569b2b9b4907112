import { expect, it } from 'vitest'
import { aroundPoint, labelSpace } from './labels.ts'

const PLOT = { x: 0, y: 0, width: 400, height: 300 }
const NO_LINE = new Float64Array(0)
const WIDTH = 60

it('a label is beside its own sign, and never on the sign of another mark', () => {
  const places = aroundPoint(100, 100, 6, WIDTH)
  const [beside, left] = places
  const own = labelSpace(PLOT, NO_LINE, Float64Array.of(100, 100))
  expect(own.take('$150,000', WIDTH, places)).toMatchObject({ x: beside?.[0], y: beside?.[1] })
  const crowded = labelSpace(PLOT, NO_LINE, Float64Array.of(100, 100, 140, 102))
  expect(crowded.take('$150,000', WIDTH, places)).toMatchObject({ x: left?.[0], y: left?.[1] })
  // With a sign on each side of it, and more above and below, it is left out.
  const full = Float64Array.of(100, 100, 140, 102, 60, 102, 90, 88, 110, 118)
  expect(labelSpace(PLOT, NO_LINE, full).take('$150,000', WIDTH, places)).toBeNull()
})

it('a label keeps off a level line', () => {
  const places = aroundPoint(100, 100, 6, WIDTH)
  const [, left] = places
  const space = labelSpace(PLOT, NO_LINE, NO_LINE)
  // To the right of the point, through the place of its label.
  space.blockLevel(105, 400, 100)
  expect(space.take('$150,000', WIDTH, places)).toMatchObject({ x: left?.[0], y: left?.[1] })
})
