import type { Document } from './document.ts'
import { PATHS } from './paths.ts'
import { sectionOf } from './markdown.ts'
import { inlineCode, paragraph, tableOf } from './tree.ts'

interface Client {
  /** Value of the input that chooses the client, and key of its commands. */
  id: string
  name: string
  /** Its name for `skills add -a`. */
  agent: string
  /** Its skill directories: in a project, and below the user's home. */
  project: string
  home: string
}

const SHARED = '.agents/skills'

/** The clients to choose from, with their directories as in the `skills` CLI (2026-11). */
export const CLIENTS = [
  {
    id: 'claude',
    name: 'Claude Code',
    agent: 'claude-code',
    project: '.claude/skills',
    home: '.claude/skills',
  },
  { id: 'codex', name: 'Codex', agent: 'codex', project: SHARED, home: SHARED },
  { id: 'cursor', name: 'Cursor', agent: 'cursor', project: SHARED, home: '.cursor/skills' },
  {
    id: 'copilot',
    name: 'Copilot',
    agent: 'github-copilot',
    project: SHARED,
    home: '.copilot/skills',
  },
  { id: 'gemini', name: 'Gemini', agent: 'gemini-cli', project: SHARED, home: '.gemini/skills' },
  {
    id: 'opencode',
    name: 'OpenCode',
    agent: 'opencode',
    project: SHARED,
    home: '.config/opencode/skills',
  },
] as const satisfies readonly Client[]

/** Other clients: name, name for `skills add -a`, directory in a project, directory below the user's home. */
const OTHER_CLIENTS = [
  ['Amp', 'amp', SHARED, '.config/agents/skills'],
  ['Antigravity', 'antigravity', SHARED, '.gemini/antigravity/skills'],
  ['Cline', 'cline', SHARED, SHARED],
  ['Continue', 'continue', '.continue/skills', '.continue/skills'],
  ['Crush', 'crush', '.crush/skills', '.config/crush/skills'],
  ['Droid', 'droid', SHARED, '.factory/skills'],
  ['Goose', 'goose', '.goose/skills', '.config/goose/skills'],
  ['Kiro CLI', 'kiro-cli', '.kiro/skills', '.kiro/skills'],
  ['OpenClaw', 'openclaw', 'skills', '.openclaw/skills'],
  ['Qwen Code', 'qwen-code', '.qwen/skills', '.qwen/skills'],
  ['Roo Code', 'roo', '.roo/skills', '.roo/skills'],
  ['Warp', 'warp', SHARED, SHARED],
  ['Windsurf', 'windsurf', '.windsurf/skills', '.codeium/windsurf/skills'],
  ['Zed', 'zed', SHARED, SHARED],
] as const

/** The day on which the directories were taken from the `skills` CLI. */
const READ = '2026-11-20'

/** Writes the page of all clients' directories, a table too long for each skill page. */
export const writeDirectoriesDocument = (): Document => {
  const rows = [
    ...CLIENTS.map(({ name, agent, project, home }) => [name, agent, project, home]),
    ...OTHER_CLIENTS,
  ]
  const blocks = [
    paragraph(
      'A skill is a folder in one of these directories. The line on its page names the directory of the client that is chosen there; put another in its place, and it installs the skill for that client. ',
      inlineCode('npx skills add'),
      ' takes the name beside the client behind ',
      inlineCode('-a'),
      '.',
    ),
    tableOf(
      [
        [['Client'], ['Name'], ['In the project'], ['For every project']],
        ...rows.map(([name = '', agent = '', project = '', home = '']) => [
          [name],
          [inlineCode(agent)],
          [inlineCode(project)],
          [inlineCode(`~/${home}`)],
        ]),
      ],
      [null, null, null, null],
    ),
  ]
  return {
    kind: 'prose',
    path: PATHS.directories,
    heading: 'Clients and their directories',
    lead: ['Where each assistant looks for skills, in a project and below a user’s home.'],
    description: `The directories in which ${rows.length} assistants look for skills.`,
    updated: READ,
    isIndexable: true,
    facts: [],
    sections: [sectionOf('directories', undefined, blocks)],
  }
}
