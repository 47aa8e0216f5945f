import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ORIGIN, writeFixture } from '../fixture.ts'
import { askOrigin } from './ask.ts'
import { askPlainCdn } from './cdn.ts'
import { CONTRACT } from './contract.ts'
import { asPrivate } from './private.ts'
import { NotASiteError, chooseClauses, readOrigin } from './from-site.ts'
import { holdTo, renderHeld, renderKept } from './table.ts'

const DOCS = fileURLToPath(new URL('../../docs/hosts.md', import.meta.url))

const USAGE = `Usage: npm run contract -- <origin> [--fixture] [--parsed] [--private]
       npm run contract -- --docs

  <origin>   a site that is up, such as https://skills.example
  --fixture  it serves the fixture of the tests, so every clause applies
  --parsed   its platform parses addresses: leave out what needs the target as it was sent
  --private  its site.json says that it is private, so no shared cache may keep an answer
  --docs     write what a plain CDN keeps into docs/hosts.md`

const writeDocs = async (): Promise<void> => {
  const kept = await renderKept(askPlainCdn(writeFixture()))
  const block = `\`\`\`plain-cdn\n${kept}\n\`\`\``
  writeFileSync(
    DOCS,
    readFileSync(DOCS, 'utf8').replace(/```plain-cdn\n[^]*?```/, () => block),
  )
}

interface Held {
  isFixture: boolean
  isParsed: boolean
  isPrivate: boolean
}

const hold = async (origin: string, { isFixture, isParsed, isPrivate }: Held): Promise<boolean> => {
  const ask = askOrigin(origin)
  const chosen = isFixture ? CONTRACT : await chooseClauses(ask, isPrivate)
  const clauses = isPrivate ? asPrivate(chosen) : chosen
  const named = isFixture ? ORIGIN : await readOrigin(ask)
  const held = await holdTo(clauses, ask, { origin: named, isParsed })
  console.log(renderHeld(held))
  if (named !== new URL(origin).origin && !isFixture)
    console.log(`The site was built for ${named}; set SITE_URL when you build.`)
  return held.every(({ breaches }) => breaches.length === 0)
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      fixture: { type: 'boolean', default: false },
      parsed: { type: 'boolean', default: false },
      private: { type: 'boolean', default: false },
      docs: { type: 'boolean', default: false },
    },
  })
  const [origin = ''] = positionals
  if (values.docs) await writeDocs()
  else if (!/^https?:/.test(origin) || !URL.canParse(origin)) {
    console.error(USAGE)
    process.exitCode = 2
  } else {
    const { fixture: isFixture, parsed: isParsed, private: isPrivate } = values
    if (!(await hold(origin, { isFixture, isParsed, isPrivate }))) process.exitCode = 1
  }
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  const isExpected = error instanceof NotASiteError || code !== undefined
  console.error(isExpected ? message || code : error)
  process.exitCode = 1
}
