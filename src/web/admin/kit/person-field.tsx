import { type ComponentProps, type ReactNode } from 'react'
import { listInfluencers } from '#contracts/review.ts'
import { Field, type FieldTexts } from '#web/ui/field.tsx'
import { PersonSearch } from '#web/ui/person-search.tsx'
import { Row } from '#web/ui/primitives.tsx'
import { useCall } from './list.tsx'

/** A field for a person on record. */
export function PersonField({
  value,
  fallback = '',
  except,
  children,
  label,
  hint,
  fault,
  ...search
}: Pick<ComponentProps<typeof PersonSearch>, 'name' | 'placeholder' | 'onChoose'> &
  FieldTexts & {
    readonly value: number | null
    /** Name of the chosen person while all others are loaded. */
    readonly fallback?: string
    /** Somebody who cannot be chosen. */
    readonly except?: number
    /** Beside the input. */
    readonly children?: ReactNode
  }) {
  const { data: people = [] } = useCall(listInfluencers, {}, { staleTime: 60_000 })
  const chosenName = people.find(({ id }) => id === value)?.name ?? fallback
  const known = people.filter(({ id }) => id !== except)
  return (
    <Field {...{ label, hint, fault }}>
      {(control) => (
        <Row whole>
          <PersonSearch {...{ control, known, chosenName, ...search }} />
          {children}
        </Row>
      )}
    </Field>
  )
}
