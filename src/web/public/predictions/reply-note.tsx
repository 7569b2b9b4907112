import { type Prediction } from '#domain/claim/prediction.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { Text } from '#web/ui/text.tsx'

/** Says that the person has replied, with a link to the reply. Shows nothing without a reply. */
export function ReplyNote({
  prediction,
  replies,
}: {
  readonly prediction: Prediction
  /** How many are published. */
  readonly replies: number
}) {
  if (replies === 0) return null
  return (
    <Text role="status">
      <bdi>{prediction.expert.name}</bdi> has replied.{' '}
      <a href={`${predictionPath(prediction)}#replies`}>
        {replies === 1 ? 'Read the reply' : `Read the ${String(replies)} replies`}
      </a>
    </Text>
  )
}
