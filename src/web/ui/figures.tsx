import css from './figures.module.css'

/** What a number is called, and the number as it is shown. */
export type Figure = { readonly name: string; readonly value: string }

/** Numbers beside each other, each below its name; their place is kept while there are none yet. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className={css.figures}>
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
