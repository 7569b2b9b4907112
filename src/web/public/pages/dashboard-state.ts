import { OPENING_VIEW, readView, viewParams, type ViewState } from '#chart/view-state.ts'
import { PAST_PARAM, readPastDay } from '#contracts/paths.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { historyParams, readHistory, type HistoryView } from '#domain/listing/history-view.ts'
import {
  readSelection,
  selectionParams,
  clearSelection,
  isBare,
  type Selection,
} from '#domain/listing/selection.ts'
import { type AddressCodec } from '#web/address/address-state.ts'

export type DashboardState = {
  readonly view: ViewState
  readonly selection: Selection
  readonly history: HistoryView
  /** The record as of the end of this day; null for now. */
  readonly day: Day | null
}

export const DASHBOARD_ADDRESS: AddressCodec<DashboardState> = {
  read: (param) => ({
    view: readView(param),
    selection: readSelection(param),
    history: readHistory(param),
    day: readPastDay(param(PAST_PARAM)),
  }),
  write: ({ view, selection, history, day }) => ({
    ...(day !== null && { [PAST_PARAM]: isoDay(day) }),
    ...viewParams(view),
    ...selectionParams(selection),
    ...historyParams(history),
  }),
}

/** Changes the selection; removing the last prediction returns the chart to its home view (public-site.md §4). */
export function select(
  state: DashboardState,
  step: (selection: Selection) => Selection,
): DashboardState {
  const selection = step(state.selection)
  const emptied = isBare(selection) && !isBare(state.selection)
  return { ...state, selection, view: emptied ? homeView(state.view) : state.view }
}

export function reset(state: DashboardState): DashboardState {
  return { ...state, selection: clearSelection(), view: homeView(state.view) }
}

/** The opening view of time and prices; scale and judging mode are kept. */
function homeView(view: ViewState): ViewState {
  const { scale, threads, targets, mode } = view
  return { ...OPENING_VIEW, scale, threads, targets, mode }
}
