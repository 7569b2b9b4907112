import { createContext, useContext } from 'react'
import { type AssetPageData, type Contacts, type PageData, type Priced } from '#contracts/page.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'

export type Site = {
  /** Without trailing slash. */
  readonly origin: string
  /** The server's day, so that server and browser render the same. */
  readonly today: Day
  readonly priced: Priced
  readonly contacts: Contacts
  readonly openSubmit: () => void
}

export const SiteContext = createContext<Site | null>(null)

export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite needs a SiteContext')
  return site
}

/** Page data from the server; null for an asset page opened by client-side navigation, which fetches its lists. */
export type PageContent =
  | Exclude<PageData, AssetPageData>
  | {
      readonly page: 'asset'
      readonly asset: AssetKey
      readonly seed: AssetPageData | null
    }

export type PageName = PageContent['page']
export type ContentOf<Name extends PageName> = Extract<PageContent, { readonly page: Name }>

export type PageProps<Name extends PageName> = { readonly content: ContentOf<Name> }

export function contentOf(data: PageData): PageContent {
  return data.page === 'asset' ? { page: 'asset', asset: data.asset, seed: data } : data
}
