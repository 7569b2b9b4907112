import { boardParams, readBoardView, type BoardView } from '#contracts/board.ts'
import { type AddressCodec } from '#web/address/address-state.ts'

/** All that a visitor chose on the page of experts. */
export type BoardState = {
  readonly view: BoardView
  readonly tab: 'board' | 'funnel'
}

export const BOARD_ADDRESS: AddressCodec<BoardState> = {
  read: (param) => ({
    view: readBoardView(param),
    tab: param('tab') === 'funnel' ? 'funnel' : 'board',
  }),
  write: ({ view, tab }) => ({ ...boardParams(view), tab: tab === 'board' ? undefined : tab }),
}
