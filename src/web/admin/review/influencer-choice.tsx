import { Button, IconButton } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { PersonSearch } from '#web/ui/person-search.tsx'
import { NEW_INFLUENCER } from './edit-fields.ts'
import { useInfluencers, type Detail, type KnownInfluencer } from './calls.ts'
import css from './influencer-choice.module.css'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/**
 * Whose prediction it is: a person on record, found by name, handle or alias, or none, which creates a new influencer.
 * Those who are probably meant are offered with the reason.
 */
export function InfluencerChoice({
  value,
  name,
  suggestions,
  sentence,
  fault,
  onChoose,
}: {
  /** The number of the chosen person, or `NEW_INFLUENCER`; empty for the person known by the name, else a new influencer. */
  readonly value: string
  /** As the submission has it. */
  readonly name: string
  readonly suggestions: Detail['suggestions']
  /** What follows from the choice, as the server says. */
  readonly sentence: string | null
  readonly fault?: string | undefined
  readonly onChoose: (id: string) => void
}) {
  const { data: known = NO_PEOPLE } = useInfluencers()
  const chosen = known.find(({ id }) => String(id) === value)
  const chosenName = chosen?.name ?? suggestions.find(({ id }) => String(id) === value)?.name ?? ''
  return (
    <Stack gap={2}>
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
      {(suggestions.length > 0 || value === NEW_INFLUENCER) && (
        <Stack as="ul" gap={1} aria-label="Probably meant">
          {suggestions.map((one) => (
            <li key={one.id}>
              <Button
                className={css.suggestion}
                aria-pressed={String(one.id) === value}
                onClick={() => onChoose(String(one.id))}
              >
                <b>{one.name}</b>
                <Text as="span" tone="quiet">
                  {one.sentence} {predictions(one.predictions)}
                </Text>
              </Button>
            </li>
          ))}
          <li>
            <Button
              className={css.suggestion}
              aria-pressed={value === NEW_INFLUENCER}
              onClick={() => onChoose(NEW_INFLUENCER)}
            >
              <b>Create a new influencer named {name}</b>
              {suggestions[0] && (
                <Text as="span" tone="quiet">
                  {suggestions[0].name} is already on record.
                </Text>
              )}
            </Button>
          </li>
        </Stack>
      )}
    </Stack>
  )
}

const NO_PEOPLE: readonly KnownInfluencer[] = []

function predictions(count: number): string {
  return count === 1 ? '1 prediction.' : `${String(count)} predictions.`
}
