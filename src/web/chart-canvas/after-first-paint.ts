/** What the chart needs once its first picture stands: loaded then, in one file. */
export { MarkList } from './mark-list.tsx'
export { Tooltip } from './tooltip.tsx'
