import { parseArgs } from 'node:util'

/** An option of a benchmark; optional unless required. */
interface Option {
  type: 'string' | 'boolean'
  default?: string
  required?: true
  about: string
}

type Options = Readonly<Record<string, Option>>

type Values<Of extends Options> = {
  [Name in keyof Of]: Of[Name] extends { type: 'boolean' }
    ? boolean | undefined
    : Of[Name] extends { default: string } | { required: true }
      ? string
      : string | undefined
}

const describe = ([name, option]: [string, Option]): string => {
  const otherwise = option.default ? ` (default ${option.default})` : ''
  const needed = option.required ? ' (required)' : ''
  return `  ${`--${name}`.padEnd(14)}  ${option.about}${needed || otherwise}`
}

/**
 * Reads the options of a benchmark from the command line. `--help` prints them and ends the process. An unknown or
 * missing option does the same, with exit code 1.
 */
export const readOptions = <const Of extends Options>(purpose: string, options: Of): Values<Of> => {
  const all: Options = options
  const usage = [purpose, '', ...Object.entries(all).map(describe)].join('\n')
  try {
    const known = { ...all, help: { type: 'boolean' } } as const
    const values: Record<string, unknown> = parseArgs({ options: known }).values
    if (values['help']) {
      console.log(usage)
      process.exit()
    }
    for (const [name, { required }] of Object.entries(all))
      if (required && values[name] === undefined) throw new Error(`Option '--${name}' is missing`)
    return values as Values<Of>
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    return process.exit(1)
  }
}
