import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cssVariables, THEMES, type ThemeName } from '#chart/theme.ts'

const css = readFileSync('src/web/ui/tokens.css', 'utf8')

function variablesOf(theme: ThemeName): Map<string, string> {
  const pairs = css.matchAll(/(--[\w-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;/g)
  return new Map(
    [...pairs].map(([, name = '', light = '', dark = light]) => [
      name,
      theme === 'light' ? light : dark,
    ]),
  )
}

/** Relative luminance and contrast by WCAG 2.2. */
function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const colours = variablesOf(theme)
  const colour = (name: string): string => colours.get(name) ?? ''

  it('matches the chart colours', () => {
    for (const line of cssVariables(THEMES[theme]).toLowerCase().split('\n')) {
      const [name = '', value = ''] = line.replace(';', '').split(': ')
      expect([name, colour(name)]).toEqual([name, value])
    }
  })

  it.each(['--ink', '--ink-2', '--brand-text', '--hit', '--miss', '--pending'])(
    'has readable %s on page, surface and raised',
    (text) => {
      for (const ground of ['--page', '--surface', '--raised']) {
        expect(contrast(colour(text), colour(ground))).toBeGreaterThanOrEqual(4.5)
      }
    },
  )

  it('has readable outcome texts on their tint, and text on the brand colour', () => {
    for (const outcome of ['hit', 'miss', 'pending']) {
      const found = contrast(colour(`--${outcome}`), colour(`--${outcome}-tint`))
      expect(found).toBeGreaterThanOrEqual(4.5)
    }
    expect(contrast(colour('--on-brand'), colour('--brand'))).toBeGreaterThanOrEqual(4.5)
  })

  it('has rings and borders visible against their background', () => {
    for (const ring of ['--focus', '--edge']) {
      for (const ground of ['--page', '--surface']) {
        expect(contrast(colour(ring), colour(ground))).toBeGreaterThanOrEqual(3)
      }
    }
  })
})
