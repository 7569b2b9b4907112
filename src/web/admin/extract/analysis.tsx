import { labelOf } from '#domain/claim/text.ts'
import { LEVEL_FIELDS, type LevelField, levelFields } from '#domain/claim/fields.ts'
import { useState, type ReactNode } from 'react'
import { type ExtractionReading, type TweetExtraction } from '#contracts/extraction.ts'
import { ASSETS } from '#domain/asset.ts'
import { WHEN } from '#domain/posts/post-reading-text.ts'
import { showUsd } from '#domain/price-text.ts'
import { sentenceCase } from '#domain/sentence-case.ts'
import { showDate } from '#web/ui/show-date.ts'
import css from './columns.module.css'
import { entriesOf, segmentsOf, SPAN_FIELDS, type SpanField } from './segments.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import { Tag } from '#web/ui/tag.tsx'
import { DenseTable } from '#web/ui/dense-table.tsx'
import { Fold } from '#web/ui/fold.tsx'

const NAMES: Readonly<Record<SpanField, string>> = {
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

/** What was read, each value beside the words it came from. */
export function Analysis({ extraction }: { readonly extraction: TweetExtraction }) {
  const [active, setActive] = useState<SpanField | null>(null)
  const { readings, spans } = extraction
  const numbers = new Map(entriesOf(spans).map(([field], index) => [field, index + 1]))
  return (
    <Panel as="section" aria-labelledby="analysis-title">
      <Text as="h2" size="lead" id="analysis-title">
        AI Analysis
      </Text>
      <Row as="p" gap={3}>
        <Tag>
          {extraction.grok_used
            ? 'Grok'
            : readings.assistant && extraction.extraction_method === 'grok_ai'
              ? readings.assistant.model
              : 'Text parsing'}
        </Tag>
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
        <p className={css.none} role="status">
          <strong>No testable prediction here.</strong> {extraction.no_prediction_reason}
        </p>
      )}
      <p className={css.words} dir="auto" aria-label="The post with the words that were read">
        {segmentsOf(extraction.tweet_text, spans).map(({ text, fields, ends }, index) =>
          fields.length === 0 ? (
            text
          ) : (
            <mark
              key={index}
              data-field={fields[0]}
              data-active={active !== null && fields.includes(active)}
              title={fields.map((field) => NAMES[field]).join(', ')}
            >
              {text}
              {ends.length > 0 && (
                <sup aria-hidden="true">
                  {ends.map((field) => numbers.get(field) ?? '').join(' ')}
                </sup>
              )}
            </mark>
          ),
        )}
      </p>
      {extraction.has_prediction && (
        <ul aria-label="Fields and their words">
          {SPAN_FIELDS.filter((field) => isShown(extraction, field)).map((field) => (
            <li
              key={field}
              className={css.field}
              onPointerEnter={() => setActive(field)}
              onPointerLeave={() => setActive(null)}
            >
              <span className={css.number} data-field={field} aria-hidden="true">
                {numbers.get(field) ?? '–'}
              </span>
              <Text as="span" tone="quiet">
                {NAMES[field]}
              </Text>
              <strong>{valueOf(extraction, field) ?? 'not stated'}</strong>
              {spans[field] && <q className={css.quote}>{spans[field].text}</q>}
            </li>
          ))}
        </ul>
      )}
      {extraction.accuracy_reasoning &&
        extraction.accuracy_reasoning !== extraction.no_prediction_reason && (
          <p>{extraction.accuracy_reasoning}</p>
        )}
      {extraction.interpretation_challenges && (
        <Note title="Hard to read">{extraction.interpretation_challenges}</Note>
      )}
      {extraction.duplicates.length > 0 && (
        <Note title="Already published">
          {extraction.duplicates.map((one) => (
            <a key={one.id} href={`/predictions/${one.id}`}>
              {one.expert_name}: {one.price_prediction} by {showDate(one.target_time)}
              {one.same_post && ' (from this post)'}
            </a>
          ))}
        </Note>
      )}
      {extraction.submitted_before.length > 0 && (
        <Note title="Submitted before">
          {extraction.submitted_before.map((one) => `${one.id} (${one.status})`).join(', ')}
        </Note>
      )}
      {readings.assistant && <BothReadings extraction={extraction} />}
      <Text tone="quiet">{spentText(extraction)}</Text>
    </Panel>
  )
}

