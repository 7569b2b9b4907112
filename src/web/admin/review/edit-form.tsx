import { useEffect } from 'react'
import { placeholderOf } from '#domain/submission.ts'
import { FieldInputs } from '#web/admin/kit/prediction-fields.tsx'
import page from '#web/ui/admin-page.module.css'
import { Button } from '#web/ui/button.tsx'
import { Row, Stack, Callout } from '#web/ui/primitives.tsx'
import { sendByKeys } from '#web/admin/kit/use-keys.ts'
import { InfluencerChoice } from './approve-form.tsx'
import css from './review.module.css'
import {
  PREDICTION_FIELDS,
  REVIEW_FIELDS,
  type DetailState,
  type EditValues,
} from './use-detail.ts'

export function EditForm({
  state: { now, edit, save, run, suggestions, typedFaults: faults, go },
}: {
  readonly state: DetailState
}) {
  const { element, form, values } = edit
  const inputs = { form, values, faults }
  const isPublished = now.status === 'approved'
  useEffect(() => {
    // Who pressed a button stays there: on glass, a field would bring the keyboard up before anything was read.
    const begin = (): void => {
      if (document.activeElement?.hasAttribute('aria-pressed')) return
      element.current?.querySelector('input')?.focus({ preventScroll: true })
    }
    // At once, as the dialog takes a focus that is lost with another mode; and after it has put it where it begins.
    begin()
    const frame = requestAnimationFrame(begin)
    return () => cancelAnimationFrame(frame)
  }, [element])
  return (
    <Stack
      as="form"
      gap={6}
      ref={element}
      data-first
      onKeyDown={sendByKeys}
      onSubmit={(event) => {
        event.preventDefault()
        void save.run().then((isDone) => isDone && go('view'))
      }}
      noValidate
    >
      {isPublished && (
        <Callout tone="quiet">
          It is published: correct what it says on the prediction itself. Here you can change the
          outcome note and the comment.
        </Callout>
      )}
      <fieldset className={page.form} disabled={isPublished}>
        <legend className="aside-voice">The prediction</legend>
        <FieldInputs
          {...inputs}
          fields={PREDICTION_FIELDS}
          more={Object.fromEntries(
            ['price_target', 'price_min', 'price_max'].map((name) => [
              name,
              { placeholder: placeholderOf(values.asset_type) },
            ]),
          )}
        />
        <div className={page.whole}>
          <InfluencerChoice
            value={values.existing_influencer_id}
            name={values.expert_name}
            suggestions={suggestions}
            sentence={run.data?.influencer?.sentence ?? null}
            fault={
              form.getFieldState('existing_influencer_id', form.formState).error?.message ??
              faults['existing_influencer_id']
            }
            onChoose={(id) => {
              form.clearErrors('existing_influencer_id')
              form.setValue('existing_influencer_id', id)
            }}
          />
        </div>
      </fieldset>
      <fieldset className={page.form}>
        <legend className="aside-voice">The review</legend>
        <FieldInputs
          {...inputs}
          fields={REVIEW_FIELDS}
          more={{
            status: {
              disabled: isPublished,
              hint: isPublished ? null : STATUS_HINTS[values.status],
            },
          }}
        />
      </fieldset>
      <Row fill gap={3} justify="end" className={css.buttons}>
        <Button
          onClick={() => {
            edit.drop()
            save.forget()
            go('view')
          }}
        >
          {edit.isChanged ? 'Discard changes' : 'Cancel'}
        </Button>
        <Button look="primary" type="submit" aria-disabled={save.isBusy}>
          {save.isBusy ? 'Saving...' : 'Save'}
        </Button>
      </Row>
    </Stack>
  )
}

const STATUS_HINTS: Readonly<Record<EditValues['status'], string | null>> = {
  unpaid: null,
  pending: null,
  approved: 'Saving publishes it with the defaults; Approve shows you the outcome first.',
  rejected: 'Saving rejects it; the comment is the reason the submitter sees.',
}
