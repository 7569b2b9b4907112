import { useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Row, Stack } from '#web/ui/primitives.tsx'
import { ASPECT, isSoft, PREVIEW_SIZE, type Cut, type Source } from './use-pictures.ts'
import css from './social.module.css'

const MOST_ZOOM = 4

export function CropDialog({
  source,
  cut,
  onCrop,
  onClose,
}: {
  readonly source: Source
  readonly cut: Cut | null
  readonly onCrop: (cut: Cut) => void
  readonly onClose: () => void
}) {
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area | null>(null)
  const { address } = source
  return (
    <Dialog title="Crop the picture" size="form" onClose={onClose}>
      <Row gap={4} align="start">
        <div className={`${css.stage} card relative clipped`}>
          <Cropper
            image={address}
            crop={crop}
            zoom={zoom}
            maxZoom={MOST_ZOOM}
            aspect={ASPECT}
            disableAutomaticStylesInjection
            {...(cut === null ? {} : { initialCroppedAreaPixels: cut })}
            cropperProps={{
              role: 'application',
              'aria-label': 'Piece that is shown; move it with the arrow keys',
            }}
            mediaProps={{ alt: '' }}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropAreaChange={(_, pixels) => setArea(pixels)}
          />
        </div>
        <Stack className="narrow">
          <Field label="Zoom">
            {(control) => (
              <input
                {...control}
                type="range"
                className="full tap"
                min={1}
                max={MOST_ZOOM}
                step={0.01}
                value={zoom}
                onChange={(event) => setZoom(Number(event.target.value))}
              />
            )}
          </Field>
          <p className="muted small" role="status">
            {area !== null && isSoft(area)
              ? `This crop is ${String(Math.round(area.width))} pixels wide and will look soft at 1200.`
              : `Shown at ${String(PREVIEW_SIZE.width)} × ${String(PREVIEW_SIZE.height)}, uploaded at 1200 × 675.`}
          </p>
          <Row fill>
            <DialogClose
              render={
                <Button
                  look="primary"
                  disabled={area === null}
                  onClick={() => area !== null && onCrop(area)}
                />
              }
            >
              Use this crop
            </DialogClose>
            <DialogClose render={<Button />}>Cancel</DialogClose>
          </Row>
        </Stack>
      </Row>
    </Dialog>
  )
}
