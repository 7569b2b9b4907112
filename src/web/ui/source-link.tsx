import { type Prediction, PUBLIC_TEXT_HEADINGS, readPublicText } from '#domain/claim/prediction.ts'
import {
  isKnownFromReposts,
  showSourceDate,
  SOURCE_KIND_NAMES,
  type Source,
} from '#domain/claim/source.ts'
import { hostOf, sourceHost } from '#web/address/addresses.ts'
import { Stack, Text, Note } from './primitives.tsx'
import { showDate } from './show.ts'

/** The best source; addresses that are not web pages are not linked. */
export function SourceLink({ prediction }: { readonly prediction: Prediction }) {
  const [best] = prediction.sources
  const host = sourceHost(prediction)
  if (!host || !best) return <p>{NO_SOURCE}</p>
  return (
    <p>
      Source: <Away to={best.url}>{host}</Away>
      {isKnownFromReposts(prediction.sources) && `. ${ONLY_REPOSTS}`}
    </p>
  )
}

/** All sources, best first. */
export function SourceList({
  sources,
  isHeaded = true,
}: {
  readonly sources: readonly Source[]
  /** Omitted if a heading above names them. */
  readonly isHeaded?: boolean
}) {
  if (sources.length === 0) return <p>{NO_SOURCE}</p>
  return (
    <Stack>
      {isHeaded && (
        <Text as="h3" size="base">
          {sources.length === 1 ? 'Source' : 'Sources'}
        </Text>
      )}
      {isKnownFromReposts(sources) && <Text tone="wait">{ONLY_REPOSTS}</Text>}
      <Stack as="ul" gap={2}>
        {sources.map((source) => (
          <SourceItem key={source.url} source={source} />
        ))}
      </Stack>
    </Stack>
  )
}

function SourceItem({ source }: { readonly source: Source }) {
  const { kind, url, date, archivedUrl, quotation, deadSince } = source
  const host = hostOf(url)
  return (
    <li>
      {host === null ? <bdi>{url}</bdi> : <Away to={url}>{host}</Away>}{' '}
      <Note as="span">
        {SOURCE_KIND_NAMES[kind]}
        {date !== null && `, ${showSourceDate(date)}`}
      </Note>
      {deadSince !== undefined && (
        <Text as="span" tone="wait" size="small">
          {' '}
          No longer answers since {showDate(deadSince)}.
        </Text>
      )}
      {archivedUrl !== null && hostOf(archivedUrl) !== null && (
        <Text as="span" size="small">
          {' '}
          <Away to={archivedUrl}>Archived copy</Away>
        </Text>
      )}
      {quotation !== null && (
        <blockquote className="quoted">
          <bdi>“{quotation.text}”</bdi> <Note as="cite">{quotation.speaker}</Note>
        </blockquote>
      )}
    </li>
  )
}

const NO_SOURCE = 'Source: none on record'
const ONLY_REPOSTS = 'Known only from reposts.'

export function Away({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <a href={to} rel="noopener nofollow ugc" target="_blank">
      {children}
      <span className="aside-voice"> (opens in a new tab)</span>
    </a>
  )
}

/** The public text of a prediction with heading and sources. */
export function PublicWords({
  prediction,
  isSmall = false,
}: {
  readonly prediction: Prediction
  /** Inside a form with its own heading. */
  readonly isSmall?: boolean
}) {
  const text = readPublicText(prediction.summary)
  return (
    <>
      <Text as={isSmall ? 'h4' : 'h2'} size={isSmall ? 'base' : 'title'}>
        {PUBLIC_TEXT_HEADINGS[text?.kind ?? 'none']}
      </Text>
      {text?.kind === 'summary' && (
        <p className="as-written">
          <bdi>{text.text}</bdi>
        </p>
      )}
      {text?.kind === 'said' && (
        <blockquote className="quoted">
          <p className="as-written">
            <bdi>“{text.text}”</bdi>
          </p>
          <Note as="cite">{text.speaker}</Note>
        </blockquote>
      )}
      <SourceList sources={prediction.sources} isHeaded={!isSmall && text !== null} />
    </>
  )
}
