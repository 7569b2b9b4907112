import css from './follow-dialog.module.css'

/** An address of which only some letters are shown, on one line where there is room. */
export function ShownAddress({ shown }: { readonly shown: string }) {
  return <span className={css.address}>{shown}</span>
}
