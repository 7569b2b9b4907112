import { useState } from 'react'
import { Combobox } from '@base-ui/react/combobox'
import dropdown from '#web/ui/dropdown.module.css'
import { Icon } from '#web/ui/icon.tsx'
import field from '#web/ui/field.module.css'
import { buttonClass } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import css from './expert-picker.module.css'
import { ALL_INFLUENCERS, chosenText, type ExpertPickerProps } from './expert-picker.tsx'
import { type ExpertOption } from '#domain/listing/listing.ts'
import { Text } from '#web/ui/text.tsx'

/** Means no choice; no slug is empty. */
const EVERYONE = ''

/** The opened dropdown: a searchable list with what is chosen marked. */
export function ExpertCombobox(props: ExpertPickerProps) {
  const { options, chosen, multiple, onChoose } = props
  const [isOpen, setIsOpen] = useState(true)
  const total = options.reduce((sum, option) => sum + option.predictions, 0)
  const items: readonly ExpertOption[] = [
    { slug: EVERYONE, name: ALL_INFLUENCERS, predictions: total },
    ...options,
  ]
  const values = items.filter((item) =>
    chosen.length === 0 ? item.slug === EVERYONE : chosen.includes(item.slug),
  )
  // Both modes use the multiple list, so that switching the mode keeps the dropdown; only its closing differs.
  function choose(next: readonly ExpertOption[]): void {
    const added = next.find((option) => !values.includes(option))
    const removed = values.find((option) => !next.includes(option))
    const slug = (added ?? removed)?.slug
    if (slug === undefined) return
    onChoose(slug === EVERYONE ? null : slug)
    if (!multiple) setIsOpen(false)
  }
  return (
    <Combobox.Root
      multiple
      open={isOpen}
      // Enter takes the first that fits.
      autoHighlight
      // A browser without a language of its own finds no “planb” in “PlanB”.
      locale="en"
      items={items}
      value={[...values]}
      onValueChange={choose}
      onOpenChange={(open, details) => {
        if (multiple && details.reason === 'item-press') details.cancel()
        else setIsOpen(open)
      }}
      itemToStringLabel={(option) => option.name}
      isItemEqualToValue={(a, b) => a.slug === b.slug}
    >
      <Combobox.Trigger
        className={classNames(buttonClass('plain'), css.trigger)}
        aria-label={`Influencer: ${chosenText(props)}`}
      >
        <Text as="span" clip={1}>
          {chosenText(props)}
        </Text>
        <Icon name="caret" />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner className={dropdown.positioner} sideOffset={4} align="start">
          <Combobox.Popup className={dropdown.popup} aria-label="Influencers">
            <Combobox.Input
              className={classNames(field.control, css.search)}
              placeholder="Search influencers"
              aria-label="Search influencers"
            />
            <Combobox.Empty className={dropdown.empty}>No expert found.</Combobox.Empty>
            <Combobox.List className={dropdown.list}>
              {(option: ExpertOption) => (
                <Combobox.Item
                  key={option.slug}
                  value={option}
                  className={classNames(dropdown.option, css.option)}
                >
                  <Combobox.ItemIndicator className={css.tick}>
                    <Icon name="check" size={18} />
                  </Combobox.ItemIndicator>
                  <span className={css.name}>{option.name}</span>
                  <Text as="span" tone="quiet" size="small">
                    {option.predictions}
                  </Text>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
