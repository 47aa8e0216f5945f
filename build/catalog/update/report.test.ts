import { expect, test } from 'vitest'
import { scanSkill } from '../../../src/catalog/safety/scan.ts'
import { describeFinding } from './report.ts'

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
