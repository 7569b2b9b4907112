import css from './detail-facts.module.css'

/** What a submitter wrote for the reviewers. */
export function SubmitterNotes({ notes }: { readonly notes: string }) {
  return (
    // A long text scrolls within its place; the keyboard reaches it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keyboard too
    <div className={css.notes} tabIndex={0} role="group" aria-label="Notes of the submitter">
      <bdi>{notes}</bdi>
    </div>
  )
}
