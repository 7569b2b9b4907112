import { useCallback } from 'react'
import { type Prediction } from '#domain/claim/prediction.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { fetchShownReplies } from '#web/api/shown-replies.ts'
import { Text } from '#web/ui/text.tsx'
import { useLoaded } from '#web/ui/use-loaded.ts'

/** Says that the person has replied, with a link to the reply. Shows nothing without a reply. */
export function ReplyNote({ prediction }: { readonly prediction: Prediction }) {
  const { id, expert } = prediction
  const load = useCallback((signal: AbortSignal) => fetchShownReplies(id, signal), [id])
  const shown = useLoaded(load).data?.filter(({ state }) => state === 'published') ?? []
  if (shown.length === 0) return null
  return (
    <Text role="status">
      <bdi>{expert.name}</bdi> has replied.{' '}
      <a href={`${predictionPath(prediction)}#replies`}>
        {shown.length === 1 ? 'Read the reply' : `Read the ${String(shown.length)} replies`}
      </a>
    </Text>
  )
}
