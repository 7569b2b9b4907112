const BLOCK =
  /^<\/?(?:article|aside|blockquote|button|div|dl|fieldset|figure|footer|form|h[1-6]|header|label|legend|li|main|nav|ol|p|section|select|summary|svg|table|title|tr|ul)\b|^<dt\b/
const PIECE = /^<(?:dd|option|td|text|th)\b/
const SAID =
  /\s(?:aria-\w+|alt|checked|datetime|disabled|href|max|maxlength|min|open|placeholder|required|role|rows|selected|src|title|type|value)(?:="[^"]*")?(?=[\s/>])/g
/** Attributes that connect parts of a page, or are the same everywhere. */
const SILENT =
  /^(?:aria-(?:busy|controls|describedby|haspopup|hidden|invalid|labelledby|live)|role="(?:group|img|list|none|status)"|type="(?:button|checkbox|radio|submit|text)"|src="data:|href="#)/
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** What markup says, one line a block or row: its text, with names, addresses and values in brackets. */
export function linesOf(html: string): string {
  const lines = html
    .replaceAll(/<(script|style|template)\b[^]*?<\/\1>|<!--[^]*?-->|<link\b[^>]*>/g, '')
    .replaceAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"\/?>/g, '<p>$1: $2</p>')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<tr\b.*?<\/tr>|<dd\b.*?<\/dd>/g, (row) =>
      row.replaceAll(/(?!^)<\/?(?:article|button|div|dl|dt|label|li|ol|p|svg|ul)\b/g, ' <span'),
    )
    .replaceAll(/<[^>]+>/g, (tag) => {
      const said = [...tag.matchAll(SAID)].map(([one]) => one.trim())
      const named = said.filter((one) => !SILENT.test(one)).join(' ')
      const words = named === '' || tag.startsWith('</') ? '' : ` [${named}] `
      if (PIECE.test(tag)) return ` |${words} `
      if (BLOCK.test(tag)) return `\n${words}`
      return /^<(?:small|span|time)\b/.test(tag) ? words || ' ' : words
    })
    .replaceAll(/&(?:#x([\da-f]+)|(amp|lt|gt|quot));/gi, (_, hex?: string, name?: string) =>
      hex ? String.fromCodePoint(parseInt(hex, 16)) : (ENTITIES[name ?? ''] ?? ''),
    )
  return plain(lines.replaceAll(/\n[\s|]+/g, '\n'))
}

/** JSON with each innermost list or object on one line. */
export function jsonLines(value: unknown): string {
  const onOne = (part: string): string => part.replaceAll(/\s*\n\s*/g, ' ')
  return plain(JSON.stringify(value, null, 1).replaceAll(/[[{][^[\]{}]*[\]}]/g, onOne))
}

/** Without random keys, last digits and spaces that differ between versions of Node, and empty lines. */
export function plain(text: string): string {
  return text
    .replaceAll(/[\u00a0\u202f\u2009]/g, ' ')
    .replaceAll(/\d\.\d{7,}/g, (long) => Number(long).toPrecision(6))
    .replaceAll(/\b[\da-f]{8}-[\da-f]{4}-\w{4}-[\da-f]{4}-[\da-f]{12}\b/g, '<id>')
    .replaceAll(/\b[\da-f]{64,128}\b/g, '<hash>')
    .replaceAll(/\bln(?:bc|tb|bcrt)\w{50,}/g, '<invoice>')
    .replaceAll(/(?<=\/receipt\/|#|"(?:push|token)": ")[\w-]{20,}/g, '<random>')
    .replaceAll(/(?<=\bRead in |"duration_ms": )[\d.]+/g, '<time>')
    .replaceAll(/("version": ?)"[^"]*"/g, '$1"<version>"')
    .replaceAll(/(?<=\S) {2,}(?=\S)/g, ' ')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()
}
