import { type TweetExtraction } from '#contracts/extraction.ts'
import { postWeight, SHORT_POST } from '#domain/publishing/post-length.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import css from './columns.module.css'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'

/** Texts to announce the prediction with, and how much of a post each takes as X counts. */
export function Proposals({
  proposals,
}: {
  readonly proposals: TweetExtraction['tweet_proposals']
}) {
  if (proposals.length === 0) return null
  return (
    <Stack as="section" className={css.proposals} aria-labelledby="proposals-title">
      <h2 id="proposals-title">Tweet Proposals</h2>
      <ul className={css.cards}>
        {proposals.map(({ style, text }) => {
          const length = postWeight(text)
          return (
            <Panel as="li" gap={2} key={`${style} ${text}`} className={css.card}>
              <strong className={css.style}>{style}</strong>
              <p dir="auto">{text}</p>
              <Row as="p" gap={3} className={css.row}>
                <span className={css.length} data-long={length > SHORT_POST}>
                  {length} / {SHORT_POST}
                </span>
                <CopyButton text={text} label="Copy" done="Proposal copied!" />
              </Row>
            </Panel>
          )
        })}
      </ul>
    </Stack>
  )
}
