import { useQueryClient } from '@tanstack/react-query'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'

/**
 * A change of the account: it says what came of it and shows the account as it is now.
 *
 * @returns `faults` by field, for what was typed
 */
export function useAccountCall<Given, Reply extends { readonly message?: string | undefined }>(
  work: (given: Given) => Promise<Reply>,
  done?: (reply: Reply) => void,
) {
  const client = useQueryClient()
  const toasts = useToasts()
  const change = useChange({
    onFailed({ message, fields }) {
      if (Object.keys(fields).length === 0) toasts.failed(message)
    },
  })
  const run = (given: Given): void =>
    void change.run(async () => {
      const reply = await work(given)
      if (reply.message !== undefined) toasts.done(reply.message)
      done?.(reply)
      await Promise.all(
        ['account', 'who'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      )
    })
  return { run, isBusy: change.isBusy, faults: change.failed?.fields ?? {} }
}
