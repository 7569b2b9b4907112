/** Bundled into one file that is loaded after the first paint. */
export { MarkList } from './mark-list.tsx'
export { Tooltip } from './tooltip.tsx'
