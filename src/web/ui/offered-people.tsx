import { Autocomplete } from '@base-ui/react/autocomplete'
import css from './dropdown.module.css'
import { Text } from './text.tsx'

/** The list below a field that finds people: a name, and beside it what distinguishes namesakes. */
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
        <Autocomplete.Popup className={css.popup} aria-label={label}>
          <Autocomplete.List className={css.list}>
            {(person: Person) => (
              <Autocomplete.Item key={keyOf(person)} value={person} className={css.option}>
                <span>{person.name}</span>
                <Text as="span" tone="quiet" size="small">
                  {besideOf(person)}
                </Text>
              </Autocomplete.Item>
            )}
          </Autocomplete.List>
        </Autocomplete.Popup>
      </Autocomplete.Positioner>
    </Autocomplete.Portal>
  )
}
