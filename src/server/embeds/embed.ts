import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type Html } from './html.ts'

/** A page as it is framed elsewhere, before it is drawn. */
export type Embed = {
  /** Its finding, in plain text. */
  readonly title: string
  /** The path of its page, which may have moved. */
  readonly path: string
  readonly asOf: Day
  /** Whose prices it rests on. */
  readonly assets: readonly AssetKey[]
  /** Whose words or calls it is about. */
  readonly author: { readonly name: string; readonly slug: string } | null
  /** Its picture for previews, as PNG; null where there is none. */
  readonly picture: {
    readonly path: string
    readonly width: number
    readonly height: number
  } | null
  /** It is no longer on record. */
  readonly isWithdrawn: boolean
  readonly body: () => Html
}
