import { expect, it } from 'vitest'
import { axisLabels, axisUsd, shortUsd } from './usd.ts'

it.each([
  [0, '$0'],
  [0.06, '$0.06'],
  [5, '$5'],
  [950, '$950'],
  [12_000, '$12k'],
  [999_600, '$1M'],
  [1_500_000, '$1.5M'],
  [2_000_000, '$2M'],
  [12_400_000, '$12M'],
  [1_500_000_000, '$1.5B'],
  [-1_000, '-$1k'],
])('an axis labels %d as %s', (usd, label) => {
  expect(axisUsd(usd)).toBe(label)
})

it.each([
  [
    [1_000, 1_050, 1_100],
    ['$1k', '$1.05k', '$1.1k'],
  ],
  [
    [0.06, 0.062, 0.064],
    ['$0.060', '$0.062', '$0.064'],
  ],
  [
    [10_000, 20_000],
    ['$10k', '$20k'],
  ],
])('an axis gives %j different labels', (prices, labels) => {
  expect(axisLabels(prices)).toEqual(labels)
})

it.each([
  [12_500, '$12.5k'],
  [25_000, '$25k'],
  [103_647, '$103.6k'],
  [0.0612, '$0.0612'],
])('an axis keeps %d true as %s', (usd, label) => {
  expect(shortUsd(usd)).toBe(label)
})
