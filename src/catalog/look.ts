import { z } from 'zod'

// The operator's branding: `look` in `site.json`.

/** Backgrounds of both colour schemes (src/styles/tokens.css), on which the accent must be legible. */
const PAPERS = { light: '#fbfaf6', dark: '#181713' } as const

/** Least contrast of text with its background (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5

const luminanceOf = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrastOf = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const accentOn = (scheme: keyof typeof PAPERS) =>
  z
    .string()
    .regex(/^#[0-9a-f]{6}$/, 'must be a colour as "#0b5345", in lower case')
    .refine(
      (colour) => contrastOf(colour, PAPERS[scheme]) >= LEAST_CONTRAST,
      `must have a contrast of ${LEAST_CONTRAST} with the ${scheme} paper, ${PAPERS[scheme]}`,
    )

/** Font family names; those with blanks are in single quotes. */
const families = z
  .string()
  .max(200, 'at most 200 characters')
  .regex(
    /^(?:'[\w -]+'|[\w-]+)(?:, (?:'[\w -]+'|[\w-]+))*$/,
    `must be names of fonts as CSS has them: 'Gill Sans', sans-serif`,
  )

/** The schema of `look`; absent fields keep the defaults. */
export const lookRecord = z.strictObject({
  /** SVG path data in a square of 32 units. */
  mark: z
    .string()
    .max(4_000, 'at most 4,000 characters')
    .regex(
      /^[Mm][MmLlHhVvCcSsQqTtAaZz0-9 ,.-]*$/,
      'must be the data of an SVG path, such as "M4 4h24v24H4z"',
    )
    .optional(),
  accent: z.strictObject({ light: accentOn('light'), dark: accentOn('dark') }).optional(),
  fonts: z
    .strictObject({
      heading: families.optional(),
      text: families.optional(),
      code: families.optional(),
    })
    .optional(),
})
export type Look = z.infer<typeof lookRecord>
