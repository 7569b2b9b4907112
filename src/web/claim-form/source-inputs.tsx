import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { type SourceRow } from '#contracts/predictions.ts'
import { LONGEST_SOURCE, SOURCE_MESSAGES } from '#domain/claim/source-input.ts'
import {
  MOST_SOURCES,
  showSourceDate,
  SOURCE_KIND_NAMES,
  SOURCE_KINDS,
} from '#domain/claim/source.ts'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice, TextField, Tick } from '#web/ui/field.tsx'
import { Panel, Row, Stack, Text, Tiles, Note } from '#web/ui/primitives.tsx'

const SourceValue = z.object({
  /** Null: derived from the address if certain. */
  kind: z.enum(SOURCE_KINDS).nullable(),
  url: z.string(),
  date: z.string(),
  archived_url: z.string(),
  archive_checked: z.boolean(),
  quotation: z.string(),
  speaker: z.string(),
})
type SourceValue = z.infer<typeof SourceValue>
export const SourceValues = z.array(SourceValue)
export type SourceValues = z.infer<typeof SourceValues>

const NEW_SOURCE: SourceValue = {
  kind: null,
  url: '',
  date: '',
  archived_url: '',
  archive_checked: false,
  quotation: '',
  speaker: '',
}

/** Form values of stored sources; a stored archive copy needs no new check until its address changes. */
export function sourceValues(rows: readonly SourceRow[]): SourceValues {
  return rows.map(({ kind, url, date, archived_url, quotation, speaker }) => ({
    kind,
    url,
    date: date === null ? '' : showSourceDate(date),
    archived_url: archived_url ?? '',
    archive_checked: false,
    quotation: quotation ?? '',
    speaker: speaker ?? '',
  }))
}

const KINDS = [
  [null, 'Read from its address'] as const,
  ...SOURCE_KINDS.map((kind) => [kind, SOURCE_KIND_NAMES[kind]] as const),
]

/** The sources of a prediction. The server sorts them by quality, so their order does not matter here. */
export function SourceInputs({
  sources,
  faults,
  onChange,
}: {
  readonly sources: SourceValues
  /** By path: `sources.1.date`. */
  readonly faults: Readonly<Record<string, string>>
  readonly onChange: (sources: SourceValues) => void
}) {
  const element = useRef<HTMLFieldSetElement>(null)
  const [focus, setFocus] = useState<{ readonly place: number } | null>(null)
  useEffect(() => {
    // After rendering, focus the added source, the one after a removed source, or the add button.
    if (focus === null) return
    const inputs = element.current?.querySelectorAll<HTMLElement>('input[name$=".url"]')
    const next = inputs?.[Math.min(focus.place, inputs.length - 1)]
    ;(next ?? element.current?.querySelector<HTMLElement>('[data-add]'))?.focus()
  }, [focus])

  return (
    <Stack as="fieldset" gap={4} ref={element} className="whole">
      <Text as="legend" strong>
        Sources
      </Text>
      {sources.map((source, i) => (
        <OneSource
          // Unsaved sources have no other identity.
          key={i}
          number={i + 1}
          source={source}
          faultOf={(field) => faults[`sources.${String(i)}.${field}`]}
          onChange={(part) =>
            onChange(sources.map((one, j) => (j === i ? { ...one, ...part } : one)))
          }
          onRemove={() => {
            onChange(sources.filter((_, j) => j !== i))
            setFocus({ place: i })
          }}
        />
      ))}
      <Row>
        <Button
          data-add
          disabled={sources.length >= MOST_SOURCES}
          onClick={() => {
            onChange([...sources, NEW_SOURCE])
            setFocus({ place: sources.length })
          }}
        >
          Add a source
        </Button>
        <Note>
          {sources.length >= MOST_SOURCES
            ? SOURCE_MESSAGES.most
            : 'The best one comes first: own words, then filings, interviews, reports, reposts.'}
        </Note>
      </Row>
    </Stack>
  )
}

function OneSource({
  number,
  source,
  faultOf,
  onChange,
  onRemove,
}: {
  readonly number: number
  readonly source: SourceValue
  readonly faultOf: (field: keyof SourceValue) => string | undefined
  readonly onChange: (part: Partial<SourceValue>) => void
  readonly onRemove: () => void
}) {
  const [refused, setRefused] = useState<string | null>(null)
  const name = (field: keyof SourceValue): string => `sources.${String(number - 1)}.${field}`
  const text = (field: Exclude<keyof SourceValue, 'kind' | 'archive_checked'>) => ({
    name: name(field),
    value: source[field],
    fault: refused === field ? SOURCE_MESSAGES.secretKey : faultOf(field),
    // Input is stored in this tab, so a secret key must not get into the form.
    onChange: (value: string) => {
      setRefused(holdsSecretKey(value) ? field : null)
      // A changed address must be checked again.
      const unchecked = field.endsWith('url') ? { archive_checked: false } : {}
      if (!holdsSecretKey(value)) onChange({ [field]: value, ...unchecked })
    },
  })
  const archiveFault = faultOf('archived_url')
  const asksToCheck = archiveFault === SOURCE_MESSAGES.unknownArchive || source.archive_checked
  return (
    <Panel as="fieldset" aria-label={`Source ${String(number)}`}>
      <Tiles>
        <div className="whole">
          <TextField label={`Address of source ${String(number)}`} type="url" {...text('url')} />
        </div>
        <Choice
          label="Kind"
          name={name('kind')}
          fault={faultOf('kind')}
          value={source.kind}
          options={KINDS}
          onChange={(kind) => onChange({ kind })}
        />
        <TextField
          label="Published on"
          hint="08/08/2024, 08/2024 or 2024"
          optional
          {...text('date')}
        />
        <div className="whole">
          <TextField label="Archived copy" type="url" optional {...text('archived_url')} />
          {asksToCheck && source.archived_url !== '' && (
            <Tick
              label="I have opened the copy: it shows the same page"
              checked={source.archive_checked}
              onChange={(isChecked) => onChange({ archive_checked: isChecked })}
            />
          )}
        </div>
        <div className="whole">
          <TextField
            label="Quotation"
            rows={2}
            optional
            maxLength={LONGEST_SOURCE.quotation}
            {...text('quotation')}
          />
        </div>
        <TextField
          label="Who said these words"
          optional
          maxLength={LONGEST_SOURCE.speaker}
          {...text('speaker')}
        />
      </Tiles>
      <Row justify="end">
        <Button aria-label={`Remove source ${String(number)}`} onClick={onRemove}>
          Remove
        </Button>
      </Row>
    </Panel>
  )
}
