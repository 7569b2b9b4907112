import { type SubmissionRow } from '#contracts/review.ts'
import { ASSETS } from '#domain/asset.ts'
import { timingName } from '#domain/claim/form-text.ts'
import { fieldsText } from '#domain/claim/text.ts'
import { showMoment } from '#web/ui/show-moment.ts'
import { StatusBadge, TypeBadge } from './badges.tsx'
import { Handle, Source } from './cells.tsx'
import css from './detail-facts.module.css'
import { dateText, OUTCOME_OPTIONS, paidText } from './row-texts.ts'
import { SubmitterNotes } from './submitter-notes.tsx'
import { Text } from '#web/ui/text.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'

const ORIGINS: Readonly<Record<SubmissionRow['origin'], string>> = {
  visitor: 'A visitor',
  admin: 'An administrator',
  extraction: 'Extracted from a post',
}

/** A submission field by field. */
export function DetailFacts({ row }: { readonly row: SubmissionRow }) {
  return (
    <Facts className={css.facts}>
      <Fact name="Status">
        <StatusBadge status={row.status} />
        {row.decided_at !== null && (
          <Text as="span" tone="quiet" size="small">
            {' '}
            by {row.decided_by ?? 'an administrator'}, {showMoment(row.decided_at)}
          </Text>
        )}
      </Fact>
      <Fact name="Expert">
        <bdi>{row.expert_name}</bdi>
      </Fact>
      <Fact name="Twitter">
        <Handle handle={row.twitter_handle} />
      </Fact>
      {row.nostr_npub !== null && (
        <Fact name="Nostr">
          <bdi>{row.nostr_npub}</bdi>
        </Fact>
      )}
      <Fact name="Prediction">
        <b>{fieldsText(row)}</b>{' '}
        <Text as="span" tone="quiet" size="small">
          {ASSETS[row.asset_type].symbol}
        </Text>
      </Fact>
      <Fact name="Type">
        <TypeBadge type={row.prediction_type} />
      </Fact>
      <Fact name="Must be true">{timingName(row.prediction_type, row.timing)}</Fact>
      <Fact name="Direction said">{row.direction}</Fact>
      <Fact name="Target date">{dateText(row.target_time)}</Fact>
      <Fact name="Source">
        <Source address={row.source_url} />
      </Fact>
      <Fact name="Submitted">
        {showMoment(row.created_at)}{' '}
        <Text as="span" tone="quiet" size="small">
          {ORIGINS[row.origin]}
        </Text>
      </Fact>
      <Fact name="Paid">{paidText(row)}</Fact>
      {row.submitter_email !== null && (
        <Fact name="E-mail">
          <bdi>{row.submitter_email}</bdi>
        </Fact>
      )}
      <Fact name="Influencer">
        {row.existing_influencer_name === null ? (
          <Text as="span" tone="quiet" size="small">
            {row.new_influencer ? 'A new person of this name' : 'Not chosen'}
          </Text>
        ) : (
          <bdi>{row.existing_influencer_name}</bdi>
        )}
      </Fact>
      <Fact name="Outcome note">
        {OUTCOME_OPTIONS.find(([key]) => key === row.prediction_outcome)?.[1]}
      </Fact>
      {row.admin_comment !== null && (
        <Fact name="Comment">
          <bdi>{row.admin_comment}</bdi>
        </Fact>
      )}
      {row.notes !== '' && (
        <Fact name="Notes">
          <SubmitterNotes notes={row.notes} />
          <Text tone="quiet" size="small">
            For reviewers; never published
          </Text>
        </Fact>
      )}
    </Facts>
  )
}
