/** The published types belong to an older release, which lacks `keepFeatures`. */
declare module 'subset-font' {
  interface SubsetOptions {
    targetFormat: 'woff2' | 'truetype'
    variationAxes: Record<string, number | { min: number; max: number }>
    keepFeatures: readonly string[]
  }

  const subsetFont: (font: Buffer, text: string, options: SubsetOptions) => Promise<Buffer>
  export default subsetFont
}
