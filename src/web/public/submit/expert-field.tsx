import { Autocomplete } from '@base-ui/react/autocomplete'
import { useEffect, useState, type Ref } from 'react'
import { foldName } from '#domain/people/name.ts'
import { handleText } from '#web/address/addresses.ts'
import { fetchExperts, type KnownExpert } from '#web/api/payments.ts'
import { type FieldControl } from '#web/ui/field.tsx'
import { OfferedPeople } from '#web/ui/offered-people.tsx'

/** A few names are enough to find one's own among them. */
const MOST = 8

/** The name of an expert; those on record are suggested, so that one person does not become two. */
export function ExpertField({
  control,
  inputRef,
  value,
  onChange,
  onBlur,
  onChoose,
}: {
  readonly control: FieldControl
  readonly inputRef: Ref<HTMLInputElement>
  readonly value: string
  readonly onChange: (name: string) => void
  readonly onBlur: () => void
  /** An expert on record was chosen. */
  readonly onChoose: (expert: KnownExpert) => void
}) {
  const [experts, setExperts] = useState<readonly KnownExpert[]>([])
  useEffect(() => {
    const leave = new AbortController()
    // Without suggestions a name can be typed all the same.
    fetchExperts(leave.signal).then(setExperts, () => undefined)
    return () => leave.abort()
  }, [])
  const [isOpen, setOpen] = useState(false)
  const wanted = foldName(value)
  const found = experts
    .filter(({ name }) => name !== value && wanted !== '' && foldName(name).includes(wanted))
    .slice(0, MOST)
  return (
    <Autocomplete.Root
      // While the list is open, all else is hidden from screen readers: an empty one stays closed.
      open={isOpen && found.length > 0}
      onOpenChange={setOpen}
      mode="none"
      items={found}
      value={value}
      itemToStringValue={({ name }: KnownExpert) => name}
      onValueChange={(name, { reason }) => {
        // Escape closes the dialog, and what was typed stays in the draft.
        if (reason === 'escape-key') return
        onChange(name)
        if (reason !== 'item-press') return
        const chosen = experts.find((expert) => expert.name === name)
        if (chosen) onChoose(chosen)
      }}
    >
      <Autocomplete.Input
        {...control}
        ref={inputRef}
        name="expert_name"
        autoComplete="off"
        spellCheck={false}
        placeholder="Who said it?"
        onBlur={onBlur}
      />
      <OfferedPeople
        label="Experts on record"
        keyOf={({ slug }: KnownExpert) => slug}
        besideOf={({ x_handle: handle }) => handle && handleText(handle)}
      />
    </Autocomplete.Root>
  )
}
