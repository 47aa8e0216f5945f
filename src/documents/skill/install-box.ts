import { CLIENTS } from './clients.ts'
import type { InstallCommand, InstallWay, Section } from '../document.ts'
import { html } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'

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

const renderCommand = ({ clients, place, command }: InstallCommand): Html => {
  const label = `${clients.map(nameOf).join(', ')} · ${PLACES[place].toLowerCase()}`
  return html`<div class="command" data-clients="${clients.join(' ')}" data-place="${place}">
    <p class="hidden">${label}</p>
    <pre class="line"><code>${command}</code></pre>
  </div> `
}

const renderWay = ({ name, suits, commands }: InstallWay): Html =>
  html`<div class="way">
    <p><b>${name}</b>, ${suits}</p>
    <button type="button" class="copy" hidden>Copy</button>
    <div class="commands">${commands.map(renderCommand)}</div>
  </div> `

/** The content below the box. */
interface Below {
  text: Html
  fold: Html
}

/** Renders the box with all commands. Styles show only those for the selected client and place. */
export const renderInstallBox = (
  { id, heading }: Section,
  ways: readonly InstallWay[],
  { text, fold }: Below,
): Html => {
  const box = html`<div class="box">${renderChoices()} ${ways.map(renderWay)}</div>`
  return html`<section class="part install" data-part="${id}">
    <h2 id="${id}">${heading}</h2>
    ${ways.length > 0 ? box : undefined}
    <div class="after">${text} ${fold}</div>
  </section>`
}
