import type { Document } from '../document.ts'
import { PATHS } from '../paths.ts'
import { codeSpan, joinBlocks, md, table } from '../prose/md.ts'

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

/** The directory that most clients share. */
export const SHARED_DIRECTORY = '.agents/skills'

/** The clients to choose from, with their directories as in the `skills` CLI (2026-11). */
export const CLIENTS = [
  {
    id: 'claude',
    name: 'Claude Code',
    agent: 'claude-code',
    project: '.claude/skills',
    home: '.claude/skills',
  },
  { id: 'codex', name: 'Codex', agent: 'codex', project: SHARED_DIRECTORY, home: SHARED_DIRECTORY },
  {
    id: 'cursor',
    name: 'Cursor',
    agent: 'cursor',
    project: SHARED_DIRECTORY,
    home: '.cursor/skills',
  },
  {
    id: 'copilot',
    name: 'Copilot',
    agent: 'github-copilot',
    project: SHARED_DIRECTORY,
    home: '.copilot/skills',
  },
  {
    id: 'gemini',
    name: 'Gemini',
    agent: 'gemini-cli',
    project: SHARED_DIRECTORY,
    home: '.gemini/skills',
  },
  {
    id: 'opencode',
    name: 'OpenCode',
    agent: 'opencode',
    project: SHARED_DIRECTORY,
    home: '.config/opencode/skills',
  },
] as const satisfies readonly Client[]

/** Other clients: name, name for `skills add -a`, directory in a project, directory below the user's home. */
const OTHER_CLIENTS = [
  ['Amp', 'amp', SHARED_DIRECTORY, '.config/agents/skills'],
  ['Antigravity', 'antigravity', SHARED_DIRECTORY, '.gemini/antigravity/skills'],
  ['Cline', 'cline', SHARED_DIRECTORY, SHARED_DIRECTORY],
  ['Continue', 'continue', '.continue/skills', '.continue/skills'],
  ['Crush', 'crush', '.crush/skills', '.config/crush/skills'],
  ['Droid', 'droid', SHARED_DIRECTORY, '.factory/skills'],
  ['Goose', 'goose', '.goose/skills', '.config/goose/skills'],
  ['Kiro CLI', 'kiro-cli', '.kiro/skills', '.kiro/skills'],
  ['OpenClaw', 'openclaw', 'skills', '.openclaw/skills'],
  ['Qwen Code', 'qwen-code', '.qwen/skills', '.qwen/skills'],
  ['Roo Code', 'roo', '.roo/skills', '.roo/skills'],
  ['Warp', 'warp', SHARED_DIRECTORY, SHARED_DIRECTORY],
  ['Windsurf', 'windsurf', '.windsurf/skills', '.codeium/windsurf/skills'],
  ['Zed', 'zed', SHARED_DIRECTORY, SHARED_DIRECTORY],
] as const

/** Day on which the directories were read from the `skills` CLI. */
const READ = '2026-11-20'

const HOW_TO_USE = md`A skill is a folder in one of these directories. Commands on a skill’s page name the directory of the client chosen there; for another client, put its directory there instead. With \`npx skills add\`, pass its name to \`-a\`.`

/** Writes the page of all clients' directories, a table too long for each skill page. */
export const writeDirectoriesDocument = (): Document => {
  const rows = [
    ...CLIENTS.map(({ name, agent, project, home }) => [name, agent, project, home]),
    ...OTHER_CLIENTS,
  ]
  const directories = table(
    ['Client', 'Name', 'In the project', 'For every project'],
    rows.map(([name = '', agent = '', project = '', home = '']) => [
      name,
      codeSpan(agent),
      codeSpan(project),
      codeSpan(`~/${home}`),
    ]),
  )
  return {
    kind: 'prose',
    path: PATHS.directories,
    heading: 'Clients and their directories',
    lead: md`Where each assistant looks for skills, in a project and below a user’s home.`,
    description: `The directories in which ${rows.length} assistants look for skills.`,
    updated: READ,
    isIndexable: true,
    facts: [],
    sections: [{ id: 'directories', markdown: joinBlocks([HOW_TO_USE, directories]) }],
  }
}
