import { useState, type ReactNode } from 'react'
import {
  type ExtractionReading,
  type ExtractionSpans,
  type TweetExtraction,
} from '#contracts/posts.ts'
import { ASSETS } from '#domain/asset.ts'
import { TIMING_NAMES } from '#domain/claim/claim-input.ts'
import { LEVEL_FIELDS, levelFields, type LevelField } from '#domain/claim/fields.ts'
import { labelOf } from '#domain/claim/text.ts'
import { showUsd, sentenceCase } from '#domain/price-text.ts'
import { addressOfDashboard } from '#web/admin/addresses.ts'
import { AdminTable, column } from '#web/admin/kit/admin-table.tsx'
import { Section } from '#web/admin/kit/screen.tsx'
import { Tag } from '#web/ui/chip.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Row, Stack, Callout, Text, Quiet } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
import css from './extract.module.css'

type SpanField = keyof ExtractionSpans

/** In display order, which is also their numbering. */
const SPAN_NAMES: Readonly<Record<SpanField, string>> = {
  asset_type: 'Asset',
  prediction_type: 'Type',
  price_target: 'Price target',
  price_min: 'Price minimum',
  price_max: 'Price maximum',
  target_time: 'Target date',
  prediction_start_date: 'Start date',
  timing: 'Must be true',
  direction: 'Direction',
}
const SPAN_FIELDS = Object.keys(SPAN_NAMES) as SpanField[]
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  ...SPAN_NAMES,
  expert_name: 'Expert',
  twitter_handle: 'Twitter handle',
  price_prediction: 'Price',
  prediction_made: 'Made on',
  source_url: 'Source',
}

export function Analysis({ extraction }: { readonly extraction: TweetExtraction }) {
  const [active, setActive] = useState<SpanField | null>(null)
  const { readings, spans, duplicates, submitted_before: before } = extraction
  const numbers = new Map(
    SPAN_FIELDS.filter((field) => spans[field]).map((field, index) => [field, index + 1]),
  )
  const { accuracy_reasoning: reasoning, no_prediction_reason: why } = extraction
  const model = extraction.extraction_method === 'grok_ai' && readings.assistant?.model
  const reader = extraction.grok_used ? 'Grok' : model || 'Text parsing'
  return (
    <Section title="AI Analysis" framed>
      <Row as="p" gap={3}>
        <Tag>{reader}</Tag>
        <Tag>{extraction.confidence_level} confidence</Tag>
        <Tag>{extraction.data_completeness}</Tag>
        {extraction.verification_status !== 'unverified' && (
          <Tag>{extraction.verification_status}</Tag>
        )}
      </Row>
      {extraction.assistant_error && (
        <Callout tone="wait" role="status">
          The model did not help: {extraction.assistant_error}
        </Callout>
      )}
      {!extraction.has_prediction && (
        <Callout tone="quiet" role="status">
          <strong>No testable prediction here.</strong> {why}
        </Callout>
      )}
      <Text
        size="base"
        className={`${css.words} as-written`}
        dir="auto"
        aria-label="The post with the words that were read"
      >
        {segmentsOf(extraction.tweet_text, spans).map(({ text, fields, ends }, index) =>
          fields[0] === undefined ? (
            text
          ) : (
            <mark
              key={index}
              data-field={fields[0]}
              data-active={active !== null && fields.includes(active)}
              title={fields.map((field) => SPAN_NAMES[field]).join(', ')}
            >
              {text}
              {ends.length > 0 && (
                <sup aria-hidden="true">{ends.map((field) => numbers.get(field)).join(' ')}</sup>
              )}
            </mark>
          ),
        )}
      </Text>
      {extraction.has_prediction && (
        <ul aria-label="Fields and their words">
          {SPAN_FIELDS.filter((field) => isInText(extraction, field)).map((field) => (
            <li
              key={field}
              className={`${css.field} ruled-top`}
              onPointerEnter={() => setActive(field)}
              onPointerLeave={() => setActive(null)}
            >
              <span className={`${css.number} at-center`} data-field={field} aria-hidden="true">
                {numbers.get(field) ?? '–'}
              </span>
              <Quiet>{SPAN_NAMES[field]}</Quiet>
              <strong>{valueOf(extraction, field) ?? 'not stated'}</strong>
              {spans[field] && <q className="muted">{spans[field].text}</q>}
            </li>
          ))}
        </ul>
      )}
      {reasoning && reasoning !== why && <p>{reasoning}</p>}
      <Note title="Hard to read">{extraction.interpretation_challenges}</Note>
      <Note title="Already published">
        {duplicates.length > 0 &&
          duplicates.map((one) => (
            <a key={one.id} href={`/predictions/${one.id}`}>
              {one.expert_name}: {one.price_prediction} by {showDate(one.target_time)}
              {one.same_post && ' (from this post)'}
            </a>
          ))}
      </Note>
      <Note title="Submitted before">
        {before.length > 0 &&
          before.map(({ id, status }) => (
            <a
              key={id}
              href={`${addressOfDashboard(extraction.asset_type ?? 'btc')}?tab=all&open=${id}`}
            >
              {id} ({status})
            </a>
          ))}
      </Note>
      {readings.assistant && <BothReadings {...readings} assistant={readings.assistant} />}
      <Text tone="quiet">{spentText(extraction)}</Text>
    </Section>
  )
}

