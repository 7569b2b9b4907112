import { useEffect, useEffectEvent, useRef, useState, type SubmitEvent } from 'react'
import { type z } from 'zod'
import {
  isGraveWarning,
  LONGEST_COMMENT,
  listInfluencers,
  type ApproveBody,
} from '#contracts/review.ts'
import {
  LONGEST_PUBLIC_TEXT,
  PUBLIC_TEXT_HEADINGS,
  type PublicTextKind,
} from '#domain/claim/prediction.ts'
import { dayOfTime, isoDay, plural, type DatePrecision } from '#domain/day.ts'
import { FormInput, type FormField } from '#web/admin/kit/admin-form.tsx'
import { Words } from '#web/admin/kit/detail.tsx'
import { FIELDS, PRECISIONS } from '#web/admin/kit/prediction-fields.tsx'
import { sendByKeys, useKeys } from '#web/admin/kit/use-keys.ts'
import { useCall } from '#web/admin/kit/use-list.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Segment, Segments } from '#web/ui/chip.tsx'
import { Tick, Field } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { PersonSearch, type KnownPerson } from '#web/ui/person-search.tsx'
import { Row, Stack, Text } from '#web/ui/primitives.tsx'
import { PublicPreview } from './outcome.tsx'
import { type DetailState } from './use-detail.tsx'
import { type Detail } from './calls.ts'
import page from '#web/ui/admin-page.module.css'
import css from './review.module.css'

type Asked = { readonly state: DetailState }

/** The last step before a submission is public. Nothing is approved unseen: it waits for the dry run of its fields. */
export function ApproveForm({ state }: Asked) {
  const { detail, approval, run, isJudging, decisions, changeApproval } = state
  const send = useRef<HTMLButtonElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const isBlocked = decisions.isBusy || isJudging
  // Another name is no surprise to who has just chosen the person.
  const isGrave =
    run.data?.warnings.some(
      (one) => isGraveWarning(one) && (approval.influencer === null || one.code !== 'other-name'),
    ) ?? false
  const begin = useEffectEvent(() => {
    ;(isGrave ? cancel : send).current?.focus({ preventScroll: true })
  })
  useEffect(() => {
    // After the dialog has put the focus where it begins.
    const frame = requestAnimationFrame(() => begin())
    return () => cancelAnimationFrame(frame)
  }, [])
  useEffect(() => {
    // Enter, pressed as ever, does not publish what should be looked at first; who types is left where they are.
    const { activeElement } = document
    if ([send.current, cancel.current, document.body].some((one) => one === activeElement)) begin()
  }, [isGrave])
  const choose = (id: string | undefined) =>
    id === undefined ? undefined : () => changeApproval({ influencer: id, remember: null })
  const [p, ...others] = detail.suggestions.map(({ id }) => String(id))
  useKeys(true, {
    p: choose(p),
    n: choose(NEW_INFLUENCER),
    ...Object.fromEntries([p, ...others].slice(0, 3).map((id, i) => [String(i + 1), choose(id)])),
  })

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const isByKeys = (event.nativeEvent as globalThis.SubmitEvent).submitter === null
    // Ctrl and Enter only reach the button, where something grave speaks against it.
    if (isGrave && isByKeys && document.activeElement !== send.current) send.current?.focus()
    else if (!isBlocked) state.approve()
  }

  const ready = isGrave ? 'Approve anyway' : 'Approve'
  return (
    <Stack as="form" gap={6} onSubmit={submit} onKeyDown={sendByKeys} noValidate>
      <Whose state={state} />
      <PublicPreview run={run.data} isJudging={isJudging} />
      <Additions state={state} />
      <Row fill gap={3} justify="end" className={css.buttons}>
        <Button ref={cancel} data-first={isGrave || undefined} onClick={() => state.go('view')}>
          Cancel
        </Button>
        <Button
          ref={send}
          data-first={!isGrave || undefined}
          look="primary"
          type="submit"
          aria-disabled={isBlocked}
        >
          {decisions.isBusy ? 'Approving...' : isJudging ? 'Judging...' : ready}
        </Button>
      </Row>
    </Stack>
  )
}

