import { useEffect, useRef, useState } from 'react'
import { type z } from 'zod'
import {
  extractionAccuracy,
  MOST_AUTHOR,
  MOST_TEXT,
  type ExtractionRequest,
} from '#contracts/posts.ts'
import { postUrlFault } from '#domain/posts/post-url.ts'
import { counted } from '#domain/price-text.ts'
import { FormInput, type FormField } from '#web/admin/kit/admin-form.tsx'
import { AdminTable, column } from '#web/admin/kit/admin-table.tsx'
import { Load } from '#web/admin/kit/list.tsx'
import { AdminPage, Section } from '#web/admin/kit/screen.tsx'
import { CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/notice.tsx'
import { Row, Stack, Callout, Text, sends, Tiles } from '#web/ui/primitives.tsx'
import { FIELD_NAMES } from './analysis.tsx'
import {
  ExtractionView,
  UnsentChanges,
  isOf,
  ReadingState,
  useReading,
} from './extraction-view.tsx'
import kit from '#web/admin/kit/kit.module.css'
import css from './extract.module.css'

export function ExtractPage() {
  return (
    <AdminPage width="full">
      <Extractor />
    </AdminPage>
  )
}

export function Extractor() {
  const reading = useReading()
  const { extraction, isReading, failed } = reading
  const [notice, setMessage] = useState<string | null>(null)
  const [cleared, setCleared] = useState(0)
  const [isEdited, setIsEdited] = useState(false)
  /** Another post requested while the decision has unsent edits. */
  const [next, setNext] = useState<ExtractionRequest | null>(null)

  function read(ask: ExtractionRequest, isSure = false): void {
    const isLosing = extraction !== null && isEdited && !isOf(extraction, ask) && !isSure
    setNext(isLosing ? ask : null)
    if (isLosing) return
    setMessage(null)
    void reading.read(ask)
  }

  return (
    <Stack gap={4} size="small">
      <ReadForm
        // Clear the link together with its decision.
        key={cleared}
        isNext={cleared > 0}
        isReading={isReading}
        isAway={failed?.error instanceof CallError && failed.error.code === 'unavailable'}
        onRead={read}
        onStop={reading.stop}
      />
      {next && (
        <UnsentChanges
          go="Read the other post"
          onGo={() => read(next, true)}
          onStay={() => setNext(null)}
        />
      )}
      {notice !== null && (
        <Callout tone="good" strong role="status">
          {notice}
        </Callout>
      )}
      {notice === null && !extraction && !isReading && !failed && (
        <Text tone="quiet">
          Paste the link to a post. The site extracts its predictions; you decide what is submitted.
        </Text>
      )}
      {isReading && !extraction && (
        <Row gap={4} className={css.columns}>
          <Skeleton shape="chart" label="Reading the post..." />
          <Skeleton shape="chart" label="" />
          <Skeleton shape="chart" label="" />
        </Row>
      )}
      <ReadingState reading={reading} />
      {extraction && (
        <ExtractionView
          key={reading.posts}
          extraction={extraction}
          onRead={read}
          onEdited={setIsEdited}
          onCleared={(message) => {
            reading.clear()
            setMessage(message)
            setNext(null)
            setCleared(cleared + 1)
          }}
        />
      )}
      <Section title="Accuracy over time">
        <Load route={extractionAccuracy} what="accuracy">
          {(accuracy) => <Shares {...accuracy} />}
        </Load>
      </Section>
    </Stack>
  )
}

const FIELDS = {
  url: { label: 'Tweet URL', is: 'url', placeholder: 'https://x.com/name/status/...' },
  text: { label: 'Text of the post', rows: 5, maxLength: MOST_TEXT },
  author: {
    label: 'Author',
    optional: true,
    maxLength: MOST_AUTHOR,
    placeholder: 'Name or @handle',
  },
  posted: {
    label: 'Day it was posted',
    optional: true,
    is: 'day',
    hint: 'Needed to read words such as “by year end”.',
  },
} as const satisfies Readonly<Record<string, FormField>>
const EMPTY = { url: '', text: '', author: '', posted: '' }

function ReadForm({
  isNext,
  isReading,
  isAway,
  onRead,
  onStop,
}: {
  /** The previous post is done: focus the field for the next link. */
  readonly isNext: boolean
  readonly isReading: boolean
  /** No source could be reached, so offer to paste the text. */
  readonly isAway: boolean
  readonly onRead: (ask: ExtractionRequest) => void
  readonly onStop: () => void
}) {
  const [values, setValues] = useState(EMPTY)
  const [faults, setFaults] = useState<Partial<typeof EMPTY>>({})
  const [isPasting, setPasting] = useState(false)
  const [wasAway, setWasAway] = useState(false)
  if (isAway !== wasAway) {
    setWasAway(isAway)
    setPasting(isPasting || isAway)
  }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // Only if the submitted form had the focus.
    if (isNext && document.activeElement === document.body) {
      form.current?.querySelector('input')?.focus()
    }
  }, [isNext])

  function read(): void {
    const { url, text, ...about } = values
    const isPasted = isPasting && text.trim() !== ''
    const urlFault = isPasted && url.trim() === '' ? null : postUrlFault(url)
    const found =
      isPasting && !isPasted
        ? { text: 'Please paste the text of the post.' }
        : urlFault !== null
          ? { url: urlFault }
          : {}
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const request = { url, ...(isPasted ? { text, ...about } : {}) }
    const filled = Object.entries(request).filter(([, one]) => one.trim() !== '')
    onRead(
      Object.fromEntries(filled.map(([name, one]) => [name, name === 'text' ? one : one.trim()])),
    )
  }

  const input = (name: keyof typeof EMPTY) => (
    <FormInput
      name={name}
      field={FIELDS[name]}
      value={values[name]}
      fault={faults[name]}
      onChange={(value) => setValues({ ...values, [name]: String(value) })}
    />
  )
  return (
    <Stack as="form" ref={form} aria-label="Tweet to read" {...sends(() => read())}>
      <Row gap={3} align="start" className={kit.entry}>
        {input('url')}
        <Row whole fill>
          {isReading ? (
            <Button onClick={onStop}>Stop</Button>
          ) : (
            <Button look="primary" type="submit">
              Extract
            </Button>
          )}
          <Button
            look="quiet"
            aria-expanded={isPasting}
            onClick={() => {
              setFaults({})
              setPasting(!isPasting)
            }}
          >
            Paste the text
          </Button>
        </Row>
      </Row>
      {isPasting && (
        <Tiles gap={4} least="half">
          {input('text')}
          <Stack>
            {input('author')}
            {input('posted')}
          </Stack>
        </Tiles>
      )}
    </Stack>
  )
}

