import { type ComponentProps, useEffect, useEffectEvent, useState, type Ref } from 'react'
import { Icon } from './icon.tsx'
import { classNames } from './class-names.ts'
import control from './field.module.css'
import css from './search-field.module.css'

export function SearchField({
  label,
  value,
  onChange,
  field,
}: {
  /** Shown inside while empty, and its name. */
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** What else the input has, such as the list that it leads. */
  readonly field?: ComponentProps<'input'>
}) {
  return (
    <label className={css.field}>
      <span className={css.sign}>
        <Icon name="search" size={18} />
      </span>
      <input
        className={classNames(control.control, css.input)}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        {...field}
      />
    </label>
  )
}

const REST_MS = 250

export function SearchBox({
  ref,
  label,
  value,
  onSearch,
  onEnter,
}: {
  readonly ref?: Ref<HTMLDivElement>
  readonly label: string
  /** What the list shown was searched for. */
  readonly value: string
  readonly onSearch: (q: string) => void
  /** Called when Enter is pressed, after what was typed has been searched for. */
  readonly onEnter?: () => void
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
      <SearchField
        label={label}
        value={typed}
        onChange={setTyped}
        {...(onEnter && {
          field: {
            onKeyDown({ key, nativeEvent }) {
              if (key !== 'Enter' || nativeEvent.isComposing) return
              if (typed !== known) {
                setKnown(typed)
                onSearch(typed)
              }
              onEnter()
            },
          },
        })}
      />
    </div>
  )
}
