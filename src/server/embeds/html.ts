import { escapeXml } from '#chart/svg.ts'

/** Markup of our own. */
export type Html = { readonly html: string }

type Part = string | number | null | Html | readonly Html[]

/** Markup in which every text is escaped: html`<b>${name}</b>`. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return {
    html: texts.map((text, i) => (i === 0 ? text : written(parts[i - 1] ?? null) + text)).join(''),
  }
}

/** Markup that was made elsewhere with its words escaped, such as a picture. */
export function markup(text: string): Html {
  return { html: text }
}

function written(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'number') return String(part)
  if (typeof part === 'string') return escapeXml(part)
  return 'html' in part ? part.html : part.map((one) => one.html).join('')
}
