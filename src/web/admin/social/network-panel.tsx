import { useId, type ReactNode, type Ref } from 'react'
import { type SocialPost } from '#contracts/publishing.ts'
import {
  BLUESKY_LIMIT,
  COMPOSER_LIMIT,
  graphemes,
  isBlank,
  measurePost,
} from '#domain/publishing/post-length.ts'
import { type SocialNetwork } from '#domain/publishing/social-post.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { showCount } from '#domain/price-text.ts'
import { obstacle, xCost, xWarnings, type Readiness } from './composition.ts'
import css from './network-panel.module.css'
import { OutcomeNote } from './outcome-note.tsx'
import { networkName } from './outcomes.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import { Tag } from '#web/ui/tag.tsx'
import { type Composer } from './use-composer.ts'
import { type Connection } from './use-networks.ts'

const PLACEHOLDERS = {
  x: 'What happened, who said it, and when',
  nostr: 'Left empty, a post to several says the same as on X',
  bluesky: 'Left empty, a post to several says the same as on X',
} as const

/** One network: its state, the text for it, the button, and what became of the last post. */
export function NetworkPanel({
  network,
  composer,
  readiness,
  facts,
  sent,
  profile,
  ref,
}: {
  readonly network: SocialNetwork
  readonly composer: Composer
  readonly readiness: Readiness
  /** Below its name: limits, the key, relays. */
  readonly facts: ReactNode
  /** The last post, whose outcome is shown here. */
  readonly sent: SocialPost | null
  readonly profile: string | null
  /** Takes the focus when what had it is gone. */
  readonly ref: Ref<HTMLElement>
}) {
  const titleId = useId()
  const whyId = useId()
  const { composition, work } = composer
  const name = networkName(network)
  const text = composition[network]
  const result = sent?.results.find((one) => one.network === network)
  const warnings = network === 'x' ? xWarnings(text) : []
  const fault = obstacle([network], composition, readiness)
  // That nothing is written yet needs no words until someone tries to post.
  const isSaid = isBlank(text) || work === network || (fault !== null && warnings.includes(fault))
  const why = isSaid ? null : fault
  const connection = readiness[network]
  const isPartly = network === 'nostr' && connection === 'connected' && readiness.isPartly
  return (
    <Panel as="section" ref={ref} tabIndex={-1} aria-labelledby={titleId}>
      <Row as="header" gap={3} justify="between" whole>
        <Text as="h2" size="lead" id={titleId}>
          {name}
        </Text>
        <span role="status">
          <Tag tone={isPartly ? 'wait' : TONES[connection]}>
            <span aria-hidden="true">{isPartly ? '◐' : SIGNS[connection]}</span> {connection}
          </Tag>
        </span>
      </Row>
      <Stack gap={1} className={css.facts}>
        {facts}
      </Stack>
      <Field label={`Post on ${name}`} fault={composer.faults[network]}>
        {(control) => (
          <textarea
            {...control}
            className={`${control.className ?? ''} ${css.text ?? ''}`}
            rows={6}
            placeholder={PLACEHOLDERS[network]}
            value={text}
            onChange={(event) => composer.change({ [network]: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              void composer.send([network], network, fault)
            }}
          />
        )}
      </Field>
      <Counter network={network} text={text} limit={LIMITS[network] ?? readiness.limit} />
      {warnings.length > 0 && (
        <Callout as="ul" tone="wait" gap={1}>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </Callout>
      )}
      <Row gap={3} fill>
        <Button
          look="primary"
          disabled={fault !== null}
          aria-describedby={why === null ? undefined : whyId}
          onClick={() => void composer.send([network], network)}
        >
          {work === network ? 'Posting…' : `Post to ${name}`}
        </Button>
        {network === 'x' && !isBlank(text) && (
          <Text as="span" tone="quiet">
            Costs {xCost(['x'], composition)}
          </Text>
        )}
        {why !== null && (
          <Text as="span" tone="quiet" id={whyId}>
            {why}
          </Text>
        )}
      </Row>
      {sent && result && (
        <OutcomeNote post={sent} result={result} profile={profile} onNews={composer.settle} />
      )}
    </Panel>
  )
}

/** Of the text; for X each screen has its own. */
const LIMITS = { x: null, nostr: COMPOSER_LIMIT, bluesky: BLUESKY_LIMIT } as const

/** How long a text is, of how much: by X's weighting, on Bluesky by what a reader sees as characters. */
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
  const length = network === 'bluesky' ? graphemes(text) : weight
  return (
    <Row
      as="p"
      justify="between"
      whole
      className={css.counter}
      data-over={length > limit || undefined}
    >
      <span>
        {showCount(length)} / {showCount(limit)}
      </span>
      {network === 'x' && isLong && (
        <span title="X takes it from accounts with a subscription">
          <Tag tone="wait">Long tweet</Tag>
        </span>
      )}
    </Row>
  )
}

const TONES = {
  unknown: undefined,
  connected: 'good',
  error: 'bad',
  'not set up': undefined,
} as const
const SIGNS: Readonly<Record<Connection, string>> = {
  unknown: '◌',
  connected: '●',
  error: '✕',
  'not set up': '○',
}
