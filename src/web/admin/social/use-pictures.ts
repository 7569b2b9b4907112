import { useEffect, useRef, useState } from 'react'
import { type z } from 'zod'
import { chartPicture, uploadPicture, type SocialPicture } from '#contracts/publishing.ts'
import { MOST_PICTURES } from '#domain/publishing/post-length.ts'
import { IMAGE_FAULTS, IMAGE_TYPES, sizeFault } from '#domain/publishing/social-post.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { sentenceOf, newKey } from '#web/api/call.ts'

export type Picture = z.infer<typeof SocialPicture>
const UPLOAD_PATIENCE = { patienceMs: 60_000 }

export async function chartOf(predictionId: string): Promise<Picture> {
  const body = { prediction_id: predictionId }
  return (await adminCall(chartPicture, { body, ...UPLOAD_PATIENCE })).picture
}

/** A picture of the post: on the server, on its way there, or refused. */
export type Slot = {
  readonly key: string
  readonly alt: string
  /** Null until it is uploaded. */
  readonly picture: Picture | null
  readonly fault: string | null
  /** The original; null if only the server has it. */
  readonly source: Source | null
  readonly cut: Cut | null
  /** Id of the prediction if this is its chart; null after a reload. */
  readonly chartOf: string | null
}

export const isUploading = ({ picture, fault }: Slot): boolean => picture === null && fault === null

/** What is shown of it: the original until it is uploaded, nothing before that is read. */
export const viewOf = ({ picture, source }: Slot): string => picture?.url ?? source?.address ?? ''

/**
 * The pictures of a post. Each is cropped to its centre and uploaded immediately; the crop can be changed later.
 *
 * @param initial pictures uploaded before the page was loaded
 * @param onChange receives the uploaded pictures in order
 */
export function usePictures(
  initial: readonly Picture[],
  onChange: (pictures: readonly Picture[]) => void,
) {
  const [slots, setSlots] = useState<readonly Slot[]>(() => initial.map(slotOf))
  const [faults, setFaults] = useState<readonly string[]>([])
  const current = useRef(slots)
  const addresses = useRef<string[]>([])

  useEffect(() => {
    const { current: opened } = addresses
    return () => opened.forEach((address) => URL.revokeObjectURL(address))
  }, [])

  function set(next: readonly Slot[]): void {
    current.current = next
    setSlots(next)
    onChange(next.flatMap(({ picture, alt }) => (picture === null ? [] : [{ ...picture, alt }])))
  }

  const change = (key: string, part: Partial<Slot>): void =>
    set(current.current.map((slot) => (slot.key === key ? { ...slot, ...part } : slot)))
  const without = (key: string) => current.current.filter((slot) => slot.key !== key)

  async function upload(key: string, source: Source, cut: Cut | null): Promise<void> {
    change(key, { source, cut, fault: null, picture: null })
    const image = await cropped(source, cut).catch(() => null)
    if (!image) return change(key, { fault: UNDRAWN })
    const form = new FormData()
    form.append('image', image, 'picture.jpg')
    await adminCall(uploadPicture, { form, ...UPLOAD_PATIENCE }).then(
      ({ picture }) => change(key, { picture }),
      (error: unknown) => change(key, { fault: sentenceOf(error) }),
    )
  }

  async function read(file: Blob): Promise<void> {
    const slot = { ...NEW, key: newKey() }
    set([...current.current, slot])
    const source = await readSource(file)
    if (typeof source !== 'string') {
      addresses.current.push(source.address)
      return upload(slot.key, source, null)
    }
    set(without(slot.key))
    setFaults((all) => [...all, file instanceof File ? `${file.name}: ${source}` : source])
  }

  return {
    slots,
    faults,
    add: (files: readonly Blob[]): void => {
      const free = MOST_PICTURES - current.current.length
      setFaults(files.length > free ? [tooMany(files.length, free)] : [])
      for (const file of files.slice(0, Math.max(0, free))) void read(file)
    },
    /** Adds the chart of a prediction, replacing another chart; posts wait until it is drawn. */
    addChart: async (predictionId: string): Promise<void> => {
      if (current.current.some((one) => one.chartOf === predictionId)) return
      const others = current.current.filter((one) => one.chartOf === null)
      const old = current.current.filter((one) => one.chartOf !== null)
      const isFull = others.length >= MOST_PICTURES
      setFaults(isFull ? [tooMany(1, 0)] : [])
      if (isFull) return
      const slot = { ...NEW, key: newKey(), chartOf: predictionId }
      set([...others, slot])
      try {
        const picture = await chartOf(predictionId)
        change(slot.key, { picture, alt: picture.alt })
      } catch (error) {
        if (!current.current.some(({ key }) => key === slot.key)) return
        set([...without(slot.key), ...old])
        setFaults([`The chart could not be drawn: ${sentenceOf(error)}`])
      }
    },
    /** Crops again, or retries a failed upload. */
    crop: (key: string, cut?: Cut): void => {
      const slot = current.current.find((one) => one.key === key)
      if (slot?.source) void upload(key, slot.source, cut ?? slot.cut)
    },
    describe: (key: string, alt: string): void => change(key, { alt }),
    /** The image failed to load: the server may have deleted it, or be unreachable. */
    lost: (key: string): void => change(key, { fault: UNSEEN }),
    move: (key: string, by: -1 | 1): void => {
      const from = current.current.findIndex((slot) => slot.key === key)
      const moved = current.current[from]
      const to = from + by
      if (!moved || to < 0 || to >= current.current.length) return
      set(current.current.toSpliced(from, 1).toSpliced(to, 0, moved))
    },
    remove: (key: string): void => {
      setFaults([])
      set(without(key))
    },
    replace: (pictures: readonly Picture[]): void => {
      setFaults([])
      set(pictures.map(slotOf))
    },
  }
}

