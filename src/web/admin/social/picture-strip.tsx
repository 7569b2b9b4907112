import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ALT_TEXT_USD, MOST_PICTURES } from '#domain/publishing/post-length.ts'
import { MOST_ALT_TEXT } from '#domain/publishing/social-post.ts'
import { Section } from '#web/admin/kit/screen.tsx'
import { Button, FileButton, IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Panel, Row, Stack, Tiles, Callout, Text, Quiet } from '#web/ui/primitives.tsx'
import { later } from '#web/ui/still.tsx'
import { costText } from './composition.ts'
import { useDesk } from './desk.ts'
import { isUploading, PREVIEW_SIZE, viewOf, type Slot } from './use-pictures.ts'
import css from './social.module.css'

const CropDialog = later(async () => (await import('./crop-dialog.tsx')).CropDialog)

/** Pictures for all networks: up to four, each with alternative text. */
export function PictureStrip() {
  const { composer } = useDesk()
  const [cropping, setCropping] = useState<string | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const { pictures, composition } = composer
  const { slots, faults } = pictures
  const { prediction_id: predictionId } = composition
  const isFull = slots.length >= MOST_PICTURES
  const isDrawing = slots.some((slot) => slot.chartOf !== null && isUploading(slot))
  const cropped = slots.find(({ key }) => key === cropping)
  return (
    <Section
      title="Pictures"
      aside={
        <>
          <Quiet className="grow">
            {slots.length} of {MOST_PICTURES}, for all networks
          </Quiet>
          <Row>
            {predictionId !== null && (
              <Button
                disabled={isFull || isDrawing}
                onClick={() => void pictures.addChart(predictionId)}
              >
                {isDrawing ? 'Drawing…' : 'Add its chart'}
              </Button>
            )}
            <FileButton
              ref={addButton}
              disabled={isFull}
              label="Pictures"
              accept="image/jpeg,image/png,image/webp,image/gif"
              multiple
              onFiles={pictures.add}
            >
              <Icon name="plus" size={16} /> Add pictures
            </FileButton>
          </Row>
        </>
      }
    >
      {faults.length > 0 && (
        <Callout as="div" tone="bad" gap={1} strong role="alert">
          {faults.map((fault) => (
            <p key={fault}>{fault}</p>
          ))}
        </Callout>
      )}
      {slots.length === 0 ? (
        <Panel as="p" className="muted at-center">
          Drop pictures here or paste them. Cropped to 16:9; camera data and location are removed.
        </Panel>
      ) : (
        <Tiles as="ol" gap={4} least="16rem">
          {slots.map((slot, at) => (
            <SlotView
              key={slot.key}
              slot={slot}
              at={at}
              onCrop={() => setCropping(slot.key)}
              onRemove={() => {
                // The pressed button is gone, so move the focus on.
                flushSync(() => pictures.remove(slot.key))
                addButton.current?.focus()
              }}
            />
          ))}
        </Tiles>
      )}
      {cropped?.source && (
        <CropDialog
          source={cropped.source}
          cut={cropped.cut}
          onCrop={(cut) => pictures.crop(cropped.key, cut)}
          onClose={() => setCropping(null)}
        />
      )}
    </Section>
  )
}

function SlotView({
  slot,
  at,
  onCrop,
  onRemove,
}: {
  readonly slot: Slot
  readonly at: number
  readonly onCrop: () => void
  readonly onRemove: () => void
}) {
  const { pictures } = useDesk().composer
  const count = pictures.slots.length
  const tools = useRef<HTMLDivElement>(null)
  /** The focus moves along; at either end, one of the buttons is disabled. */
  function move(by: -1 | 1): void {
    flushSync(() => pictures.move(key, by))
    const [front, back] = tools.current?.querySelectorAll('button') ?? []
    const [target, other] = by === -1 ? [front, back] : [back, front]
    ;(target?.disabled ? other : target)?.focus()
  }

  const { key, alt, fault, source } = slot
  const [view, isBusy] = [viewOf(slot), isUploading(slot)]
  const name = `picture ${String(at + 1)}`
  return (
    <Stack as="li" gap={2} className={css.slot}>
      <div className="card relative clipped" aria-busy={isBusy}>
        {view !== '' && (
          <img
            className={css.picture}
            src={view}
            alt={alt === '' ? `Picture ${String(at + 1)}` : alt}
            {...PREVIEW_SIZE}
            onError={() => pictures.lost(key)}
          />
        )}
        {isBusy && (
          <span className={`${css.busy} centred semibold`} role="status">
            Uploading…
          </span>
        )}
      </div>
      <Row ref={tools} gap={1} whole>
        {count > 1 && (
          <>
            <IconButton
              look="plain"
              label={`Move ${name} to the front`}
              disabled={at === 0}
              onClick={() => move(-1)}
            >
              ←
            </IconButton>
            <IconButton
              look="plain"
              label={`Move ${name} to the back`}
              disabled={at === count - 1}
              onClick={() => move(1)}
            >
              →
            </IconButton>
          </>
        )}
        {source && (
          <Button size="small" aria-label={`Crop ${name}`} onClick={onCrop}>
            Crop
          </Button>
        )}
        <span className="grow" />
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          <Icon name="close" size={16} />
        </IconButton>
      </Row>
      {fault !== null && (
        <Stack gap={2} align="start" role="alert">
          <Text tone="bad" className="semibold">
            {fault}
          </Text>
          {source && <Button onClick={() => pictures.crop(key)}>Upload again</Button>}
        </Stack>
      )}
      <TextField
        label={`Alternative text of ${name}`}
        name={`alt of ${key}`}
        hint={
          alt === ''
            ? `For people who can’t see the picture. X charges ${costText(ALT_TEXT_USD)}.`
            : undefined
        }
        rows={2}
        maxLength={MOST_ALT_TEXT}
        value={alt}
        onChange={(text) => pictures.describe(key, text)}
      />
    </Stack>
  )
}
