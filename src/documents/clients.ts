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

/** Directory of projects that several clients share. */
export const SHARED_DIRECTORY = SHARED

/** Other clients, by their names for `skills add -a`, and their directories in a project and below a user's home. */
export const OTHER_CLIENTS = [
  ['amp', SHARED, '.config/agents/skills'],
  ['antigravity', SHARED, '.gemini/antigravity/skills'],
  ['cline, warp, zed', SHARED, SHARED],
  ['continue', '.continue/skills', '.continue/skills'],
  ['crush', '.crush/skills', '.config/crush/skills'],
  ['droid', SHARED, '.factory/skills'],
  ['goose', '.goose/skills', '.config/goose/skills'],
  ['kiro-cli', '.kiro/skills', '.kiro/skills'],
  ['openclaw', 'skills', '.openclaw/skills'],
  ['qwen-code', '.qwen/skills', '.qwen/skills'],
  ['roo', '.roo/skills', '.roo/skills'],
  ['windsurf', '.windsurf/skills', '.codeium/windsurf/skills'],
] as const