const UNSEEN =
  'The picture could not be loaded. If the server does not have it any more, please add it again.'
const UNDRAWN = 'The browser cannot draw this picture. Please save it again in another program.'

const NEW = { alt: '', picture: null, fault: null, source: null, cut: null, chartOf: null }

function slotOf(picture: Picture): Slot {
  return { ...NEW, key: newKey(), alt: picture.alt, picture }
}

function tooMany(count: number, free: number): string {
  const most = `Up to ${String(MOST_PICTURES)} pictures per post.`
  if (free <= 0) return `${most} Please remove one first.`
  const left = count - free
  return `${most} ${String(left)} of the ${String(count)} ${left === 1 ? 'was' : 'were'} not added.`
}

/** Size of uploads and previews (administrator-tools.md §5). */
const PICTURE_SIZE = { width: 1_200, height: 675 } as const
export const PREVIEW_SIZE = { width: 400, height: 225 } as const
export const ASPECT = PICTURE_SIZE.width / PICTURE_SIZE.height

export type Cut = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Size = { readonly width: number; readonly height: number }

/** The largest centred 16:9 crop. */
export function centreCut({ width, height }: Size): Cut {
  const cut =
    width / height > ASPECT ? { width: height * ASPECT, height } : { width, height: width / ASPECT }
  return { ...cut, x: (width - cut.width) / 2, y: (height - cut.height) / 2 }
}

/** Whether the crop has fewer pixels than the upload. */
export function isSoft({ width }: Pick<Cut, 'width'>): boolean {
  return Math.round(width) < PICTURE_SIZE.width
}

/** An original picture and its object URL, which the owner must revoke. */
export type Source = { readonly file: Blob; readonly address: string }

/** Larger than photos of any camera; the file is only read locally. */
const MOST_FILE_BYTES = 60 * 1024 * 1024
const JPEG_QUALITY = 0.9

/**
 * Decodes a picture by content, not by file name.
 *
 * @returns an error sentence if it is rejected
 */
export async function readSource(file: Blob): Promise<Source | string> {
  if (file.size > MOST_FILE_BYTES)
    return 'The file is larger than 60 MB. Please choose a smaller picture.'
  if (file.size === 0) return IMAGE_FAULTS.empty
  try {
    // Browsers display truncated pictures but do not make a bitmap of them.
    const bitmap = await createImageBitmap(file)
    const fault = sizeFault(bitmap.width, bitmap.height)
    bitmap.close()
    return fault ?? { file, address: URL.createObjectURL(file) }
  } catch {
    const isPicture = IMAGE_TYPES.some((type) => type === file.type)
    return isPicture ? IMAGE_FAULTS.damaged : IMAGE_FAULTS.foreign
  }
}

/**
 * Crops a picture and draws it at 1200×675, which removes all metadata.
 *
 * @param cut in displayed pixels; null for the centre
 * @throws Error if the browser cannot draw it
 */
async function cropped({ file }: Source, cut: Cut | null): Promise<Blob> {
  // Orient it as the cropper shows it.
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    const { x, y, width, height } = cut ?? centreCut(bitmap)
    const canvas = document.createElement('canvas')
    canvas.width = PICTURE_SIZE.width
    canvas.height = PICTURE_SIZE.height
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('no canvas')
    // Transparent areas would turn black in a JPEG.
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(bitmap, x, y, width, height, 0, 0, canvas.width, canvas.height)
    return await new Promise((done, fail) => {
      canvas.toBlob(
        (blob) => (blob ? done(blob) : fail(new Error('no picture'))),
        'image/jpeg',
        JPEG_QUALITY,
      )
    })
  } finally {
    bitmap.close()
  }
}
