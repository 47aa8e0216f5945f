/** Says whether a name is a plain relative path that stays below the folder it is written to. */
export const isPlainPath = (name: string): boolean =>
  !/[\\\0\uFFFD]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part))
