import { z } from 'zod'

/** The colours of src/styles/tokens.css; `seen` says where they appear. */
export const COLOURS = {
  paper: { light: '#fbfaf6', dark: '#181713', seen: 'the page' },
  raised: { light: '#f3f0e7', dark: '#23211c', seen: 'behind code and boxes' },
  ink: { light: '#1c1a16', dark: '#ece7dc', seen: 'text' },
  soft: { light: '#514d43', dark: '#bab3a4', seen: 'quieter text' },
  rule: { light: '#ddd8ca', dark: '#3a372f', seen: 'lines between things' },
  edge: { light: '#857f70', dark: '#857e6f', seen: 'borders of fields and buttons' },
  accent: { light: '#0b5345', dark: '#8ad0bb', seen: 'links, buttons, the mark' },
  onAccent: { light: '#fbfaf6', dark: '#10241e', seen: 'text on the accent' },
  mark: { light: '#efe5bd', dark: '#4a4420', seen: 'behind search words' },
  warn: { light: '#7d3a08', dark: '#f0b98a', seen: 'findings' },
} as const

type ColourName = keyof typeof COLOURS
type Scheme = 'light' | 'dark'
const SCHEMES: readonly Scheme[] = ['light', 'dark']

/** Minimum contrast of text and graphics with their background (WCAG 2.2, 1.4.3 and 1.4.11). */
const CONTRASTS: readonly [least: number, front: ColourName, back: ColourName][] = [
  ...(['ink', 'soft', 'accent', 'warn'] as const).flatMap((front) =>
    (['paper', 'raised'] as const).map((back): [number, ColourName, ColourName] => [
      4.5,
      front,
      back,
    ]),
  ),
  [4.5, 'ink', 'mark'],
  [4.5, 'onAccent', 'accent'],
  [3, 'edge', 'paper'],
]

const luminanceOf = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrastOf = (front: string, back: string): number => {
  const [dark = 0, light = 0] = [luminanceOf(front), luminanceOf(back)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/, 'must be a colour such as "#0b5345", in lower case')

const colours = z
  .strictObject(
    { light: colour, dark: colour },
    'must be a pair such as {"light": "#0b5345", "dark": "#8ad0bb"}',
  )
  .optional()

/** Font family names; names with spaces must be in single quotes. */
const families = z
  .string()
  .max(200, 'at most 200 characters')
  .regex(
    /^(?:'[\w -]+'|[\w-]+)(?:, (?:'[\w -]+'|[\w-]+))*$/,
    `must be a list of fonts as in CSS: 'Gill Sans', sans-serif`,
  )
  .optional()

/** The fonts of tokens.css. */
export const FONTS = ['text', 'heading', 'code'] as const

type Colours = { [Name in ColourName]?: Record<Scheme, string> | undefined }

/** The colour that a page shows: if the theme changes only `accent`, `onAccent` becomes the colour of `paper`. */
const shownColour = (theme: Colours, name: ColourName, scheme: Scheme): string =>
  name === 'onAccent' && theme.accent && !theme.onAccent
    ? shownColour(theme, 'paper', scheme)
    : (theme[name] ?? COLOURS[name])[scheme]

/** The schema of `theme`; absent fields keep the defaults. */
export const themeRecord = z
  .strictObject({
    ...(Object.fromEntries(Object.keys(COLOURS).map((name) => [name, colours])) as Record<
      ColourName,
      typeof colours
    >),
    heading: families,
    text: families,
    code: families,
  })
  .superRefine((theme: Colours, context) => {
    for (const [least, front, back] of CONTRASTS)
      for (const scheme of SCHEMES) {
        const behind = shownColour(theme, back, scheme)
        const found = contrastOf(shownColour(theme, front, scheme), behind)
        const name = [front, back].find((side) => theme[side])
        if (found >= least || name === undefined) continue
        const message = `"${front}" must have a contrast of ${least} with "${back}", ${behind}; it has ${found.toFixed(1)}`
        context.addIssue({ code: 'custom', path: [name, scheme], message })
      }
  })
export type Theme = z.infer<typeof themeRecord>

/** Renders a theme as overrides of tokens.css; empty if there are none. */
export const renderTheme = (theme: Theme = {}): string => {
  const onAccent = theme.accent && !theme.onAccent ? { onAccent: 'var(--paper)' } : {}
  const values = Object.entries({ ...onAccent, ...theme }).map(([name, value = '']) => {
    const property = name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)
    const words = typeof value === 'string' ? value : `light-dark(${value.light}, ${value.dark})`
    return `--${property}: ${words};`
  })
  // `:root:root` outweighs the `:root` of tokens.css, which comes later in the page.
  return values.length === 0 ? '' : `:root:root { ${values.join(' ')} }\n`
}
