import { useState } from 'react'
import { showCount } from '#domain/price-text.ts'
import { useFetched } from '#web/api/fetched.ts'
import { peopleQuery } from '#web/api/queries.ts'
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
  return props.total === null ? <OfAll {...props} /> : <Searched {...props} total={props.total} />
}

function OfAll(props: ExpertPickerProps) {
  const total = props.options.reduce((sum, option) => sum + option.predictions, 0)
  return <Dropdown {...props} items={[everyone(total), ...props.options]} />
}

/** The people of a large record, of whom those are asked for that fit what is typed. */
function Searched(props: ExpertPickerProps & { readonly total: number }) {
  const { asset, options, total, past } = props
  const [search, setSearch] = useState('')
  const { data } = useFetched(peopleQuery(asset, search.trim(), past))
  const [held, hold] = useState(data)
  if (data !== undefined && data !== held) hold(data)
  const found = data ?? held
  const isChosen = (option: ExpertOption) => options.some(({ slug }) => slug === option.slug)
  const isAll = search.trim() === ''
  const items = [
    ...(isAll ? [everyone(total), ...options] : []),
    ...(found?.people ?? []).filter((option) => !isAll || !isChosen(option)),
  ]
  const rest = (found?.total ?? 0) - (found?.people.length ?? 0)
  return (
    <Dropdown
      {...props}
      items={items}
      onSearch={setSearch}
      note={rest > 0 ? `${showCount(rest)} others: type a part of a name.` : null}
    />
  )
}

function everyone(predictions: number): ExpertOption {
  return { slug: EVERYONE, name: ALL_INFLUENCERS, predictions }
}

function Dropdown(
  props: ExpertPickerProps & {
    readonly items: readonly ExpertOption[]
    /** Items are those that fit; without it the list is searched here. */
    readonly onSearch?: (text: string) => void
    readonly note?: string | null
  },
) {
  const { items, chosen, multiple, onChoose, onSearch, note } = props
  const [isOpen, setIsOpen] = useState(true)
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
      {...(onSearch && { filter: null, onInputValueChange: onSearch })}
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
                    {showCount(option.predictions)}
                  </Text>
                </Combobox.Item>
              )}
            </Combobox.List>
            {note && (
              <Text tone="quiet" size="small">
                {note}
              </Text>
            )}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
