import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'

/** Longer than any post can be; the server refuses more. */
const MOST_TEXT = 25_000

/** The field that was asked for; called once, when it appears. */
const focus = (field: HTMLTextAreaElement | null): void => field?.focus()

/** Takes the text of a post whose sources are away. */
export function PasteText({
  name,
  isBusy,
  onPaste,
}: {
  /** Of the item: #12. */
  readonly name: string
  readonly isBusy: boolean
  readonly onPaste: (text: string) => void
}) {
  const [text, setText] = useState<string | null>(null)
  const [fault, setFault] = useState<string>()
  if (text === null) {
    return (
      <Button size="small" aria-label={`Paste the text of ${name}`} onClick={() => setText('')}>
        Paste the text
      </Button>
    )
  }
  return (
    <Stack
      as="form"
      noValidate
      aria-label={`Text of ${name}`}
      onSubmit={(event) => {
        event.preventDefault()
        setFault(text.trim() === '' ? 'Please paste the text of the post.' : undefined)
        if (text.trim() !== '' && !isBusy) onPaste(text)
      }}
    >
      <Field label="Text of the post" fault={fault}>
        {(control) => (
          <textarea
            {...control}
            ref={focus}
            rows={4}
            maxLength={MOST_TEXT}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Row gap={3}>
        <Button look="primary" type="submit" aria-disabled={isBusy}>
          {isBusy ? 'Reading...' : 'Read this text'}
        </Button>
        <Button look="quiet" onClick={() => setText(null)}>
          Cancel
        </Button>
      </Row>
    </Stack>
  )
}
