import {
  LONGEST_PUBLIC_TEXT,
  PUBLIC_TEXT_HEADINGS,
  type PublicTextKind,
} from '#domain/claim/public-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import page from '#web/ui/admin-page.module.css'
import { Segment, Segments } from '#web/ui/segments.tsx'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { SubmitterNotes } from './submitter-notes.tsx'

type Written = { readonly quote: string; readonly quoteKind: PublicTextKind }

/** The text that is published with it: typed here, or taken over from the notes, never by itself. */
export function PublicTextInputs({
  notes,
  quote,
  quoteKind,
  fault,
  onChange,
}: Written & {
  readonly notes: string
  readonly fault: string | undefined
  readonly onChange: (changed: Partial<Written>) => void
}) {
  return (
    <Stack gap={2} className={page.whole}>
      <Field label="Public text" optional fault={fault}>
        {(control) => (
          <textarea
            {...control}
            name="quote"
            rows={2}
            maxLength={LONGEST_PUBLIC_TEXT.summary}
            value={quote}
            onChange={(event) => onChange({ quote: event.target.value })}
          />
        )}
      </Field>
      <Row>
        <Segments label="Headed">
          {(['summary', 'said'] as const).map((kind) => (
            <Segment
              key={kind}
              pressed={quoteKind === kind}
              onPress={() => onChange({ quoteKind: kind })}
            >
              {PUBLIC_TEXT_HEADINGS[kind]}
            </Segment>
          ))}
        </Segments>
        {notes !== '' && quote !== notes && (
          <Button onClick={() => onChange({ quote: notes })}>Use the submitter’s words</Button>
        )}
      </Row>
      {notes !== '' && (
        <div>
          <Text tone="quiet" size="small">
            Notes of the submitter, not published
          </Text>
          <SubmitterNotes notes={notes} />
        </div>
      )}
    </Stack>
  )
}
