// Entry for measuring the bundle size: drawing and moving a chart, without the React shell.
export { medianTarget } from '#chart/open-targets.ts'
export { makeMarks } from '#chart/marks.ts'
export { makeSeries } from '#chart/series.ts'
export { openEngine } from '#web/chart-canvas/engine.ts'
export { listen } from '#web/chart-canvas/gestures.ts'
