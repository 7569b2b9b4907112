import {
  useId,
  type ChangeEvent,
  type ReactNode,
  type ComponentProps,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { after } from './hooks.ts'
import { Icon } from './icon.tsx'
import { Row, Text, Note } from './primitives.tsx'
import css from './field.module.css'

/** Attributes that connect a control with its label, hint and error message. */
export type FieldControl = {
  readonly id: string
  readonly className: string | undefined
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
}

/** What a field says about its control. */
export type FieldTexts = {
  readonly label: string
  readonly optional?: boolean | undefined
  readonly hint?: ReactNode
  readonly fault?: string | undefined
}

export function Field({
  label,
  optional,
  hint,
  fault,
  children,
}: FieldTexts & { readonly children: (control: FieldControl) => ReactNode }) {
  const id = useId()
  const [hintId, faultId] = [`${id}-hint`, `${id}-fault`]
  const described = [hint ? hintId : null, fault ? faultId : null].filter(Boolean).join(' ')
  return (
    <div className={css.field}>
      <label className="small semibold" htmlFor={id}>
        {label}
        {optional && <span className="muted regular"> optional</span>}
      </label>
      {children({
        id,
        className: css.control,
        'aria-invalid': fault !== undefined,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {hint && <Note id={hintId}>{hint}</Note>}
      {fault && (
        <Text tone="bad" size="small" strong id={faultId} role="alert">
          {fault}
        </Text>
      )}
    </div>
  )
}

type InputProps =
  | 'name'
  | 'type'
  | 'required'
  | 'disabled'
  | 'maxLength'
  | 'inputMode'
  | 'autoComplete'
  | 'placeholder'

export function TextField({
  label,
  optional,
  hint,
  fault,
  type = 'text',
  rows,
  onChange,
  ...input
}: FieldTexts &
  Pick<ComponentProps<'input'>, InputProps> & {
    readonly value: string
    readonly rows?: number
    readonly ref?: (element: HTMLElement | null) => void
    readonly onChange: (value: string) => void
  }) {
  return (
    <Field {...{ label, optional, hint, fault }}>
      {(control) => {
        const shared = {
          autoComplete: 'off',
          ...input,
          ...control,
          onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
            onChange(event.target.value),
        }
        return rows === undefined ? (
          <input {...shared} type={type} spellCheck={false} />
        ) : (
          <textarea {...shared} rows={rows} />
        )
      }}
    </Field>
  )
}

type Option = string | number | null

type Chosen<Value> = {
  readonly value: Value
  readonly options: readonly (readonly [Value, string])[]
  readonly onChange: (value: Value) => void
}

/** A drop-down of options by value, without a label. */
export function Select<Value extends Option>({
  value,
  options,
  onChange,
  ...select
}: Chosen<Value> & Omit<ComponentProps<'select'>, keyof Chosen<Value>>) {
  return (
    <select
      {...select}
      value={value ?? ''}
      onChange={(event) => {
        const chosen = options.find(([one]) => String(one ?? '') === event.target.value)
        if (chosen) onChange(chosen[0])
      }}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one ?? ''}>
          {text}
        </option>
      ))}
    </select>
  )
}

export function Choice<Value extends Option>({
  label,
  optional,
  hint,
  fault,
  ...select
}: FieldTexts & Chosen<Value> & { readonly name: string; readonly disabled?: boolean }) {
  return (
    <Field {...{ label, optional, hint, fault }}>
      {(control) => <Select {...control} {...select} />}
    </Field>
  )
}

export function Tick({
  label,
  checked,
  onChange,
}: {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}) {
  return (
    <Row as="label" whole className={css.tick}>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </Row>
  )
}

export function SearchField({
  label,
  value,
  onChange,
  field,
}: {
  /** Placeholder and accessible name. */
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Additional attributes of the input, such as `list`. */
  readonly field?: ComponentProps<'input'>
}) {
  return (
    <label className={css.signed}>
      <span className={css.sign}>
        <Icon name="search" size={18} />
      </span>
      <input
        className={css.control}
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
  label,
  value,
  onSearch,
  onEnter,
}: {
  readonly label: string
  /** The query of the list shown. */
  readonly value: string
  readonly onSearch: (q: string) => void
  /** Called on Enter, after the search has been updated. */
  readonly onEnter?: () => void
}) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  // Follow changes by the back button or a link.
  if (value !== known) {
    setKnown(value)
    setTyped(value)
  }
  const search = useEffectEvent((q: string) => {
    setKnown(q)
    onSearch(q)
  })
  useEffect(() => {
    if (typed !== known) return after(REST_MS, () => search(typed))
    return undefined
  }, [typed, known])
  return (
    <div role="search">
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
