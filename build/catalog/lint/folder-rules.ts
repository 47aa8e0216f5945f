import type { RuleTable } from './rule.ts'

/** What can be wrong with the files of a skill. */
export const FOLDER_RULES = {
  'file-missing': {
    severity: 'error',
    message: 'there is no SKILL.md here or below',
    remedy: 'name a folder that has one',
  },
  'file-name': {
    severity: 'warning',
    message: 'the file is not called SKILL.md, and many readers look for no other name',
    remedy: 'rename it to SKILL.md',
    fix: 'renames it',
  },
  'file-unfit': {
    severity: 'error',
    message: 'a file that no skill may have',
    remedy: 'remove it',
  },
  'folder-unread': {
    severity: 'warning',
    message: 'a folder that is not looked into',
    remedy: 'name the folder it leads to',
  },
} as const satisfies RuleTable