const METHODS: Readonly<Record<string, string>> = {
  grok_ai: 'Model',
  text_parsing: 'Text parsing',
}
const MOST_MONTHS = 6

type Accuracy = z.infer<(typeof extractionAccuracy)['reply']>

function Shares({ decisions, total, fields, methods, months }: Accuracy) {
  if (decisions === 0) return <Text tone="quiet">No decisions yet.</Text>
  const names = [...new Set(months.map(({ month }) => month))].toSorted().toReversed()
  /** Aggregated over all methods. */
  const shareOf = (field: string, month: string): string => {
    const rows = months.filter((row) => row.field === field && row.month === month)
    const sum = (of: 'kept' | 'decided') => rows.reduce((total, row) => total + row[of], 0)
    return rows.length === 0 ? '–' : percent(sum('kept') / Math.max(1, sum('decided')))
  }
  const byMethod = methods.map(
    (one) => `${METHODS[one.method] ?? one.method} ${percent(one.share)}`,
  )
  return (
    <>
      <p>
        {percent(total.share)} of the drafted fields were left as they were, in{' '}
        {counted(decisions, 'decision')}
        {methods.length > 1 && ` (${byMethod.join(', ')})`}.
      </p>
      <AdminTable<Accuracy['fields'][number]>
        label="Accuracy"
        rows={fields}
        idOf={({ field }) => field}
        columns={[
          column.title('Field', ({ field }) => FIELD_NAMES[field] ?? field),
          column.short('Left as drafted', ({ share, kept: unchanged, decided }) => (
            <span title={`${String(unchanged)} of ${String(decided)}`}>
              {percent(share)}
              <progress value={share} aria-hidden="true" />
            </span>
          )),
          ...names
            .slice(0, MOST_MONTHS)
            .map((month) =>
              column.number(month, ({ field }: { readonly field: string }) =>
                shareOf(field, month),
              ),
            ),
        ]}
      />
    </>
  )
}

function percent(share: number): string {
  return `${String(Math.round(share * 100))}%`
}
