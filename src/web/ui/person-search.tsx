import { Autocomplete } from '@base-ui/react/autocomplete'
import { useState } from 'react'
import { foldName } from '#domain/people/name.ts'
import { handleText } from '#web/address/addresses.ts'
import { type FieldControl } from './field.tsx'
import { Note } from './primitives.tsx'
import css from './dropdown.module.css'

/** A person on record with searchable names. */
export type KnownPerson = {
  readonly id: number
  readonly name: string
  readonly handle: string | null
  readonly aliases: readonly string[]
}

const MOST = 12

/** Finds a person on record by name, handle or alias; text without a choice is discarded. */
export function PersonSearch({
  control,
  name,
  known,
  chosenName,
  placeholder,
  onChoose,
}: {
  readonly control: FieldControl
  readonly name: string
  readonly known: readonly KnownPerson[]
  /** Empty if nobody is chosen. */
  readonly chosenName: string
  readonly placeholder: string
  /** Null when the field was cleared. */
  readonly onChoose: (id: number | null) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const found = typed === null ? [] : matching(known, typed)
  return (
    <Autocomplete.Root
      open={found.length > 0}
      onOpenChange={(open, { reason }) => {
        if (!open && reason !== 'item-press') setTyped(null)
      }}
      mode="none"
      items={found}
      value={typed ?? chosenName}
      // Names are not unique.
      itemToStringValue={({ id }: KnownPerson) => String(id)}
      onValueChange={(text, { reason }) => {
        if (reason !== 'item-press') {
          setTyped(text)
          if (text === '') onChoose(null)
          return
        }
        const picked = found.find(({ id }) => String(id) === text)
        setTyped(null)
        if (picked) onChoose(picked.id)
      }}
    >
      <Autocomplete.Input
        {...control}
        name={name}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        onBlur={() => setTyped(null)}
      />
      <OfferedPeople
        label="Influencers on record"
        keyOf={({ id }: KnownPerson) => id}
        besideOf={({ handle, aliases }) => (handle ? handleText(handle) : aliases[0])}
      />
    </Autocomplete.Root>
  )
}

function matching(known: readonly KnownPerson[], typed: string): readonly KnownPerson[] {
  const folded = foldName(typed.replace(/^@/, ''))
  if (folded === '') return []
  return known
    .filter(({ name, handle, aliases }) =>
      [name, handle ?? '', ...aliases].some((text) => foldName(text).includes(folded)),
    )
    .slice(0, MOST)
}

/** Search results: each name with details that distinguish namesakes. */
export function OfferedPeople<Person extends { readonly name: string }>({
  label,
  keyOf,
  besideOf,
}: {
  readonly label: string
  readonly keyOf: (person: Person) => string | number
  readonly besideOf: (person: Person) => string | null | undefined
}) {
  return (
    <Autocomplete.Portal>
      <Autocomplete.Positioner className={css.positioner} sideOffset={4} align="start">
        <Autocomplete.Popup className={`${css.popup} raised`} aria-label={label}>
          <Autocomplete.List className={css.list}>
            {(person: Person) => (
              <Autocomplete.Item key={keyOf(person)} value={person} className={css.option}>
                <span>{person.name}</span>
                <Note as="span">{besideOf(person)}</Note>
              </Autocomplete.Item>
            )}
          </Autocomplete.List>
        </Autocomplete.Popup>
      </Autocomplete.Positioner>
    </Autocomplete.Portal>
  )
}
