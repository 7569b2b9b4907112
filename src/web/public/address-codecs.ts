import { boardParams, readBoardView, type BoardView } from '#contracts/board.ts'
import { type AddressCodec, queryOf } from '#web/address/address-state.ts'
import { hedgehogParams, readHedgehogView, type HedgehogView } from '#contracts/hedgehog.ts'
import {
  CORRECTIONS_PATH,
  correctionsParams,
  readCorrectionsView,
  type CorrectionsView,
} from '#contracts/corrections-log.ts'
import {
  readReportsView,
  REPORTS_PATH,
  reportsParams,
  type ReportsView,
} from '#contracts/reports-log.ts'

export type BoardState = {
  readonly view: BoardView
  readonly tab: 'board' | 'statistics' | 'funnel'
}

const TABS = ['board', 'statistics', 'funnel'] as const

export const BOARD_ADDRESS: AddressCodec<BoardState> = {
  read: (param) => ({
    view: readBoardView(param),
    tab: TABS.find((tab) => tab === param('tab')) ?? 'board',
  }),
  write: ({ view, tab }) => ({ ...boardParams(view), tab: tab === 'board' ? undefined : tab }),
}

export const HEDGEHOG_ADDRESS: AddressCodec<HedgehogView> = {
  read: readHedgehogView,
  write: hedgehogParams,
}

export const CORRECTIONS_ADDRESS: AddressCodec<CorrectionsView> = {
  read: readCorrectionsView,
  write: correctionsParams,
}

export function correctionsAddress(view: CorrectionsView): string {
  const query = queryOf(CORRECTIONS_ADDRESS, view)
  return query === '' ? CORRECTIONS_PATH : `${CORRECTIONS_PATH}?${query}`
}

export const REPORTS_ADDRESS: AddressCodec<ReportsView> = {
  read: readReportsView,
  write: reportsParams,
}

export function reportsAddress(view: ReportsView): string {
  const query = queryOf(REPORTS_ADDRESS, view)
  return query === '' ? REPORTS_PATH : `${REPORTS_PATH}?${query}`
}
