import type { Document } from '../document.ts'
import { PATHS } from '../paths.ts'
import { tabled } from '../prose/blocks.ts'
import { inCode, paragraphs, phrase, stacked } from '../prose/phrases.ts'

export interface ListedClient {
  /** Identifies the client in the form and in its commands. */
  id: string
  name: string
  /** Name of the client for `skills add -a`. */
  agent: string
  /** Skill directory in a project. */
  project: string
  /** Skill directory for all projects, relative to the user's home. */
  home: string
}

/** The project directory that most clients read. */
export const SHARED_DIRECTORY = '.agents/skills'

/** Clients as in the `skills` CLI: name, name for `skills add -a`, directories in a project and in the user's home. */
const ALL_CLIENTS: readonly (readonly [string, string, string, string])[] = [
  ['Claude Code', 'claude-code', '.claude/skills', '.claude/skills'],
  ['Codex', 'codex', SHARED_DIRECTORY, SHARED_DIRECTORY],
  ['Cursor', 'cursor', SHARED_DIRECTORY, '.cursor/skills'],
  ['Copilot', 'github-copilot', SHARED_DIRECTORY, '.copilot/skills'],
  ['Gemini', 'gemini-cli', SHARED_DIRECTORY, '.gemini/skills'],
  ['OpenCode', 'opencode', SHARED_DIRECTORY, '.config/opencode/skills'],
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
]

/** Number of clients that read SKILL.md. */
export const CLIENT_COUNT = ALL_CLIENTS.length

/** Skill pages offer this many clients, the first in the list. */
const OFFERED = 6

export const CLIENTS: readonly ListedClient[] = ALL_CLIENTS.slice(0, OFFERED).map(
  ([name, agent, project, home]) => {
    const id = name.split(' ', 1)[0]!.toLowerCase()
    return { id, name, agent, project, home }
  },
)

/** The client that is selected by default. */
export const [FIRST_CLIENT] = CLIENTS as [ListedClient]

/** Day on which the directories were taken from the `skills` CLI. */
const READ_ON = '2026-11-20'

const HOW_TO_USE = phrase`A skill is a folder in one of these directories. The commands on a skill’s page use the directory of the client selected there; replace it for another client. \`npx skills add\` takes the name of the client in \`-a\`.`

/** Writes the page with the directories of all clients. The table would be too long for every skill page. */
export const writeDirectoriesDocument = (): Document => {
  const directories = tabled(
    ['Client', 'Name', 'In the project', 'For every project'],
    ALL_CLIENTS.map(([name, agent, project, home]) => [
      phrase`${name}`,
      inCode(agent),
      inCode(project),
      inCode(`~/${home}`),
    ]),
  )
  return {
    kind: 'article',
    path: PATHS.directories,
    heading: 'Clients and their directories',
    lead: phrase`Where each assistant looks for skills, in a project and in the user’s home directory.`,
    description: `The directories in which ${CLIENT_COUNT} assistants look for skills.`,
    updated: READ_ON,
    isUnindexed: false,
    sections: [{ id: 'directories', ...stacked([paragraphs(HOW_TO_USE), directories]) }],
  }
}
