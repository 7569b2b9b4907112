import { useEffect, useRef, useState, type FormEvent } from 'react'
import { postUrlFault } from '#domain/posts/post-url.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { type ReadAsk } from './calls.ts'
import css from './read-form.module.css'
import { Row, Stack } from '#web/ui/stack.tsx'

/** Longer than any post can be; the server refuses more. */
const MOST_TEXT = 25_000

/** Asks for the link of a post, or for its text where no link can be read. */
export function ReadForm({
  isNext,
  isReading,
  pasting,
  onPasting,
  onRead,
  onStop,
}: {
  /** One post is done: the next link can be typed at once. */
  readonly isNext: boolean
  readonly isReading: boolean
  /** Whether the fields for pasted text are open. */
  readonly pasting: boolean
  readonly onPasting: (open: boolean) => void
  readonly onRead: (ask: ReadAsk) => void
  readonly onStop: () => void
}) {
  const [url, setUrl] = useState('')
  const [text, setText] = useState('')
  const [author, setAuthor] = useState('')
  const [posted, setPosted] = useState('')
  const [fault, setFault] = useState<{ url?: string; text?: string }>({})
  const link = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // Only where the focus has gone away with the form that was submitted.
    if (isNext && document.activeElement === document.body) link.current?.focus()
  }, [isNext])

  function read(event: FormEvent): void {
    event.preventDefault()
    const isPasted = pasting && text.trim() !== ''
    const urlFault = isPasted && url.trim() === '' ? null : postUrlFault(url)
    const found = {
      ...(pasting && !isPasted ? { text: 'Please paste the text of the post.' } : {}),
      ...(urlFault !== null && !(pasting && !isPasted) ? { url: urlFault } : {}),
    }
    setFault(found)
    if (Object.keys(found).length > 0) return
    const address = url.trim() === '' ? {} : { url: url.trim() }
    onRead(
      isPasted
        ? {
            ...address,
            text,
            ...(author.trim() === '' ? {} : { author: author.trim() }),
            ...(posted === '' ? {} : { posted }),
          }
        : address,
    )
  }

  return (
    <Stack as="form" noValidate aria-label="Tweet to read" onSubmit={read}>
      <div className={css.line}>
        <Field label="Tweet URL" fault={fault.url}>
          {(control) => (
            <input
              {...control}
              ref={link}
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://x.com/name/status/..."
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <Row whole className={css.buttons}>
          {isReading ? (
            <Button onClick={onStop}>Stop</Button>
          ) : (
            <Button look="primary" type="submit">
              Extract
            </Button>
          )}
          <Button
            look="quiet"
            aria-expanded={pasting}
            onClick={() => {
              setFault({})
              onPasting(!pasting)
            }}
          >
            Paste the text
          </Button>
        </Row>
      </div>
      {pasting && (
        <div className={css.pasted}>
          <Field label="Text of the post" fault={fault.text}>
            {(control) => (
              <textarea
                {...control}
                rows={5}
                maxLength={MOST_TEXT}
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
          <Stack>
            <Field label="Author" optional>
              {(control) => (
                <input
                  {...control}
                  autoComplete="off"
                  maxLength={200}
                  placeholder="Name or @handle"
                  value={author}
                  onChange={(event) => setAuthor(event.target.value)}
                />
              )}
            </Field>
            <DateField
              label="Day it was posted"
              optional
              hint="Needed to read words such as “by year end”."
              value={posted}
              onChange={setPosted}
            />
          </Stack>
        </div>
      )}
    </Stack>
  )
}
