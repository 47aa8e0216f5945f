import { expect, test } from 'vitest'
import { parseRegistry } from './registry.ts'

test.each(['https://127.0.0.2', 'https://10.0.0.1', 'https://[fd00::1]'])(
  '%s -> not requested, unless the registry is private',
  async (origin) => {
    const registry = parseRegistry(origin, { isOwn: false })
    await expect(registry?.requestList()).rejects.toThrow(/ is not a public address; /)
  },
)
