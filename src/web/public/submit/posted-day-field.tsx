import { Field } from '#web/ui/field.tsx'

/** When a post was made, an ISO day; empty where it is not known. */
export function PostedDayField({
  value,
  latest,
  onChange,
}: {
  readonly value: string
  /** Nothing was posted after it, an ISO day. */
  readonly latest: string
  readonly onChange: (day: string) => void
}) {
  return (
    <Field label="Day it was posted" optional hint="Needed to read words such as “by year end”.">
      {(control) => (
        <input
          {...control}
          type="date"
          max={latest}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
