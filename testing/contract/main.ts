import { parseArgs } from 'node:util'
import { publishFixture } from '../fixture.ts'
import { sendToOrigin } from './requests.ts'
import { NotASiteError, checkSite } from './site-up.ts'

const USAGE = `Usage: npm run contract -- <origin>   (or ORIGIN=<origin> npm run contract)
       npm run contract -- --fixture <folder>

  <origin>   a running site, such as https://skills.example
  --parsed   the site's platform parses addresses: leave out the clauses that need the raw request target
  --fixture  write the test site into a folder, to serve it and check every clause`

const OPTIONS = {
  parsed: { type: 'boolean', default: false },
  fixture: { type: 'string' },
} as const

const check = async (origin: string, isParsed: boolean): Promise<void> => {
  const { passed, failed } = await checkSite(sendToOrigin(origin), isParsed)
  for (const clause of failed) console.log(`FAILED  ${clause.replace(/[^\P{Cc}\n]/gu, ' ')}`)
  console.log(`${passed} of ${passed + failed.length} clauses passed`)
  if (failed.length > 0) process.exitCode = 1
}

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS })
  const [origin = process.env['ORIGIN'] ?? ''] = positionals
  if (values.fixture !== undefined) publishFixture(values.fixture, 'one')
  else if (/^https?:/.test(origin) && URL.canParse(origin)) await check(origin, values.parsed)
  else {
    console.error(USAGE)
    process.exitCode = 2
  }
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  const isExpected = error instanceof NotASiteError || code !== undefined
  console.error(isExpected ? message || code : error)
  process.exitCode = 1
}
