import { createHash } from 'node:crypto'
import { cssVariables, SITE_THEMES } from '#chart/theme.ts'

const LIGHT = oneLine(cssVariables(SITE_THEMES.light))
const DARK = oneLine(cssVariables(SITE_THEMES.dark))

const FROM = { middle: 460, wide: 760 } as const

/** Sizes of a picture, CSS pixels: as wide as the narrowest frame that shows them allows, so that no letter is below 11 px. */
export const DRAWINGS = [
  { width: 296, height: 240 },
  { width: FROM.middle - 24, height: 250 },
  { width: FROM.wide - 24, height: 300 },
] as const

/** In the page itself: nothing shifts when it comes, and it costs no request. */
export const EMBED_STYLE = oneLine(`
:root{color-scheme:light dark;${LIGHT}}
@media (prefers-color-scheme:dark){:root:not([data-theme]){${DARK}}}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark;${DARK}}
*{box-sizing:border-box}
body{margin:0;padding:12px;background:var(--surface);color:var(--ink);font:15px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow-wrap:anywhere}
h1{margin:0;font-size:18px;line-height:1.3}
p{margin:6px 0 0}
a{color:var(--brand-text)}
a:focus-visible,summary:focus-visible{outline:2px solid var(--brand-text);outline-offset:2px}
small,.quiet,footer,details,th,td small{font-size:13px}
.quiet,footer,td small,th small{color:var(--ink-2)}
.head{display:flex;flex-wrap:wrap;gap:6px 12px;align-items:flex-start;justify-content:space-between}
.head h1{flex:1 1 15em}
.badge{display:inline-flex;gap:6px;align-items:center;padding:2px 10px;border:1.5px solid;border-radius:8px;font-weight:700;color:var(--tone);background:var(--tint)}
.hit{--tone:var(--hit);--tint:var(--hit-tint)}
.miss{--tone:var(--miss);--tint:var(--miss-tint)}
.pending{--tone:var(--pending);--tint:var(--pending-tint)}
.void{--tone:var(--ink-2);--tint:var(--page)}
.note{padding:8px 12px;border-radius:8px;background:var(--pending-tint)}
.picture{margin:10px 0 0}
.picture>svg{display:none;width:100%;height:auto;max-height:430px}
@media (max-width:${String(FROM.middle - 0.02)}px){.picture>svg:nth-child(1){display:block}}
@media (min-width:${String(FROM.middle)}px) and (max-width:${String(FROM.wide - 0.02)}px){.picture>svg:nth-child(2){display:block}}
@media (min-width:${String(FROM.wide)}px){.picture>svg:nth-child(3){display:block}}
.legend{display:flex;flex-wrap:wrap;gap:2px 14px;font-size:13px;color:var(--ink-2)}
.legend span{display:inline-flex;gap:5px;align-items:center}
svg.strip{display:block;overflow:visible;margin-top:6px}
.strip .line,.strip .tick{stroke:var(--hairline)}
.strip .line{stroke-width:2}
.strip text{fill:var(--ink-2);font-size:13px}
.dot{stroke-width:1.75;stroke:var(--tone);fill:var(--surface)}
.dot.hit{fill:var(--tone)}
.dot.pending{stroke-dasharray:2.5 2}
a:focus-visible .dot{stroke:var(--ink);stroke-width:3}
dl{display:flex;flex-wrap:wrap;gap:4px 28px;margin:10px 0 0}
dt{color:var(--ink-2);font-size:13px}
dd{margin:0;font-weight:700}
table{width:100%;margin-top:8px;border-collapse:collapse;table-layout:fixed}
th,td{padding:5px 0;border-top:1px solid var(--hairline);text-align:left;font-weight:400;vertical-align:middle}
th{font-size:14px;padding-right:10px}
th small,td small{display:block}
td.figure{width:9.5em;text-align:right;font-size:14px}
td.strip{padding-right:10px}
summary{width:fit-content;padding:5px 0;cursor:pointer;color:var(--ink-2)}
details ul{margin:0;padding:0 0 0 18px}
details li{padding:3px 0}
footer{margin-top:10px;padding-top:6px;border-top:1px solid var(--hairline)}
footer p{margin:0}
footer a,details li a{display:inline-block;padding:2px 0}
@media (max-width:${String(FROM.middle - 0.02)}px){h1{font-size:16px}td.strip,.of-strips,.between{display:none}td.figure{width:8.5em}}
`)

/** Its hash in the content security policy. */
export const EMBED_STYLE_HASH = `'sha256-${createHash('sha256').update(EMBED_STYLE).digest('base64')}'`

function oneLine(css: string): string {
  return css.replaceAll(/\n/g, '').trim()
}