/** Parser and model side by side, which explains the confidence. */
function BothReadings({ extraction }: { readonly extraction: TweetExtraction }) {
  const { text_parsing: parser, assistant } = extraction.readings
  if (!assistant) return null
  const notes = [...assistant.notes, ...parser.notes]
  return (
    <Fold title="Both readings">
      <DenseTable label="Both readings" columns={['Field', 'Model', 'Text parser']} isPlain>
        <tr>
          <th scope="row">Prediction</th>
          <td>
            {!assistant.has_prediction ? 'no' : assistant.refuted === null ? 'yes' : 'refuted'}
          </td>
          <td>{parser.has_prediction ? 'yes' : 'no'}</td>
        </tr>
        {SPAN_FIELDS.map((field) => {
          const [theirs, ours] = [valueOf(assistant, field), valueOf(parser, field)]
          if (theirs === null && ours === null) return null
          const tone = theirs === ours ? undefined : 'wait'
          return (
            <tr key={field}>
              <th scope="row">{NAMES[field]}</th>
              <td>
                <Text as="span" tone={tone}>
                  {theirs ?? 'not stated'}
                </Text>
              </td>
              <td>
                <Text as="span" tone={tone}>
                  {ours ?? 'not stated'}
                </Text>
              </td>
            </tr>
          )
        })}
      </DenseTable>
      {notes.length > 0 && (
        <Stack as="ul" gap={1} className={css.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </Stack>
      )}
    </Fold>
  )
}

function Note({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Callout as="div" tone="quiet" gap={1}>
      <strong>{title}</strong>
      <Stack gap={1}>{children}</Stack>
    </Callout>
  )
}

/** Levels that the type does not use are left out; what is missing and matters is shown as not stated. */
function isShown(extraction: TweetExtraction, field: SpanField): boolean {
  // Calls carry the one level of a minimum at both places.
  const { prediction_type: type } = extraction
  if (isLevel(field) && type !== null && !levelFields(type).includes(field)) return false
  return valueOf(extraction, field) !== null || field === 'asset_type' || field === 'target_time'
}

function isLevel(field: SpanField): field is LevelField {
  return LEVEL_FIELDS.some((one) => one === field)
}

function valueOf(reading: Pick<ExtractionReading, SpanField>, field: SpanField): string | null {
  const { asset_type: asset, prediction_type: type } = reading
  switch (field) {
    case 'asset_type':
      return asset === null ? null : ASSETS[asset].symbol
    case 'prediction_type':
      return type === null ? null : labelOf(type)
    case 'price_target':
    case 'price_min':
    case 'price_max':
      return reading[field] === null ? null : showUsd(reading[field])
    case 'timing':
      return reading.timing && sentenceCase(WHEN[reading.timing])
    case 'direction':
      return reading.direction && sentenceCase(reading.direction)
    case 'target_time':
    case 'prediction_start_date':
      return reading[field] === null ? null : showDate(reading[field])
  }
}

function spentText(extraction: TweetExtraction): string {
  const { model, cost_usd: cost, duration_ms: ms, extraction_method: method } = extraction
  const seconds = `${(ms / 1_000).toFixed(1)} s`
  if (model === null) return `Read in ${seconds}.`
  const usd = cost === null ? '' : `, about $${cost.toFixed(4)}`
  if (method === 'text_parsing') {
    const came = extraction.readings.assistant === null ? 'in vain' : 'as well'
    return `Read by rules in ${seconds}. ${model} was asked ${came}${usd}.`
  }
  return `Read by ${model} in ${seconds}${usd}.`
}
