interface Client {
  /** Names it in a choice: of an input's value, and of a line. */
  id: string
  name: string
  /** Its name for `skills add -a`. */
  agent: string
  /** Where it looks for skills: in a project, and below the home of its user. */
  project: string
  home: string
}

const SHARED = '.agents/skills'

/** The clients that a reader chooses among, and their directories as the `skills` CLI has them (2026-11). */
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

/** Directories of projects that several clients share. */
export const SHARED_DIRECTORY = SHARED
