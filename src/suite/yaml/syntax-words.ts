/** Words for mistakes whose message in the yaml package speaks of its parser. No word quotes the file: it may be a secret. */
const plainWords: readonly (readonly [said: RegExp, words: string])[] = [
  [
    /^(?:All (?:mapping|sequence) items must start at|Sequence item without -|A block sequence may not be used as)/,
    'this line begins at a column that fits no list or mapping above it',
  ],
  [
    /^Nested mappings are not allowed in compact mappings/,
    'this value goes on to another colon; put a text with a colon in quotes, or begin the next key at the column of this key',
  ],
  [
    /^Implicit (?:map keys need to be followed by map values|keys need to be on a single line)/,
    'this is no key; a key has a colon and a blank after it',
  ],
  [/^Tabs are not allowed as indentation/, 'a tab cannot indent a line; indent with blanks'],
  [/^Unexpected block-seq-ind on same line with key/, 'a list begins on the line after its key'],
  [/ (?:and|must) end with a \}/, 'the mapping that begins with { has no } before this'],
  [/ (?:and|must) end with a \]/, 'the list that begins with [ has no ] before this'],
  [/^Unexpected flow-(?:map|seq)-end token/, 'this bracket closes nothing'],
  [/^Missing closing ["']quote/, 'a text that begins with a quotation mark has none at its end'],
  [/^Plain value cannot start with/, 'a text that begins with this character needs quotes'],
  [/^Unexpected .* at node end/, 'the value has ended before this'],
];

/** The first line of a message of the yaml package, in plain words if it has none of them. */
export function plainSyntaxWords(message: string): string {
  const [line = message] = message.split('\n');
  const [, words] = plainWords.find(([said]) => said.test(line)) ?? [];
  return words ?? `${line.charAt(0).toLowerCase()}${line.slice(1)}`;
}
