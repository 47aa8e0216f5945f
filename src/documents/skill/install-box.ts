import { CLIENTS } from './clients.ts'
import type { Document, InstallCommand, Section } from '../document.ts'
import { html } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'
import { renderFacts } from '../sections.ts'

const PLACES = { project: 'This project', home: 'Every project' } as const

const nameOf = (id: string): string => CLIENTS.find((client) => client.id === id)?.name ?? id

const renderRadio = (name: string, value: string, label: string, at: number): Html =>
  html`<label>
    <input type="radio" name="${name}" value="${value}" ${at === 0 ? 'checked' : ''} />
    ${label}
  </label> `

const renderChoices = (): Html =>
  html`<div class="choices">
    <fieldset>
      <legend>Client</legend>
      ${CLIENTS.map(({ id, name }, at) => renderRadio('client', id, name, at))}
    </fieldset>
    <fieldset>
      <legend>Place</legend>
      ${Object.entries(PLACES).map(([place, label], at) => renderRadio('place', place, label, at))}
    </fieldset>
  </div>`

/** Whether a reader who chose one command sees the other, too. */
const isShownWith = (one: InstallCommand, other: InstallCommand): boolean =>
  one.place === other.place && one.clients.some((client) => other.clients.includes(client))

const renderCommand = (
  command: InstallCommand,
  at: number,
  all: readonly InstallCommand[],
): Html => {
  const isFirst = !all.slice(0, at).some((before) => isShownWith(command, before))
  const label = `${command.clients.map(nameOf).join(', ')} · ${PLACES[command.place].toLowerCase()}`
  return html`<div
    class="command"
    data-clients="${command.clients.join(' ')}"
    data-place="${command.place}"
  >
    <p class="hidden">${label}</p>
    <pre class="${isFirst ? 'line' : 'other'}"><code>${command.command}</code></pre>
  </div> `
}

const renderPick = (slug: string): Html =>
  html`<label class="pick">
    <input type="checkbox" name="skills" form="basket" value="${slug}" />
    Add to a joint install
  </label>`

/** Renders the box with the commands: without styles all of them, else those for the chosen client and place. */
export const renderInstallBox = (
  { id, heading }: Section,
  commands: readonly InstallCommand[],
  below: Html,
  { moreFacts = [], pick }: Pick<Document, 'moreFacts' | 'pick'>,
): Html => {
  const copyLine = html`<button type="button" class="copy" data-copies="line" hidden>Copy</button>`
  const choices = html`${renderChoices()}
    <div class="commands">${commands.map(renderCommand)}</div>`
  return html`<section class="part install" data-part="${id}">
    <header>
      <h2 id="${id}">${heading}</h2>
      ${commands.length > 0 ? copyLine : undefined}
      <button type="button" class="copy" data-copies="twin" hidden>Copy as Markdown</button>
    </header>
    ${commands.length > 0 ? choices : undefined}
    ${pick && renderPick(pick)}
    <div class="text">${below}</div>
    ${renderFacts(moreFacts)}
  </section>`
}
