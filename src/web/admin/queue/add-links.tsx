import { useState, type FormEvent } from 'react'
import { MOST_LINKS } from '#domain/posts/post-queue.ts'
import { postUrlFault } from '#domain/posts/post-url.ts'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Tick } from '#web/ui/tick.tsx'
import { addLinks, type Added } from './calls.ts'
import css from './queue-view.module.css'
import { countWord, shortUrl } from './queue-texts.ts'
import { Row, Stack } from '#web/ui/stack.tsx'

/** Takes many links at once and says what became of each. */
export function AddLinks({ onAdded }: { readonly onAdded: () => void }) {
  const [text, setText] = useState('')
  const [process, setProcess] = useState(true)
  const [isSending, setSending] = useState(false)
  const [fault, setFault] = useState<string>()
  const [added, setAdded] = useState<Added | null>(null)

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault()
    const words = text.trim().split(/\s+/)
    // One wrong link among many is reported with the others; one alone is a mistake to be corrected.
    const alone = words.length === 1 ? postUrlFault(words[0] ?? '') : null
    setFault(alone ?? undefined)
    setAdded(null)
    if (alone !== null) return
    setSending(true)
    try {
      const answer = await addLinks(text, process)
      setAdded(answer)
      setText(answer.refused.map((one) => one.url).join('\n'))
      onAdded()
    } catch (error) {
      setFault(sentenceOf(error))
    } finally {
      setSending(false)
    }
  }

  return (
    <Stack
      as="form"
      size="small"

      noValidate
      aria-label="Add links"
      onSubmit={(event) => void add(event)}
    >
      <Field
        label="Links of posts"
        hint={`Up to ${String(MOST_LINKS)} at once, one a line or anywhere in a text.`}
        fault={fault}
      >
        {(control) => (
          <textarea
            {...control}
            rows={3}
            spellCheck={false}
            placeholder="https://x.com/name/status/..."
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setFault(undefined)
            }}
          />
        )}
      </Field>
      <Row gap={4}>
        <Button look="primary" type="submit" disabled={isSending}>
          {isSending ? 'Adding...' : 'Add to the queue'}
        </Button>
        <Tick label="Process them at once" checked={process} onChange={setProcess} />
      </Row>
      {added && <Outcome added={added} />}
    </Stack>
  )
}

function Outcome({ added: { added, duplicates, refused } }: { readonly added: Added }) {
  const fresh = new Set(added.map(({ id }) => id))
  const before = duplicates.filter(({ id }) => !fresh.has(id))
  const twice = duplicates.length - before.length
  return (
    <Stack gap={1} role="status">
      <p>
        {countWord(added.length, 'link')} added
        {twice > 0 && `, ${String(twice)} named twice`}
        {before.length > 0 &&
          `, ${String(before.length)} already in the queue (${numbersOf(before)})`}
        {refused.length > 0 && `, ${String(refused.length)} not taken`}.
      </p>
      {refused.length > 0 && (
        <Stack as="ul" gap={1} className={css.refused}>
          {refused.map(({ url, reason }) => (
            <li key={url}>
              <code title={url}>{shortUrl(url)}</code> {reason}
            </li>
          ))}
        </Stack>
      )}
    </Stack>
  )
}

/** Each item once, however often the text names it. */
function numbersOf(items: Added['duplicates']): string {
  return [...new Set(items.map((one) => `#${String(one.id)}`))].join(', ')
}
