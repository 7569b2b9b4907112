import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  declineReply,
  enterReply,
  listReplies,
  publishReply,
  type QueuedReply,
} from '#contracts/replies.ts'
import { type ReplyState } from '#domain/reply.ts'
import { adminCall } from '#web/api/admin-call.ts'

const KEY = 'replies'

/** One page of replies. */
export function useReplies(state: ReplyState, page: number) {
  return useQuery({
    queryKey: [KEY, { state, page }],
    queryFn: ({ signal }) => adminCall(listReplies, { query: { state, page }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** What is decided about replies; each gives the sentence that says what was done. */
export function useDecisions() {
  const client = useQueryClient()
  const loadAgain = () => client.invalidateQueries({ queryKey: [KEY] })
  return {
    loadAgain,
    publish: async ({ id }: QueuedReply, note: string): Promise<string> => {
      const { message } = await adminCall(publishReply, { params: { id }, body: { note } })
      await loadAgain()
      return message
    },
    decline: async ({ id }: QueuedReply, reason: string): Promise<string> => {
      const { message } = await adminCall(declineReply, { params: { id }, body: { reason } })
      await loadAgain()
      return message
    },
    enter: async (
      body: Record<'page' | 'text' | 'link' | 'note', string>,
    ): Promise<{ message: string; own: string }> => {
      const { message, own } = await adminCall(enterReply, { body })
      await loadAgain()
      return { message, own }
    },
  }
}