function Whose({ state: { detail, approval, run, decisions, changeApproval } }: Asked) {
  const { expert_name: name } = detail.submission
  const remember = remembers(approval, detail)
  return (
    <Stack gap={2}>
      <InfluencerChoice
        value={influencerOf(approval, detail)}
        name={name}
        suggestions={detail.suggestions}
        sentence={run.data?.influencer?.sentence ?? null}
        fault={decisions.failed?.fields['influencer_id'] ?? run.data?.fields['influencer_id']}
        hasKeys
        onChoose={(influencer) => changeApproval({ influencer, remember: null })}
      />
      {remember !== null && (
        <Tick
          label={`Remember “${name}” as another spelling`}
          checked={remember}
          onChange={(is) => changeApproval({ remember: is })}
        />
      )}
    </Stack>
  )
}

function Additions({ state: { now: row, approval, run, decisions, changeApproval } }: Asked) {
  const [today] = useState(() => isoDay(dayOfTime(Date.now())))
  const { quote, quoteKind } = approval
  const faults = decisions.failed?.fields ?? {}
  const input = (
    key: keyof typeof approval,
    name: string,
    field: FormField,
    value: string,
    fault = faults[name],
  ) => (
    <FormInput
      {...{ name, field, value, fault }}
      onChange={(given) => changeApproval({ [key]: given })}
    />
  )
  return (
    <div className={page.form}>
      <Stack gap={2} className={page.whole}>
        {input(
          'quote',
          'quote',
          {
            label: FIELDS.quote.label,
            optional: true,
            rows: 2,
            maxLength: LONGEST_PUBLIC_TEXT.summary,
          },
          quote,
          faults['quote'] ?? run.data?.fields['quote'],
        )}
        <Row>
          <Segments label="Headed">
            {(['summary', 'said'] as const).map((kind) => (
              <Segment
                key={kind}
                pressed={quoteKind === kind}
                onPress={() => changeApproval({ quoteKind: kind })}
              >
                {PUBLIC_TEXT_HEADINGS[kind]}
              </Segment>
            ))}
          </Segments>
          {row.notes !== '' && quote !== row.notes && (
            <Button onClick={() => changeApproval({ quote: row.notes })}>
              Use the submitter’s words
            </Button>
          )}
        </Row>
        {row.notes !== '' && (
          <div>
            <Text tone="quiet" size="small">
              Notes of the submitter, not published
            </Text>
            <Words>{row.notes}</Words>
          </div>
        )}
      </Stack>
      {input(
        'start',
        'start_date',
        {
          label: FIELDS.start_date.label,
          is: 'day',
          hint: 'Today means: count from the day after it was made. Pick a later day to start later.',
        },
        approval.start ?? today,
      )}
      {input(
        'end',
        'end_date',
        {
          label: FIELDS.end_date.label,
          is: 'day',
          hint: 'The target date, unless you set another.',
        },
        approval.end ?? row.target_time,
        faults['end_date'] ?? faults['target_time'],
      )}
      {input(
        'made',
        'made_precision',
        { label: FIELDS.made_precision.label, options: PRECISIONS },
        approval.made ?? row.made_precision,
      )}
      {input(
        'target',
        'target_precision',
        { label: FIELDS.target_precision.label, options: PRECISIONS },
        approval.target,
      )}
      <div className={page.whole}>
        {input(
          'comment',
          'admin_comment',
          { label: 'Comment', optional: true, rows: 2, maxLength: LONGEST_COMMENT },
          approval.comment ?? row.admin_comment ?? '',
        )}
      </div>
    </div>
  )
}

/** In the place of an influencer's id: a new person, even if one of this name is on record. */
export const NEW_INFLUENCER = 'new'

/** Fields that approval adds to a submission. Untouched fields are left to the server. */
export type Approval = {
  /** Null: the first person suggested. */
  readonly influencer: string | null
  /** Whether the name given is noted as a spelling; null: where it is similar. */
  readonly remember: boolean | null
  readonly comment: string | null
  readonly start: string | null
  readonly end: string | null
  /** Null: as exactly as the submission says. */
  readonly made: DatePrecision | null
  readonly target: DatePrecision
  /** The public text; empty for none. */
  readonly quote: string
  readonly quoteKind: PublicTextKind
}

export const NEW_APPROVAL: Approval = {
  influencer: null,
  remember: null,
  comment: null,
  start: null,
  end: null,
  made: null,
  target: 'day',
  quote: '',
  quoteKind: 'summary',
}