function Note({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  if (!children) return null
  return (
    <Callout as="div" tone="quiet" gap={1}>
      <strong>{title}</strong>
      <Stack gap={1}>{children}</Stack>
    </Callout>
  )
}

/** Splits the text wherever a span begins or ends, because spans may overlap. */
export function segmentsOf(text: string, spans: ExtractionSpans) {
  const found = SPAN_FIELDS.flatMap((field) => {
    const { start, end } = spans[field] ?? { start: 0, end: 0 }
    return start >= 0 && end > start && end <= text.length ? [{ field, start, end }] : []
  })
  const cuts = new Set([0, text.length, ...found.flatMap(({ start, end }) => [start, end])])
  const places = [...cuts].toSorted((a, b) => a - b)
  return places.slice(0, -1).map((from, index) => {
    const to = places[index + 1] ?? text.length
    const here = found.filter(({ start, end }) => start <= from && end >= to)
    return {
      text: text.slice(from, to),
      fields: here.map(({ field }) => field),
      /** The fields whose span ends with this segment. */
      ends: here.filter(({ end }) => end === to).map(({ field }) => field),
    }
  })
}

type Read = { readonly name: string } & Readonly<Record<'theirs' | 'ours', string | null>>

/** Shows parser and model side by side, which explains the confidence. */
function BothReadings({
  text_parsing: parser,
  assistant,
}: Pick<TweetExtraction['readings'], 'text_parsing'> & {
  readonly assistant: NonNullable<TweetExtraction['readings']['assistant']>
}) {
  const found = assistant.has_prediction ? (assistant.refuted === null ? 'yes' : 'refuted') : 'no'
  const rows: readonly Read[] = SPAN_FIELDS.map((field) => ({
    name: SPAN_NAMES[field],
    theirs: valueOf(assistant, field),
    ours: valueOf(parser, field),
  })).filter(({ theirs, ours }) => theirs !== null || ours !== null)
  const value = (of: 'theirs' | 'ours') => (row: Read) => (
    <Text as="span" tone={row.theirs === row.ours ? undefined : 'wait'}>
      {row[of] ?? 'not stated'}
    </Text>
  )
  return (
    <Fold title="Both readings">
      <AdminTable<Read>
        label="Both readings"
        rows={[
          { name: 'Prediction', theirs: found, ours: parser.has_prediction ? 'yes' : 'no' },
          ...rows,
        ]}
        idOf={({ name }) => name}
        columns={[
          column.title('Field', ({ name }) => name),
          column.text('Model', value('theirs')),
          column.text('Text parser', value('ours')),
        ]}
      />
      <ul className="bullets">
        {[...assistant.notes, ...parser.notes].map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Fold>
  )
}

/** Hides levels that the type does not use; missing values that matter are shown as not stated. */
function isInText(extraction: TweetExtraction, field: SpanField): boolean {
  // For a minimum, calls carry the same level in both fields.
  const { prediction_type: type } = extraction
  if (isLevel(field) && type !== null && !levelFields(type).includes(field)) return false
  return valueOf(extraction, field) !== null || field === 'asset_type' || field === 'target_time'
}

function isLevel(field: SpanField): field is LevelField {
  return LEVEL_FIELDS.some((one) => one === field)
}

function valueOf(reading: Pick<ExtractionReading, SpanField>, field: SpanField): string | null {
  if (isLevel(field)) return reading[field] === null ? null : showUsd(reading[field])
  const value = reading[field]
  if (value === null) return null
  const { asset_type: asset, prediction_type: type, timing } = reading
  if (field === 'asset_type') return asset && ASSETS[asset].symbol
  if (field === 'prediction_type') return type && labelOf(type)
  if (field === 'timing') return timing && TIMING_NAMES[timing]
  return field === 'direction' ? sentenceCase(value) : showDate(value)
}

function spentText(extraction: TweetExtraction): string {
  const { model, cost_usd: cost, duration_ms: ms, extraction_method: method } = extraction
  const seconds = `${(ms / 1_000).toFixed(1)} s`
  if (model === null) return `Read in ${seconds}.`
  const usd = cost === null ? '' : `, about $${cost.toFixed(4)}`
  if (method === 'grok_ai') return `Read by ${model} in ${seconds}${usd}.`
  const did = extraction.readings.assistant === null ? 'gave no result' : 'was asked as well'
  return `Read by rules in ${seconds}. ${model} ${did}${usd}.`
}
