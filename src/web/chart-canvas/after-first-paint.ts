/** Parts of the chart loaded in one file after the first paint. */
export { MarkList } from './mark-list.tsx'
export { Tooltip } from './tooltip.tsx'
