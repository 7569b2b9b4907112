import { type Prediction } from '#domain/claim/prediction.ts'
import { sourceHost } from '#web/address/addresses.ts'

/** Where it was said. An address that is no web page is not linked. */
export function SourceLink({ prediction }: { readonly prediction: Prediction }) {
  const host = sourceHost(prediction)
  if (!host || !prediction.sourceUrl) return <p>Source: none on record</p>
  return (
    <p>
      Source:{' '}
      <a href={prediction.sourceUrl} rel="noopener nofollow ugc" target="_blank">
        {host}
        <span className="aside-voice"> (opens in a new tab)</span>
      </a>
    </p>
  )
}
