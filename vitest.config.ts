import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,build,functions,bench}/**/*.test.ts', 'e2e/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    reporters: ['dot'],
  },
})
