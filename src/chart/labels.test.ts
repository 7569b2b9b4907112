import { expect, it } from 'vitest'
import { aroundPoint, labelSpace, levelGaps, uprightGaps } from './labels.ts'

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

it('a label keeps off an upright line', () => {
  const places = aroundPoint(100, 100, 6, WIDTH)
  const [, left] = places
  const space = labelSpace(PLOT, NO_LINE, NO_LINE)
  space.blockUpright(130, 50, 150)
  expect(space.take('$150,000', WIDTH, places)).toMatchObject({ x: left?.[0], y: left?.[1] })
})

it('a label is 25 px or more above another one', () => {
  const space = labelSpace(PLOT, NO_LINE, NO_LINE)
  space.take('$150,000', WIDTH, [[100, 100]])
  expect(space.take('$150,000', WIDTH, [[100, 76]])).toBeNull()
  expect(space.take('$150,000', WIDTH, [[100, 75]])).not.toBeNull()
})

it('grid lines stop where words are', () => {
  const labels = [
    { text: 'a', x: 100, y: 104, width: 50 },
    { text: 'b', x: 300, y: 104, width: 90 },
    { text: 'c', x: 120, y: 200, width: 50 },
  ]
  expect(levelGaps(100, 0, 350, labels)).toEqual([0, 97, 153, 297])
  expect(levelGaps(150, 0, 350, labels)).toEqual([0, 350])
  expect(uprightGaps(130, 0, 300, labels)).toEqual([0, 93, 108, 189, 204, 300])
  expect(uprightGaps(250, 0, 300, labels)).toEqual([0, 300])
})
