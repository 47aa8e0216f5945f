/** Folders that belong to a tool, not to an author. */
export const TOOL_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules'])
