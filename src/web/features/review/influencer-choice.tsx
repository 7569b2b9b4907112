import { Autocomplete } from '@base-ui/react/autocomplete'
import { useState } from 'react'
import { foldName } from '#domain/name.ts'
import { handleText } from '#web/addresses.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { NEW_INFLUENCER } from './edit-fields.ts'
import { useInfluencers, type Detail, type KnownInfluencer } from './calls.ts'
import offers from '#web/ui/suggestions.module.css'
import css from './influencer-choice.module.css'

const MOST = 12

/**
 * Whose prediction it is: somebody on record, found by name, handle or alias, or nobody, which creates a new influencer.
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
  /** The number of whom was chosen, or `NEW_INFLUENCER`; empty for whoever is known by the name, else a new influencer. */
  readonly value: string
  /** As the submission has it. */
  readonly name: string
  readonly suggestions: Detail['suggestions']
  /** What follows from the choice, as the server says. */
  readonly sentence: string | null
  readonly fault?: string | undefined
  readonly onChoose: (id: string) => void
}) {
  const { data: known = NOBODY } = useInfluencers()
  const chosen = known.find(({ id }) => String(id) === value)
  const chosenName = chosen?.name ?? suggestions.find(({ id }) => String(id) === value)?.name ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? chosenName
  const found = typed === null ? [] : matching(known, typed)
  return (
    <div className={css.choice}>
      <Field label="Influencer" hint={sentence} fault={fault}>
        {(control) => (
          <div className={css.row}>
            <Autocomplete.Root
              open={found.length > 0}
              onOpenChange={(open, { reason }) => {
                if (!open && reason !== 'item-press') setTyped(null)
              }}
              mode="none"
              items={found}
              value={text}
              itemToStringValue={({ name }: KnownInfluencer) => name}
              onValueChange={(name, { reason }) => {
                if (reason !== 'item-press') {
                  setTyped(name)
                  if (name === '') onChoose('')
                  return
                }
                const picked = found.find((one) => one.name === name)
                setTyped(null)
                if (picked) onChoose(String(picked.id))
              }}
            >
              <Autocomplete.Input
                {...control}
                name="influencer"
                autoComplete="off"
                spellCheck={false}
                placeholder={
                  value === NEW_INFLUENCER ? `New: ${name}` : 'Search; empty goes by the name'
                }
                onBlur={() => setTyped(null)}
              />
              <Autocomplete.Portal>
                <Autocomplete.Positioner className={offers.positioner} sideOffset={4} align="start">
                  <Autocomplete.Popup className={offers.popup} aria-label="Influencers on record">
                    <Autocomplete.List>
                      {(one: KnownInfluencer) => (
                        <Autocomplete.Item key={one.id} value={one} className={offers.option}>
                          <span>{one.name}</span>
                          <span className={offers.handle}>
                            {one.handle ? handleText(one.handle) : one.aliases[0]}
                          </span>
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.List>
                  </Autocomplete.Popup>
                </Autocomplete.Positioner>
              </Autocomplete.Portal>
            </Autocomplete.Root>
            {value !== '' && (
              <IconButton label="Clear the influencer" onClick={() => onChoose('')}>
                <Icon name="close" size={16} />
              </IconButton>
            )}
          </div>
        )}
      </Field>
      {(suggestions.length > 0 || value === NEW_INFLUENCER) && (
        <ul className={css.suggestions} aria-label="Probably meant">
          {suggestions.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                className={css.suggestion}
                aria-pressed={String(one.id) === value}
                onClick={() => onChoose(String(one.id))}
              >
                <b>{one.name}</b>
                <span>
                  {one.sentence} {predictions(one.predictions)}
                </span>
              </button>
            </li>
          ))}
          <li>
            <button
              type="button"
              className={css.suggestion}
              aria-pressed={value === NEW_INFLUENCER}
              onClick={() => onChoose(NEW_INFLUENCER)}
            >
              <b>Create a new influencer named {name}</b>
              {suggestions[0] && <span>{suggestions[0].name} is on record already.</span>}
            </button>
          </li>
        </ul>
      )}
    </div>
  )
}

const NOBODY: readonly KnownInfluencer[] = []

/** Those whose name, handle or alias holds what was typed. */
function matching(known: readonly KnownInfluencer[], typed: string): readonly KnownInfluencer[] {
  const wanted = foldName(typed.replace(/^@/, ''))
  if (wanted === '') return []
  return known
    .filter(({ name, handle, aliases }) =>
      [name, handle ?? '', ...aliases].some((text) => foldName(text).includes(wanted)),
    )
    .slice(0, MOST)
}

function predictions(count: number): string {
  return count === 1 ? '1 prediction.' : `${String(count)} predictions.`
}
