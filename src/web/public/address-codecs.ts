import { boardParams, readBoardView, type BoardView } from '#contracts/board.ts'
import { type AddressCodec } from '#web/address/address-state.ts'

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
