import { useEffect, useEffectEvent, useState } from 'react'
import { boardParams, readBoardView, type Board, type BoardView } from '#contracts/board.ts'
import { queryOf } from '#web/address/address-state.ts'
import { fetchPage } from '#web/api/page-data.ts'
import { useRested } from '#web/ui/use-rested.ts'
import { type ContentOf } from '#web/head/site.ts'

export type ShownBoard = {
  readonly board: Board | null
  readonly state: 'there' | 'loading' | 'failed'
  readonly retry: () => void
}

type Given = Pick<ContentOf<'experts'>, 'view' | 'board'>

const AGAIN_MS = 2_000
/** A name is looked for once it is typed. */
const TYPED_MS = 250

export function useBoard(given: Given, view: BoardView): ShownBoard {
  const find = useRested(view.find, TYPED_MS)
  const address = addressOf(wantedOf(given.board, { ...view, find }))
  const [fetched, setFetched] = useState<{ of: Given; address: string; board: Board | null }>()
  const [failed, setFailed] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const isGiven = addressOf(wantedOf(given.board, given.view)) === address && given.board !== null
  const known = fetched?.of === given ? fetched : null
  const board = isGiven ? given.board : known?.address === address ? known.board : null
  const isWanted = board === null && failed !== address
  const take = useEffectEvent((next: Board | null) => {
    setFetched({ of: given, address, board: next })
    if (next === null) setTimeout(() => setRound((before) => before + 1), AGAIN_MS)
  })

  useEffect(() => {
    if (!isWanted) return
    const leave = new AbortController()
    fetchPage(address, leave.signal).then(
      ({ data }) => {
        if (data.page === 'experts') take(data.board)
      },
      () => {
        if (!leave.signal.aborted) setFailed(address)
      },
    )
    return () => leave.abort()
  }, [address, isWanted, round])

  return {
    board: board ?? known?.board ?? given.board,
    state: board ? 'there' : failed === address ? 'failed' : 'loading',
    retry: () => setFailed(null),
  }
}

/** What has to be asked for: a board that holds everybody is sorted and searched here. */
function wantedOf(board: Board | null, view: BoardView): BoardView {
  return board && isWhole(board) ? { ...view, sort: 'skill', find: '' } : view
}

function isWhole({ ranked, others, counts }: Board): boolean {
  return ranked.length === counts.ranked && others.length === counts.others
}

function addressOf(view: BoardView): string {
  const query = queryOf({ read: readBoardView, write: boardParams }, view)
  return query === '' ? '/experts' : `/experts?${query}`
}
