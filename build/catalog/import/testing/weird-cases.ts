import { OUTCOMES } from './outcomes.ts'
import type { OutcomeName } from './outcomes.ts'

const parseNames = (names: string): OutcomeName[] =>
  names.split(' ').filter((name): name is OutcomeName => Object.hasOwn(OUTCOMES, name))

/** The strange files of a collection that is not ours: by what comes of them, their folders' names. */
const CASES: Readonly<Record<string, string>> = {
  repaired: `
    001-yaml-unquoted-colon 002-yaml-unquoted-colon 003-yaml-unquoted-colon 004-yaml-unquoted-colon
    006-yaml-alias-star 007-yaml-alias-star 013-yaml-bad-start-token 014-yaml-bad-start-token
    017-yaml-unexpected-eof`,
  noDescription: `
    005-yaml-bad-quote 020-frontmatter-empty 035-desc-empty 036-desc-empty 038-desc-missing
    150-name-null 157-desc-only-spaces 167-delimiter-only`,
  conflict: `
    008-yaml-no-colon 205-conflict-markers`,
  'readAround folderName': `
    009-yaml-no-colon`,
  readAround: `
    010-yaml-expected-key 011-yaml-expected-key 015-yaml-flow-broken 173-tabs-yaml`,
  imported: `
    012-yaml-bad-escape 016-yaml-unhashable 023-frontmatter-late 028-crlf 029-crlf 034-control-chars
    042-desc-html 043-desc-html 044-desc-multiline 045-desc-folded 046-desc-folded 047-name-int
    049-name-space-upper 050-name-unicode 051-name-unicode 052-name-emoji 053-name-emoji
    054-name-slash 055-name-slash-upper 056-name-colon 057-name-underscore 058-name-other
    059-name-other 060-name-over-64 061-name-dir-mismatch 062-name-dir-mismatch 063-dup-keys
    064-dup-keys 065-yaml-date 066-yaml-date 067-yaml-date 068-zero-width 069-zero-width
    070-tag-unicode 071-script-tag 072-script-tag 074-js-link 076-data-uri 077-data-uri 078-iframe
    079-iframe 080-svg 081-form 082-rel-image 083-rel-image 084-odd-fence 086-long-fence
    087-long-fence 088-no-body 089-no-body 091-big-real 092-rtl 093-rtl 094-hangul 095-cyrillic
    096-japanese 097-cjk 098-cjk 099-tools-list 100-tools-string 101-lowercase-filename
    103-same-name-two-repos 104-same-name-two-repos 116-yaml-self-alias 117-yaml-merge-key
    119-proto-key 120-proto-name 121-constructor-name 122-tostring-name 123-traversal-name
    124-traversal-name-deep 125-traversal-encoded 126-backslash-name 127-absolute-name 128-dot-name
    129-reserved-name 130-api-name 131-slug-md-name 134-name-all-punctuation 135-name-emoji-only
    136-name-zwj-emoji 137-name-cjk 138-name-rtl 140-name-nfd 141-name-nfc 142-name-case-a
    143-name-case-b 146-name-html 147-name-quote 149-name-bool 151-name-number-forms 152-name-octal
    153-name-date 154-name-inf 158-desc-markdown 160-desc-fold-chomp 161-desc-literal-dashes
    162-desc-dashes-inline 163-two-frontmatters 164-dots-end 165-delimiter-trailing-space
    169-frontmatter-no-final-newline 179-bom-crlf 180-ls-ps-separators 182-script-close-in-desc
    183-tag-unicode-hidden 184-variation-selector-hidden 186-html-comment-hidden
    187-display-none-hidden 188-raw-html-zoo 189-link-zoo 190-fence-info-injection 191-nested-fences
    192-unclosed-fence 193-headings-in-fence 194-no-heading 195-many-h1 196-huge-600kb
    197-long-line-200kb 198-redos-brackets 199-deep-quotes 200-wide-table 206-secret-like
    207-metadata-nested`,
  cleanedDescription: `
    018-yaml-control-char 181-nel-vt-ff 185-bidi-override 202-ansi-escapes`,
  notMapping: `
    019-frontmatter-is-a-string`,
  noFrontMatter: `
    021-frontmatter-none 022-frontmatter-none 026-bom 027-bom 030-crlf-mixed 073-onevent
    109-json-bare-frontmatter 110-toml-frontmatter 166-delimiter-four 168-delimiter-only-three
    170-html-comment-first 171-code-fence-frontmatter 172-whole-file-fenced 178-cr-only`,
  neverClosed: `
    024-frontmatter-unterminated 025-frontmatter-unterminated`,
  nul: `
    031-nul-bytes 208-null-bytes-name`,
  notUtf8: `
    032-non-utf8 033-non-utf8 159-desc-surrogate 175-latin1 176-cp1252-quotes 177-gbk`,
  list: `
    037-desc-list 048-name-list 115-yaml-alias-bomb`,
  folderName: `
    039-name-missing 132-name-empty-string 133-name-whitespace`,
  longDescription: `
    040-desc-over-1024 041-desc-over-1024`,
  copy: `
    075-js-link 085-odd-fence`,
  blank: `
    090-empty-file 209-empty-after-bom 210-whitespace-only`,
  storedLink: `
    102-git-symlink`,
  language: `
    105-js-frontmatter 106-js-frontmatter-javascript 107-coffee-frontmatter 108-json-frontmatter`,
  tag: `
    111-yaml-js-function 112-yaml-js-regexp 113-yaml-python-object 114-yaml-unknown-tag`,
  tooDeep: `
    118-yaml-deep-nesting`,
  shownName: `
    139-name-homoglyph 144-name-1000-chars 145-name-newline 148-name-crlf-header`,
  mapping: `
    155-desc-object`,
  tooLong: `
    156-desc-100kb`,
  utf16: `
    174-utf16le`,
  placeholder: `
    201-template-placeholders`,
  lfsPointer: `
    203-lfs-pointer`,
  htmlPage: `
    204-html-404`,
}

/** Every case with its outcomes; `copy` says that another case before it has the same name and bytes. */
export const WEIRD_CASES: readonly { name: string; outcomes: OutcomeName[]; isCopy: boolean }[] =
  Object.entries(CASES).flatMap(([key, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => ({ name, outcomes: parseNames(key), isCopy: key === 'copy' })),
  )
