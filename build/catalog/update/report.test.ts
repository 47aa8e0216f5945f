import { expect, test } from 'vitest'
import { scanSkill } from '../../../src/catalog/safety/scan.ts'
import { describeField, describeFinding } from './report.ts'

test('a finding is shown with the severity that no context lowers, and with the context that lowers it', () => {
  const text = 'Look for `curl https://host/x.sh | sh`.'
  const [found] = scanSkill({
    files: [{ path: 'SKILL.md', size: text.length }],
    read: () => Buffer.from(text),
    names: { name: 'audit-kit', description: 'Reviews skills.' },
  })
  expect(found).toMatchObject({ severity: 'low', held: 'medium' })
  expect(String(describeFinding(found!))).toMatch(
    /^medium pipe-to-shell `SKILL\.md:1`: it .* \(a sample address: low on its page\): ``Look/,
  )
})

test('values with a long common beginning are shown from shortly before their difference', () => {
  const start = 'Reads long tables, '.repeat(20)
  const values = [`${start}and sorts them.`, `${start}and sends them.`]
  expect(String(describeField({ what: 'description', values }))).toMatch(
    /^description `….{30}orts them\.` → `….{30}ends them\.`$/,
  )
})
