import type { Look } from '../../src/catalog/look.ts'

/** Renders a `look` as overrides of src/styles/tokens.css. */
export const renderLook = ({ accent, fonts = {} }: Look = {}): string => {
  const values = Object.entries({
    ...(accent ? { accent: `light-dark(${accent.light}, ${accent.dark})` } : {}),
    ...(accent ? { 'on-accent': 'var(--paper)' } : {}),
    ...fonts,
  })
  if (values.length === 0) return ''
  return `:root { ${values.map(([name, value]) => `--${name}: ${value};`).join(' ')} }`
}
