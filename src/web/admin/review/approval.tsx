import { type z } from 'zod'
import { type ApproveBody } from '#contracts/review.ts'
import { type PublicTextKind } from '#domain/claim/prediction.ts'
import { plural, type DatePrecision } from '#domain/day.ts'
import { PersonField } from '#web/admin/kit/person-field.tsx'
import { ButtonKey } from '#web/admin/kit/screen.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Stack, Quiet } from '#web/ui/primitives.tsx'
import { type Detail } from './calls.ts'
import css from './review.module.css'

/** Used instead of an influencer's id for a new person, even if the name is on record. */
export const NEW_INFLUENCER = 'new'

/** Fields that approval adds to a submission, as the call has them. The server decides untouched ones. */
export type Approval = {
  /** Null: the first suggestion. */
  readonly influencer: string | null
  /** Whether to record the submitted name as a spelling; null: if it is similar. */
  readonly remember: boolean | null
  readonly admin_comment?: string
  readonly start_date: string | null
  readonly end_date: string | null
  /** Without it, as precise as the submission. */
  readonly made_precision?: DatePrecision
  readonly target_precision: DatePrecision
  /** The public text; may be empty. */
  readonly quote: string
  readonly quote_kind: PublicTextKind
}

export const NEW_APPROVAL: Approval = {
  influencer: null,
  remember: null,
  start_date: null,
  end_date: null,
  target_precision: 'day',
  quote: '',
  quote_kind: 'summary',
}

/** The influencer's id: the chosen one, else the stored or certain match; empty for a new influencer. */
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
  const { influencer: _chosen, remember: _remembers, quote, quote_kind, ...added } = approval
  const { made_precision, new_influencer: wasNew } = detail.submission
  const influencer = influencerOf(approval, detail)
  const isNew = influencer === NEW_INFLUENCER
  return {
    made_precision,
    ...added,
    influencer_id: isNew ? '' : influencer,
    ...(isNew || wasNew ? { new_influencer: isNew } : {}),
    ...(remembers(approval, detail) === true ? { remember_name: true } : {}),
    ...(quote.trim() === '' ? {} : { quote, quote_kind }),
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
  /** The id of the chosen person or `NEW_INFLUENCER`; empty for the person known by this name, or else a new one. */
  readonly value: string
  readonly name: string
  readonly suggestions: Detail['suggestions']
  readonly sentence: string | null
  readonly fault?: string | undefined
  readonly hasKeys?: boolean
  readonly onChoose: (id: string) => void
}) {
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
                className={`${css.offer} full small regular at-start`}
                aria-pressed={id === value}
                onClick={() => onChoose(id)}
              >
                <b>{title}</b>
                <Quiet>{text}</Quiet>
                {hasKeys && key && <ButtonKey>{key}</ButtonKey>}
              </Button>
            </li>
          ))}
        </Stack>
      )}
      <PersonField
        label="Influencer"
        name="influencer"
        value={Number(value) || null}
        fallback={suggestions.find(({ id }) => String(id) === value)?.name ?? ''}
        hint={sentence}
        fault={fault}
        placeholder={
          value === NEW_INFLUENCER ? `New: ${name}` : 'Search, or leave empty to match by name'
        }
        onChoose={(id) => onChoose(id === null ? '' : String(id))}
      >
        {value !== '' && (
          <IconButton label="Clear the influencer" onClick={() => onChoose('')}>
            <Icon name="close" size={16} />
          </IconButton>
        )}
      </PersonField>
    </Stack>
  )
}
