import { readFileSync, writeFileSync } from 'node:fs';

/** Values for the placeholders that `init` writes, by the beginning of their meaning. */
const values: readonly (readonly [meaning: RegExp, value: (meaning: string) => string])[] = [
  [/^carrier code/, () => '001010'],
  [/^URL of the discovery/, () => 'https://discovery.carrier.test'],
  [/^URL under which/, () => 'http://127.0.0.1:8602'],
  [/^client_id of ([\w-]+)/, (meaning) => `ccid-${/of ([\w-]+)/.exec(meaning)?.[1]}`],
  [/^phone number of/, (meaning) => `+1202555010${meaning.includes('first') ? 1 : meaning.includes('other') ? 2 : 3}`],
  [/^sub of/, (meaning) => `001010-${meaning.replace('sub of ', '').replaceAll(' ', '-')}`],
];

const valueFor = (meaning: string): string => {
  const found = values.find(([pattern]) => pattern.test(meaning));
  if (found === undefined) throw new Error(`init has a placeholder that no test knows: ${meaning}`);
  return found[1](meaning);
};

/** A file written by `init`, with a value in place of each placeholder. */
export const filledIn = (text: string): string =>
  text.replaceAll(/<fill in: (?!\.)([^<>]*)>/g, (_, meaning: string) => valueFor(meaning));

/** A file written by `init`, with every setting uncommented. */
export const uncommentSettings = (text: string): string => text.replaceAll(/^#(?=\S| {2})/gm, '');

/** Edits a file as a user would. */
export const editFile = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')));
