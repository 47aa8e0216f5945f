/** The address that a line of curl asks, where it is of this site. */
const addressOf = (line: string): string | undefined => {
  const [, address = ''] = /^curl .*"(https?:\/\/[^"]+)"\s*$/.exec(line.trim()) ?? []
  if (!URL.canParse(address)) return undefined
  const { pathname, search } = new URL(address)
  return pathname + search
}

const HEADERS = ['content-type', 'content-length', 'content-disposition', 'etag']

/** What is shown of an answer: JSON as it is, and of a file its headers. */
const describeAnswer = async (response: Response): Promise<string> => {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('application/json'))
    return JSON.stringify(await response.json(), undefined, 2)
  await response.body?.cancel()
  return HEADERS.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  }).join('\n')
}

const makeAnswer = (): HTMLPreElement => {
  const block = document.createElement('pre')
  block.tabIndex = 0
  return block
}

/** Puts a button below a line of curl that asks the same here, and shows status and answer. */
const addRun = (block: HTMLPreElement): void => {
  const address = addressOf(block.textContent ?? '')
  if (address === undefined) return
  const frame = block.closest('.code') ?? block
  const bar = document.createElement('p')
  bar.className = 'run'
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Run'
  button.setAttribute('aria-label', `Run ${address}`)
  const status = document.createElement('span')
  status.setAttribute('role', 'status')
  bar.append(button, status)
  frame.after(bar)
  let answer: HTMLPreElement | undefined
  let runs = 0
  button.addEventListener('click', async () => {
    runs += 1
    const run = runs
    status.textContent = 'Asking…'
    const began = performance.now()
    let shown: [string, string]
    try {
      const response = await fetch(address)
      const text = await describeAnswer(response)
      const took = Math.round(performance.now() - began)
      shown = [`${response.status} ${response.statusText}, ${took} ms`, text]
    } catch {
      shown = ['No answer: the service cannot be reached.', '']
    }
    if (run !== runs) return
    const [line, text] = shown
    status.textContent = line
    if (text === '') answer?.remove()
    else {
      answer ??= makeAnswer()
      answer.textContent = text
      bar.after(answer)
    }
  })
}

for (const block of document.querySelectorAll<HTMLPreElement>('pre[data-language="sh"]'))
  addRun(block)
