import { isbot } from 'isbot'

/**
 * Programs that a person runs, or that read for one who asked: they declare themselves as programs,
 * and installs come from them.
 */
const TOOLS =
  /^(?:curl|wget|libcurl|aria2|httpie|xh|powershell|node|node-fetch|undici|axios|got|bun|deno|skills|clawhub|opencode|claude-code|claude-cli|codex|cursor|gemini-cli)(?:[\s/-]|$)|\b(?:Claude-User|ChatGPT-User|Perplexity-User|MistralAI-User|DuckAssistBot)\b/i

const AGENTS_KEPT = 10_000
const known = new Map<string, boolean>()

const judge = (agent: string): boolean => agent !== '' && !TOOLS.test(agent) && isbot(agent)

/** Says whether a user agent declares a robot. */
export const isRobot = (agent: string): boolean => {
  const before = known.get(agent)
  if (before !== undefined) return before
  const robot = judge(agent)
  if (known.size >= AGENTS_KEPT) known.clear()
  // A copy: what was cut out of a log would keep the whole piece of it in memory.
  known.set(Buffer.from(agent).toString(), robot)
  return robot
}
