import { useId, type ReactNode, type Ref } from 'react'
import { type SocialPost } from '#contracts/publishing.ts'
import { isBlank, measurePost } from '#domain/publishing/post-length.ts'
import { type SocialNetwork } from '#domain/publishing/social-post.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { showCount } from '#domain/price-text.ts'
import { type Connection } from './composition.ts'
import css from './network-panel.module.css'
import { OutcomeNote } from './outcome-note.tsx'
import { networkName } from './outcomes.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import { Tag } from '#web/ui/tag.tsx'

/** One network: how it stands, the text for it, the button, and what became of the last post. */
export function NetworkPanel({
  network,
  connection,
  facts,
  text,
  onText,
  placeholder,
  limit,
  warnings,
  cost,
  obstacle,
  fault,
  isPosting,
  onPost,
  sent,
  profile,
  onNews,
  ref,
}: {
  readonly network: SocialNetwork
  readonly connection: Connection
  /** Beside the state: limits, the key, relays. */
  readonly facts: ReactNode
  readonly text: string
  readonly onText: (text: string) => void
  readonly placeholder: string
  /** Characters, weighted. */
  readonly limit: number
  readonly warnings: readonly string[]
  /** What posting costs; null where it is free. */
  readonly cost: string | null
  /** Why it cannot be posted now; null when it can. */
  readonly obstacle: string | null
  readonly fault: string | undefined
  readonly isPosting: boolean
  readonly onPost: () => void
  /** The last post, whose outcome is shown here. */
  readonly sent: SocialPost | null
  readonly profile: string | null
  /** Told when something was done about the last post. */
  readonly onNews: (post: SocialPost) => void
  /** Takes the focus when what had it is gone. */
  readonly ref: Ref<HTMLElement>
}) {
  const titleId = useId()
  const whyId = useId()
  const name = networkName(network)
  const result = sent?.results.find((one) => one.network === network)
  // That nothing is written yet needs no words while nobody tries to post.
  const isSaid = obstacle !== null && warnings.includes(obstacle)
  const why = isBlank(text) || isPosting || isSaid ? null : obstacle
  return (
    <Panel as="section" ref={ref} tabIndex={-1} aria-labelledby={titleId}>
      <Row as="header" gap={3} justify="between" whole>
        <Text as="h2" size="lead" id={titleId}>
          {name}
        </Text>
        <span role="status">
          <Tag tone={TONES[connection]}>
            <span aria-hidden="true">{SIGNS[connection]}</span> {connection}
          </Tag>
        </span>
      </Row>
      <Stack gap={1} className={css.facts}>
        {facts}
      </Stack>
      <Field label={`Post on ${name}`} fault={fault}>
        {(control) => (
          <textarea
            {...control}
            className={`${control.className ?? ''} ${css.text ?? ''}`}
            rows={6}
            placeholder={placeholder}
            value={text}
            onChange={(event) => onText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              onPost()
            }}
          />
        )}
      </Field>
      <Counter network={network} text={text} limit={limit} />
      {warnings.length > 0 && (
        <Callout as="ul" tone="wait" gap={1}>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </Callout>
      )}
      <Row gap={3} className={css.send}>
        <Button
          look="primary"
          disabled={obstacle !== null}
          aria-describedby={why === null ? undefined : whyId}
          onClick={onPost}
        >
          {isPosting ? 'Posting…' : `Post to ${name}`}
        </Button>
        {cost !== null && (
          <Text as="span" tone="quiet">
            {cost}
          </Text>
        )}
        {why !== null && (
          <Text as="span" tone="quiet" id={whyId}>
            {why}
          </Text>
        )}
      </Row>
      {sent && result && (
        <OutcomeNote post={sent} result={result} profile={profile} onNews={onNews} />
      )}
    </Panel>
  )
}

/** How long a text is by X's weighting, of how much. */
function Counter({
  network,
  text,
  limit,
}: {
  readonly network: SocialNetwork
  readonly text: string
  readonly limit: number
}) {
  const { weight, isLong } = measurePost(text)
  return (
    <Row
      as="p"
      justify="between"
      whole
      className={css.counter}
      data-over={weight > limit || undefined}
    >
      <span>
        {showCount(weight)} / {showCount(limit)}
      </span>
      {network === 'x' && isLong && (
        <span title="X takes it from accounts with a subscription">
          <Tag tone="wait">Long tweet</Tag>
        </span>
      )}
    </Row>
  )
}

const TONES = { unknown: undefined, connected: 'good', error: 'bad' } as const
const SIGNS: Readonly<Record<Connection, string>> = { unknown: '◌', connected: '●', error: '✕' }
