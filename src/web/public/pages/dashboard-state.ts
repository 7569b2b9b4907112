import { OPENING_VIEW, readView, viewParams, type ViewState } from '#chart/view-state.ts'
import { type AddressCodec } from '#web/address/address-state.ts'
import {
  historyParams,
  readHistory,
  type HistoryView,
} from '#web/public/predictions/history-view.ts'
import { readSelection, selectionParams } from '#web/public/predictions/selection-address.ts'
import { isBare, OPENING_SELECTION, type Selection } from '#web/public/predictions/selection.ts'

/** All that a visitor chose on a dashboard: the chart's view, the panel's selection, the table's order. */
export type DashboardState = {
  readonly view: ViewState
  readonly selection: Selection
  readonly history: HistoryView
}

export const DASHBOARD_ADDRESS: AddressCodec<DashboardState> = {
  read: (param) => ({
    view: readView(param),
    selection: readSelection(param),
    history: readHistory(param),
  }),
  write: ({ view, selection, history }) => ({
    ...viewParams(view),
    ...selectionParams(selection),
    ...historyParams(history),
  }),
}

/** Changes the selection; with the last prediction gone from the chart, the chart goes home (public-site.md §4). */
export function select(
  state: DashboardState,
  step: (selection: Selection) => Selection,
): DashboardState {
  const selection = step(state.selection)
  const emptied = isBare(selection) && !isBare(state.selection)
  return { ...state, selection, view: emptied ? homeView(state.view) : state.view }
}

/** Reset: no filter, and the chart as the page opened, in its home view. */
export function reset(state: DashboardState): DashboardState {
  return { ...state, selection: OPENING_SELECTION, view: homeView(state.view) }
}

/** The opening part of time and price; how prices are scaled and judged is a choice that stays. */
function homeView(view: ViewState): ViewState {
  const { scale, threads, targets, mode } = view
  return { ...OPENING_VIEW, scale, threads, targets, mode }
}
