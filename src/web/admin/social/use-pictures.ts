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

export type Slot = {
  readonly key: string
  readonly view: string
  readonly alt: string
  readonly picture: Picture | null
  readonly isBusy: boolean
  readonly fault: string | null
  /** The original; null if only the server has it. */
  readonly source: Source | null
  readonly cut: Cut | null
  /** Id of the prediction if this is its chart; null after a reload. */
  readonly chartOf: string | null
}

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
  const views = useRef(new Set<string>())
  // Reads files one after another, to enforce the limit on their number.
  const reading = useRef<Promise<void>>(Promise.resolve())

  useEffect(() => {
    const current = views.current
    return () => {
      for (const view of current) URL.revokeObjectURL(view)
    }
  }, [])

  function set(next: readonly Slot[]): void {
    current.current = next
    setSlots(next)
    onChange(next.flatMap(({ picture, alt }) => (picture === null ? [] : [{ ...picture, alt }])))
  }

  function change(key: string, part: Partial<Slot>): void {
    set(current.current.map((slot) => (slot.key === key ? { ...slot, ...part } : slot)))
  }

  const has = (key: string): boolean => current.current.some((slot) => slot.key === key)

  async function bring(key: string, source: Source, cut: Cut | null): Promise<void> {
    change(key, { source, cut, isBusy: true, fault: null, picture: null })
    const blob = await cropped(source, cut).catch(() => null)
    if (!has(key)) return
    if (!blob) {
      change(key, {
        isBusy: false,
        fault: 'The browser cannot draw this picture. Please save it again in another program.',
      })
      return
    }
    const view = URL.createObjectURL(blob)
    views.current.add(view)
    change(key, { view })
    try {
      const form = new FormData()
      form.append('image', blob, 'picture.jpg')
      const { picture } = await adminCall(uploadPicture, { form, ...UPLOAD_PATIENCE })
      if (has(key)) change(key, { picture, isBusy: false })
    } catch (error) {
      change(key, { isBusy: false, fault: sentenceOf(error) })
    }
  }

  async function add(files: readonly Blob[]): Promise<void> {
    const free = MOST_PICTURES - current.current.length
    const messages: string[] = []
    if (files.length > free) messages.push(tooMany(files.length, free))
    setFaults(messages)
    for (const file of files.slice(0, Math.max(0, free))) {
      const source = await readSource(file)
      if (typeof source === 'string') {
        messages.push(file instanceof File ? `${file.name}: ${source}` : source)
        setFaults([...messages])
        continue
      }
      views.current.add(source.address)
      const slot = { ...NEW, key: newKey(), source }
      set([...current.current, slot])
      void bring(slot.key, source, null)
    }
  }

  return {
    slots,
    faults,
    add: (files: readonly Blob[]): void => {
      reading.current = reading.current.then(() => add(files))
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
        const drawn = slotOf(await chartOf(predictionId))
        change(slot.key, { ...drawn, key: slot.key, chartOf: predictionId })
      } catch (error) {
        if (!has(slot.key)) return
        set([...current.current.filter(({ key }) => key !== slot.key), ...old])
        setFaults([`The chart could not be drawn: ${sentenceOf(error)}`])
      }
    },
    /** Crops again, or retries a failed upload. */
    crop: (key: string, cut?: Cut): void => {
      const slot = current.current.find((one) => one.key === key)
      if (slot?.source) void bring(key, slot.source, cut ?? slot.cut)
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
      set(current.current.filter((slot) => slot.key !== key))
    },
    replace: (pictures: readonly Picture[]): void => {
      setFaults([])
      set(pictures.map(slotOf))
    },
  }
}

const UNSEEN =
  'The picture could not be loaded. If the server does not have it any more, please add it again.'

const NEW: Omit<Slot, 'key'> = {
  view: '',
  alt: '',
  picture: null,
  isBusy: true,
  fault: null,
  source: null,
  cut: null,
  chartOf: null,
}

function slotOf(picture: Picture): Slot {
  const { url, alt } = picture
  return { ...NEW, key: newKey(), view: url, alt, picture, isBusy: false }
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
