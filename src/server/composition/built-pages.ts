import { type PageAddress, type RenderPage } from '#contracts/page.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AdminSite } from '#server/http/admin-site.ts'
import { type BuiltPages } from '#server/predictions/web-pages.routes.ts'

/** The built web app, or null when the server runs from its sources and Vite serves the pages. */
export async function builtPages(root: string): Promise<BuiltPages | null> {
  const [web, ssr] = [join(root, 'dist', 'web'), join(root, 'dist', 'ssr', 'entry-server.js')]
  const isBuilt = existsSync(join(web, 'index.html')) && existsSync(ssr)
  if (process.env['NODE_ENV'] === 'development' || !isBuilt) return null
  const built = (await import(pathToFileURL(ssr).href)) as {
    render: RenderPage
    address: PageAddress
  }
  return {
    template: readFileSync(join(web, 'index.html'), 'utf8'),
    folder: web,
    render: built.render,
    address: built.address,
  }
}

export function builtAdminPages(root: string): AdminSite | null {
  const folder = join(root, 'dist', 'admin')
  const page = join(folder, 'admin.html')
  if (process.env['NODE_ENV'] === 'development' || !existsSync(page)) return null
  return { folder, page: readFileSync(page, 'utf8') }
}
