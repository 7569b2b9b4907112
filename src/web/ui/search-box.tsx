import { useEffect, useEffectEvent, useState, type Ref } from 'react'
import { SearchField } from './search-field.tsx'

/** The list is requested once the typing pauses. */
const REST_MS = 250

/** A field that searches while you type. */
export function SearchBox({
  ref,
  label,
  value,
  onSearch,
}: {
  readonly ref?: Ref<HTMLDivElement>
  readonly label: string
  /** What the list shown was searched for. */
  readonly value: string
  readonly onSearch: (q: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  // The back button, or a link: the field follows.
  if (value !== known) {
    setKnown(value)
    setTyped(value)
  }
  const search = useEffectEvent((q: string) => {
    setKnown(q)
    onSearch(q)
  })
  useEffect(() => {
    if (typed === known) return
    const timer = setTimeout(() => search(typed), REST_MS)
    return () => clearTimeout(timer)
  }, [typed, known])
  return (
    <div ref={ref} role="search">
      <SearchField label={label} value={typed} onChange={setTyped} />
    </div>
  )
}
