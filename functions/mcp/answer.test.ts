import { beforeAll, describe, expect, test } from 'vitest'
import { writeFixture } from '../../testing/fixture.ts'
import { openSite } from '../site.ts'
import type { ServedSite } from '../site.ts'
import { createStore, readBody } from '../store.ts'
import { answerMcp } from './answer.ts'

const files = writeFixture()

let site: ServedSite
beforeAll(async () => {
  site = await openSite(createStore((name) => files[name]))
})

const post = async (messages: unknown): Promise<{ status: number; text: string }> => {
  const answer = await answerMcp(
    {
      method: 'POST',
      target: '/mcp',
      posted: {
        headers: { 'content-type': 'application/json' },
        body: new TextEncoder().encode(JSON.stringify(messages)),
      },
    },
    site,
  )
  return { status: answer.status, text: new TextDecoder().decode(await readBody(answer.body)) }
}

const readSkill = (slug: string): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_skill', arguments: { slug } },
})

const batchOf = (count: number): object[] =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))

describe('a batch', () => {
  test('of a few messages is answered', async () => {
    expect(await post(batchOf(8))).toMatchObject({ status: 200 })
  })

  test.each([9, 100])('of %i is refused: each may ask for a whole file', async (count) => {
    const { status, text } = await post(batchOf(count))
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } })
  })
})

describe('get_skill', () => {
  test('reads a moved skill by its old slug', async () => {
    const { text } = await post(readSkill('csv-tidy'))
    expect(text).toBe((await post(readSkill('csv-clean'))).text)
    expect(text).not.toContain('isError')
  })

  test('takes a slug of any length that a skill may have', async () => {
    const { text } = await post(readSkill('a'.repeat(100)))
    expect(text).toContain('No skill has the slug')
    expect((await post(readSkill('a'.repeat(101)))).text).toContain('1 to 100 of a-z and 0-9')
  })
})
