import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { decideGoalpost, listGoalposts, type GoalpostPair } from '#contracts/goalposts.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'

export type State = GoalpostPair['state']
/** A pair with a name of its own among all pairs. */
export type PairRow = GoalpostPair & { readonly id: string }

const KEY = 'goalposts'

/** One page of pairs. */
export function usePairs(state: State | 'all', page: number) {
  return useQuery({
    queryKey: [KEY, { state, page }],
    queryFn: async ({ signal }) => {
      const { rows, ...rest } = await adminCall(listGoalposts, { query: { state, page }, signal })
      return {
        ...rest,
        rows: rows.map((row): PairRow => ({ ...row, id: `${row.earlier.id} → ${row.later.id}` })),
      }
    },
    placeholderData: keepPreviousData,
  })
}

/** Writes decisions; each can be undone for ten seconds. */
export function useDecide(): {
  readonly decide: (row: PairRow, state: State) => void
  /** The ids of the pairs that are being decided. */
  readonly doing: ReadonlySet<string | number>
} {
  const client = useQueryClient()
  const toasts = useToasts()
  const loadAgain = () => client.invalidateQueries({ queryKey: [KEY] })
  const change = useChange({
    onFailed: (error) => {
      toasts.failed(error.message)
      // Someone else was faster, or the calls were corrected.
      if (error.status === 409) void loadAgain()
    },
  })

  async function send(row: PairRow, was: State, state: State): Promise<string> {
    const [earlier, later] = [row.earlier.id, row.later.id]
    const { message } = await adminCall(decideGoalpost, { body: { earlier, later, state, was } })
    await loadAgain()
    return message
  }

  function decide(row: PairRow, state: State): void {
    if (row.state === state) return
    void change.run(async () => {
      const message = await send(row, row.state, state)
      toasts.undoable(message, () => {
        void change.run(async () => toasts.done(await send(row, state, row.state)), row.id)
      })
    }, row.id)
  }

  return { decide, doing: change.doing }
}
