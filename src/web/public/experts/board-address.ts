import { boardParams, readBoardView, type BoardView } from '#contracts/board.ts'
import { type AddressCodec } from '#web/address/address-state.ts'
import { SORTS, type Sort } from './board-sort.ts'

/** All that a visitor chose on the page of experts. */
export type BoardState = {
  readonly view: BoardView
  readonly sort: Sort
  readonly tab: 'board' | 'funnel'
}

export const BOARD_ADDRESS: AddressCodec<BoardState> = {
  read: (param) => ({
    view: readBoardView(param),
    sort: SORTS.find((one) => one === param('sort')) ?? 'skill',
    tab: param('tab') === 'funnel' ? 'funnel' : 'board',
  }),
  write: ({ view, sort, tab }) => ({
    ...boardParams(view),
    sort: sort === 'skill' ? undefined : sort,
    tab: tab === 'board' ? undefined : tab,
  }),
}
