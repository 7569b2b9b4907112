import { type TweetExtraction } from '#contracts/extraction.ts'
import { Button } from '#web/ui/button.tsx'
import css from './columns.module.css'
import { momentText } from './day-texts.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Tag } from '#web/ui/tag.tsx'

const SOURCES: Readonly<Record<TweetExtraction['source']['name'], string>> = {
  x: 'X API',
  syndication: 'X, as it embeds posts',
  oembed: 'X, as it embeds posts (text only)',
  pasted: 'pasted text',
}

/** The post as it was found. */
export function RawPost({
  extraction,
  onRefetch,
}: {
  readonly extraction: TweetExtraction
  /** Null where nothing was fetched. */
  readonly onRefetch: (() => void) | null
}) {
  const { tweet_metrics: metrics, source, quoted, answered } = extraction
  return (
    <Panel as="section" aria-labelledby="raw-title">
      <Text as="h2" size="lead" id="raw-title">
        Raw Tweet Data
      </Text>
      <Text size="base">
        <strong>
          <bdi>{extraction.expert_name ?? 'Author not known'}</bdi>
        </strong>{' '}
        {extraction.twitter_handle && (
          <Text as="bdi" tone="quiet">
            {extraction.twitter_handle}
          </Text>
        )}{' '}
        {extraction.author_verified && <Tag>verified account</Tag>}
      </Text>
      <blockquote className={css.post} dir="auto">
        {extraction.tweet_text}
      </blockquote>
      {quoted?.tweet_text && (
        <Stack as="blockquote" gap={1} className={css.other} dir="auto" aria-label="Quoted post">
          <Text as="span" tone="quiet">
            Quotes <bdi>{quoted.twitter_handle ?? 'a post'}</bdi>
          </Text>
          {quoted.tweet_text}
        </Stack>
      )}
      {answered?.tweet_text && (
        <Stack
          as="blockquote"
          gap={1}
          className={css.other}
          dir="auto"
          aria-label="Post it answers"
        >
          <Text as="span" tone="quiet">
            {extraction.is_thread ? 'Goes on from' : 'Answers'}{' '}
            <bdi>{answered.twitter_handle ?? 'a post'}</bdi>
          </Text>
          {answered.tweet_text}
        </Stack>
      )}
      <Facts size="small">
        <Fact name="Posted">{momentText(extraction.tweet_created_at)}</Fact>
        {extraction.is_retweet && (
          <Fact name="Retweet">
            {extraction.retweeted_by === null ? 'yes' : `passed on by ${extraction.retweeted_by}`}
          </Fact>
        )}
        <Fact name="Likes">{countText(metrics.like_count)}</Fact>
        <Fact name="Retweets">{countText(metrics.retweet_count)}</Fact>
        <Fact name="Replies">{countText(metrics.reply_count)}</Fact>
        <Fact name="Media">
          {extraction.has_media === null ? 'not known' : extraction.has_media ? 'yes' : 'none'}
        </Fact>
        <Fact name="Tweet ID">{extraction.tweet_id ?? 'none'}</Fact>
        <Fact name="Read from">
          {SOURCES[source.name]}, {momentText(source.fetched_at)}
        </Fact>
      </Facts>
      {source.is_cut && (
        <Callout tone="wait">This source gives only the beginning of the post.</Callout>
      )}
      {source.notes.map((note) => (
        <Text key={note} tone="quiet">
          {note}
        </Text>
      ))}
      <Row as="p" gap={3}>
        {extraction.tweet_url && (
          <a href={extraction.tweet_url} target="_blank" rel="noreferrer">
            Open the post on X
          </a>
        )}
        {onRefetch && (
          <Button look="quiet" onClick={onRefetch}>
            Fetch again
          </Button>
        )}
      </Row>
    </Panel>
  )
}

function countText(count: number | null): string {
  return count === null ? 'not known' : count.toLocaleString('en-US')
}
