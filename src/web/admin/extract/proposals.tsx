import { type TweetExtraction } from '#contracts/extraction.ts'
import { postWeight, SHORT_POST } from '#domain/publishing/post-length.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import css from './columns.module.css'
import { Panel, Row, Stack, Tiles } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** Texts to announce the prediction with, and how much of a post each takes as X counts. */
export function Proposals({
  proposals,
}: {
  readonly proposals: TweetExtraction['tweet_proposals']
}) {
  if (proposals.length === 0) return null
  return (
    <Stack as="section" aria-labelledby="proposals-title">
      <Text as="h2" size="lead" id="proposals-title">
        Tweet Proposals
      </Text>
      <Tiles as="ul" least="20rem">
        {proposals.map(({ style, text }) => {
          const length = postWeight(text)
          return (
            <Panel as="li" gap={2} key={`${style} ${text}`} className={css.card}>
              <Text tone="quiet" strong className={css.style}>
                {style}
              </Text>
              <p dir="auto">{text}</p>
              <Row as="p" gap={3} justify="between">
                <Text as="span" tone={length > SHORT_POST ? 'bad' : undefined}>
                  {length} / {SHORT_POST}
                </Text>
                <CopyButton text={text} label="Copy" done="Proposal copied!" />
              </Row>
            </Panel>
          )
        })}
      </Tiles>
    </Stack>
  )
}
