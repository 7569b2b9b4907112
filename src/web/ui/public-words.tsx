import { type Prediction } from '#domain/claim/prediction.ts'
import { PUBLIC_TEXT_HEADINGS, readPublicText } from '#domain/claim/public-text.ts'
import css from './public-words.module.css'
import { SourceList } from './source-link.tsx'
import { Text } from './text.tsx'

/** The public text of a prediction under its heading, and where it was said. */
export function PublicWords({
  prediction,
  isSmall = false,
}: {
  readonly prediction: Prediction
  /** Within a form, under a heading of its own. */
  readonly isSmall?: boolean
}) {
  const text = readPublicText(prediction.summary)
  return (
    <>
      <Text as={isSmall ? 'h4' : 'h2'} size={isSmall ? 'base' : 'title'}>
        {PUBLIC_TEXT_HEADINGS[text?.kind ?? 'none']}
      </Text>
      {text?.kind === 'summary' && (
        <p className={css.text}>
          <bdi>{text.text}</bdi>
        </p>
      )}
      {text?.kind === 'said' && (
        <blockquote className={css.said}>
          <p className={css.text}>
            <bdi>“{text.text}”</bdi>
          </p>
          <Text as="cite" tone="quiet" size="small">
            {text.speaker}
          </Text>
        </blockquote>
      )}
      <SourceList sources={prediction.sources} isHeaded={!isSmall && text !== null} />
    </>
  )
}
