import { useId, type ReactNode, type Ref } from 'react'
import { type SocialPost } from '#contracts/social.ts'
import { isBlank, measurePost } from '#domain/post-length.ts'
import { type SocialNetwork } from '#domain/social-post.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { showCount } from '#domain/price-text.ts'
import { type Connection } from './composition.ts'
import css from './network-panel.module.css'
import { OutcomeNote } from './outcome-note.tsx'
import { networkName } from './outcomes.ts'

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
    <section ref={ref} tabIndex={-1} className={css.panel} aria-labelledby={titleId}>
      <header className={css.head}>
        <h2 className={css.title} id={titleId}>
          {name}
        </h2>
        <span className={css.status} data-state={connection} role="status">
          <span aria-hidden="true">{SIGNS[connection]}</span> {connection}
        </span>
      </header>
      <div className={css.facts}>{facts}</div>
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
        <ul className={css.warnings}>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <div className={css.send}>
        <Button
          look="primary"
          disabled={obstacle !== null}
          aria-describedby={why === null ? undefined : whyId}
          onClick={onPost}
        >
          {isPosting ? 'Posting…' : `Post to ${name}`}
        </Button>
        {cost !== null && <span className={css.quiet}>{cost}</span>}
        {why !== null && (
          <span className={css.why} id={whyId}>
            {why}
          </span>
        )}
      </div>
      {sent && result && (
        <OutcomeNote post={sent} result={result} profile={profile} onNews={onNews} />
      )}
    </section>
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
    <p className={css.counter} data-over={weight > limit || undefined}>
      <span>
        {showCount(weight)} / {showCount(limit)}
      </span>
      {network === 'x' && isLong && (
        <span className={css.long} title="X takes it from accounts with a subscription">
          Long tweet
        </span>
      )}
    </p>
  )
}

const SIGNS: Readonly<Record<Connection, string>> = { unknown: '◌', connected: '●', error: '✕' }
