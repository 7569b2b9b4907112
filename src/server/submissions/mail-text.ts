/** A paragraph: words, a link of ours with what it is for, or a picture of ours with its words. */
export type MailPart =
  | string
  | readonly [label: string, url: string]
  | { readonly picture: string; readonly words: string }

/** The body of a mail in its two forms. What people wrote is text in both. */
export function mailText(parts: readonly MailPart[]): { text: string; html: string } {
  return {
    text: `${parts.flatMap(linesOf).join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${parts.map(paragraphOf).join('')}</body></html>`,
  }
}

function linesOf(part: MailPart): string[] {
  if (typeof part === 'string') return [part]
  return 'picture' in part ? [] : [`${part[0]}: ${part[1]}`]
}

function paragraphOf(part: MailPart): string {
  if (typeof part === 'string') return `<p>${escaped(part)}</p>`
  if ('picture' in part) {
    const { picture, words } = part
    return `<p><img src="${escaped(picture)}" alt="${escaped(words)}" width="600" style="max-width:100%;height:auto"></p>`
  }
  const [label, url] = part
  return `<p>${escaped(label)}: <a href="${escaped(url)}">${escaped(url)}</a></p>`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
