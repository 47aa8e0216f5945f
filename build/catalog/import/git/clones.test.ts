import { expect, test } from 'vitest'
import { CommandError } from '../../cli/errors.ts'
import { checkPublicHost } from './clones.ts'

const checkAt = (remote: string, address = '8.8.8.8') =>
  checkPublicHost({ given: remote, remote }, (_host, callback) =>
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]),
  )

test.each([
  ['https://127.0.0.1/o/r', undefined],
  ['https://[::1]/o/r', undefined],
  ['https://169.254.169.254/o/r', undefined],
  ['https://2130706433/o/r', undefined],
  ['https://git.example/o/r', '10.0.0.7'],
  ['https://localhost/o/r', '::1'],
])('%s at %s -> refused, with the value and the remedy', async (remote, address) => {
  const asked = checkAt(remote, address)
  await expect(asked).rejects.toThrow(CommandError)
  await expect(asked).rejects.toThrow(
    /^"https:.*" was not contacted: .* is not a public address\. Name a public host, or .* file:/,
  )
})

test('a public host, a local repository, an unknown name -> left to git', async () => {
  await checkAt('https://git.example/o/r')
  await checkAt('file:///x/y', '127.0.0.1')
  await checkPublicHost({ given: '', remote: 'https://no.example/o/r' }, (_host, callback) =>
    callback(new Error('ENOTFOUND'), []),
  )
})