/** The expert: the chosen one, else the one noted or clearly meant; empty for a new influencer. */
export function influencerOf(approval: Approval, { submission, suggestions }: Detail): string {
  if (approval.influencer !== null) return approval.influencer
  if (submission.new_influencer) return NEW_INFLUENCER
  const sure = suggestions.find(({ is_sure: isSure }) => isSure)
  const known = submission.existing_influencer_id ?? sure?.id
  return known?.toString() ?? ''
}

export function remembers(approval: Approval, detail: Detail): boolean | null {
  const id = influencerOf(approval, detail)
  if (id === '' || id === NEW_INFLUENCER) return null
  const one = detail.suggestions.find((other) => String(other.id) === id)
  if (one?.why === 'name' || one?.why === 'alias') return null
  return approval.remember ?? one?.why === 'similar'
}

export function approvalBody(approval: Approval, detail: Detail): z.input<typeof ApproveBody> {
  const influencer = influencerOf(approval, detail)
  const isNew = influencer === NEW_INFLUENCER
  return {
    influencer_id: isNew ? '' : influencer,
    ...(isNew || detail.submission.new_influencer ? { new_influencer: isNew } : {}),
    ...(remembers(approval, detail) === true ? { remember_name: true } : {}),
    start_date: approval.start,
    end_date: approval.end,
    made_precision: approval.made ?? detail.submission.made_precision,
    target_precision: approval.target,
    ...(approval.quote.trim() === ''
      ? {}
      : { quote: approval.quote, quote_kind: approval.quoteKind }),
    ...(approval.comment === null ? {} : { admin_comment: approval.comment }),
  }
}

export function InfluencerChoice({
  value,
  name,
  suggestions,
  sentence,
  fault,
  hasKeys = false,
  onChoose,
}: {
  /** The number of the chosen person, or `NEW_INFLUENCER`; empty for the person known by the name, else a new influencer. */
  readonly value: string
  /** As the submission has it. */
  readonly name: string
  readonly suggestions: Detail['suggestions']
  /** The server's preview of the choice. */
  readonly sentence: string | null
  readonly fault?: string | undefined
  readonly hasKeys?: boolean
  readonly onChoose: (id: string) => void
}) {
  const { data: known = NO_PEOPLE } = useCall(listInfluencers, {}, { staleTime: 60_000 })
  const chosen = known.find(({ id }) => String(id) === value)
  const chosenName = chosen?.name ?? suggestions.find(({ id }) => String(id) === value)?.name ?? ''
  const offers = [
    ...suggestions.map((one, i) => ({
      id: String(one.id),
      key: i < 3 ? String(i + 1) : null,
      title: one.name,
      text: `${one.sentence} ${plural(one.predictions, 'prediction')}.`,
    })),
    {
      id: NEW_INFLUENCER,
      key: 'n',
      title: `Create a new influencer named ${name}`,
      text: suggestions[0] ? `${suggestions[0].name} is already on record.` : '',
    },
  ]
  return (
    <Stack gap={2}>
      {(suggestions.length > 0 || value === NEW_INFLUENCER) && (
        <Stack as="ul" gap={1} aria-label="Probably meant">
          {offers.map(({ id, key, title, text }) => (
            <li key={id}>
              <Button
                className={css.offer}
                aria-pressed={id === value}
                onClick={() => onChoose(id)}
              >
                <b>{title}</b>
                <Text as="span" tone="quiet">
                  {text}
                </Text>
                {hasKeys && key && (
                  <kbd className="by-keyboard" aria-hidden="true">
                    {key}
                  </kbd>
                )}
              </Button>
            </li>
          ))}
        </Stack>
      )}
      <Field label="Influencer" hint={sentence} fault={fault}>
        {(control) => (
          <Row whole>
            <PersonSearch
              control={control}
              name="influencer"
              known={known}
              chosenName={chosenName}
              placeholder={
                value === NEW_INFLUENCER
                  ? `New: ${name}`
                  : 'Search, or leave empty to match by name'
              }
              onChoose={(id) => onChoose(id === null ? '' : String(id))}
            />
            {value !== '' && (
              <IconButton label="Clear the influencer" onClick={() => onChoose('')}>
                <Icon name="close" size={16} />
              </IconButton>
            )}
          </Row>
        )}
      </Field>
    </Stack>
  )
}

const NO_PEOPLE: readonly KnownPerson[] = []
