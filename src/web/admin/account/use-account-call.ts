import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CallError, sentenceOf } from '#web/api/call.ts'
import { useToasts } from '#web/ui/toasts.tsx'

/**
 * A change of the account: it says what came of it and shows the account anew.
 *
 * @returns `faults` by field, for what was typed
 */
export function useAccountCall<Given, Reply extends { readonly message?: string | undefined }>(
  work: (given: Given) => Promise<Reply>,
  done?: (reply: Reply) => void,
) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { mutate, isPending, error } = useMutation({
    mutationFn: work,
    onSuccess: async (reply) => {
      if (reply.message !== undefined) toasts.done(reply.message)
      done?.(reply)
      await Promise.all(
        ['account', 'who'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      )
    },
    onError: (fault) => {
      const hasPlace = fault instanceof CallError && Object.keys(fault.fields).length > 0
      if (!hasPlace) toasts.failed(sentenceOf(fault))
    },
  })
  const faults: Readonly<Record<string, string>> = error instanceof CallError ? error.fields : {}
  return { run: (given: Given) => mutate(given), isBusy: isPending, faults }
}
