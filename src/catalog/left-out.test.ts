import { expect, test } from 'vitest'
import { findLeftOut } from './left-out.ts'

test.each([
  ['tool-file', '.git .hg .svn'],
  [
    'editor-file',
    '.SKILL.md.swp .SKILL.md.swo .swp .notes.un~ SKILL.md~ SKILL.MD.BAK 4913 #SKILL.md# .#SKILL.md a.py.orig a.py.rej',
  ],
  [
    'editor-file',
    '~$plan.docx .~lock.plan.odt# .goutputstream-ABCDEF a.ts___jb_tmp___ notes.txt.sb-3f2a1b0c-aBcDeF',
  ],
  // Vim with a folder for swap files, or on Windows; Nano after it was killed.
  ['editor-file', 'SKILL.md.swp a.md.swo _SKILL.md.swp SKILL.md.save'],
  [
    'system-file',
    '.DS_Store ._SKILL.md __MACOSX Icon\r Desktop.ini .localized THUMBS.DB ehthumbs.db',
  ],
  ['system-file', '.Spotlight-V100 .Trashes .Trash-1000 $RECYCLE.BIN .directory @eaDir'],
  ['system-file', 'SKILL.md:Zone.Identifier .nfs000000000123 .fuse_hidden0000'],
  ['environment-file', '.env .env.local'],
  [undefined, 'SKILL.md Icon icons .envrc .env.example .env.local.Sample 4913.md #1 backup.md'],
  [undefined, 'original.md .swift .gitignore c# $1.txt a._b x.bak.md logo.swf save'],
])('names left out by the rule %s: %s', (rule, listed) => {
  const names = listed.split(' ')
  expect(names.map((name) => [name, findLeftOut(name)])).toEqual(names.map((name) => [name, rule]))
})
